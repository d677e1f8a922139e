"""The form of a server's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ChannelType, ui

from bot.game.outcome import ServerSettings
from bot.game.page import custom_id
from bot.game.server import (
    MOST_CHANNELS,
    SWITCHES,
    TABS,
    Setting,
    SettingsPage,
    Tab,
    name_of,
    offered,
)
from bot.texts import ServerTexts
from bot.views.controls import Control, button, channel_select, one_block, select

CHANNEL_KINDS: Mapping[Setting, Sequence[ChannelType]] = {
    Setting.CHANNELS: (
        *(ChannelType.text, ChannelType.news, ChannelType.forum),
        *(ChannelType.voice, ChannelType.stage_voice),
    ),
    Setting.PUZZLE_CHANNEL: (ChannelType.text, ChannelType.news),
}
"""Types of channels to choose from: for boards, or threads with boards, and for posts."""

_COLOUR = discord.Colour.blurple()


def settings_view(
    settings: ServerSettings, texts: ServerTexts, languages: Sequence[str]
) -> ui.LayoutView:
    """A tab of the form, or, for those who may not change anything, a summary of all settings."""
    if not settings.may_change:
        return one_block(ui.TextDisplay(texts.summary(settings)), colour=_COLOUR)
    items: list[ui.Item[Any]] = [ui.TextDisplay(texts.heading(settings.tab))]
    for setting in TABS[settings.tab]:
        items += [
            ui.TextDisplay(texts.label(setting, settings)),
            ui.ActionRow(_control(setting, settings, texts, languages)),
        ]
    tabs = (_tab(tab, texts, is_open=tab is settings.tab) for tab in Tab)
    return one_block(*items, ui.Separator(), ui.ActionRow(*tabs), colour=_COLOUR)


def _tab(tab: Tab, texts: ServerTexts, *, is_open: bool) -> Control:
    style = ButtonStyle.primary if is_open else ButtonStyle.secondary
    return button(custom_id(SettingsPage(tab), 0), label=texts.tab(tab), style=style)


def _control(
    setting: Setting, settings: ServerSettings, texts: ServerTexts, languages: Sequence[str]
) -> Control:
    page, chosen = SettingsPage(settings.tab, setting), getattr(settings.choices, setting.value)
    if setting in SWITCHES:
        other = replace(page, chosen=name_of(not chosen))
        return button(custom_id(other, 0), label=texts.switch(is_on=chosen))
    if setting in MOST_CHANNELS:
        return channel_select(
            custom_id(page, 0),
            CHANNEL_KINDS[setting],
            [one for one in settings.choices.channels_for(setting) if one not in settings.gone],
            texts.nothing(setting),
            most=MOST_CHANNELS[setting],
        )
    options = [
        discord.SelectOption(
            label=texts.option(setting, value, settings.usual_turn_minutes),
            value=name_of(value),
            default=value == chosen,
        )
        for value in offered(setting, languages)
    ]
    return select(custom_id(page, 0), options)
