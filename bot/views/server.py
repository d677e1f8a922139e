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
from bot.texts import LANGUAGES, ServerTexts
from bot.views.controls import Control, button, one_block

CHANNEL_KINDS: Mapping[Setting, Sequence[ChannelType]] = {
    Setting.CHANNELS: (
        *(ChannelType.text, ChannelType.news, ChannelType.forum),
        *(ChannelType.voice, ChannelType.stage_voice),
    ),
    Setting.PUZZLE_CHANNEL: (ChannelType.text, ChannelType.news),
}
"""Types of channels to choose from: for boards, or threads with boards, and for posts."""

_COLOUR = discord.Colour.blurple()


def settings_view(settings: ServerSettings, texts: ServerTexts) -> ui.LayoutView:
    """A tab of the form, or, for those who may not change anything, a summary of all settings."""
    if not settings.may_change:
        return one_block(texts.summary(settings), colour=_COLOUR)
    items: list[ui.Item[Any]] = []
    for setting in TABS[settings.tab]:
        items += [
            ui.TextDisplay(texts.label(setting, settings)),
            ui.ActionRow(_control(setting, settings, texts)),
        ]
    tabs = (_tab(tab, texts, is_open=tab is settings.tab) for tab in Tab)
    items += [ui.Separator(), ui.ActionRow(*tabs)]
    return one_block(texts.heading(settings.tab), *items, colour=_COLOUR)


def _tab(tab: Tab, texts: ServerTexts, *, is_open: bool) -> Control:
    style = ButtonStyle.primary if is_open else ButtonStyle.secondary
    return button(custom_id(SettingsPage(tab), 0), label=texts.tab(tab), style=style)


def _control(setting: Setting, settings: ServerSettings, texts: ServerTexts) -> Control:
    page, chosen = SettingsPage(settings.tab, setting), getattr(settings.choices, setting.value)
    if setting in SWITCHES:
        other = replace(page, chosen=name_of(not chosen))
        return button(custom_id(other, 0), label=texts.switch(is_on=chosen))
    if setting in MOST_CHANNELS:
        there = [one for one in settings.choices.channels_for(setting) if one not in settings.gone]
        return Control(
            ui.ChannelSelect[Any](
                custom_id=custom_id(page, 0),
                channel_types=list(CHANNEL_KINDS[setting]),
                default_values=[discord.Object(channel_id) for channel_id in there],
                placeholder=texts.nothing(setting),
                min_values=0,
                max_values=MOST_CHANNELS[setting],
            )
        )
    options = [
        discord.SelectOption(
            label=texts.option(setting, value, settings.usual_turn_minutes),
            value=name_of(value),
            default=value == chosen,
        )
        for value in offered(setting, LANGUAGES)
    ]
    return Control(ui.Select[Any](custom_id=custom_id(page, 0), options=options))
