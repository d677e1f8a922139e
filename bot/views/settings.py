"""The form of a server's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from itertools import chain
from typing import Any

import discord
from babel import Locale
from discord import ButtonStyle, ChannelType, ui

from bot.domain.pages import custom_id
from bot.domain.settings import (
    MAX_CHANNELS,
    TABS,
    TOGGLES,
    Setting,
    SettingsForm,
    SettingsPage,
    SettingValue,
    Tab,
    encode_value,
    options_for,
)
from bot.views.catalogues import LANGUAGES
from bot.views.components import button, container_view
from bot.views.i18n import LEVELS, N_, NC_, Language, Sentence, Texts, time_timestamp

# Translators, from here on: the form of a server's settings, which those see who run it.
HEADING = N_("## Server settings")

APPLIES_NOW = N_("-# Changes apply right away. Boards already open stay as they are.")

# Translators, from here on: the name of a setting, above a list to choose from: about 30 letters.
LABELS: Mapping[Setting, Sentence] = {
    Setting.LANGUAGE: N_("Board language"),
    Setting.BOARD: N_("Default board"),
    Setting.LEVEL: N_("Default level"),
    Setting.TURN: N_("Time per move"),
    Setting.CHANNELS: N_("Channels for boards"),
    Setting.PUZZLE_CHANNEL: N_("Daily puzzle channel"),
    Setting.PUZZLE_HOUR: N_("Puzzle time"),
    Setting.RANKING: N_("Ranking"),
}

# Translators, from here on: an option in a list to choose from: about 40 letters.
UNSET_VALUES: Mapping[Setting, Sentence] = {
    # Translators: said where a server has chosen no language: it is that of the server in Discord.
    Setting.LANGUAGE: NC_("language", "automatic: the server's, or the player's"),
    # Translators: the bot's level where a server has chosen none: the lowest that each person has
    # not beaten yet.
    Setting.LEVEL: NC_("level", "each person's own"),
    # Translators: said where a server has chosen no channels: boards may be opened in all of them.
    Setting.CHANNELS: NC_("channels", "all of them"),
    # Translators: said where a server has chosen no channel.
    Setting.PUZZLE_CHANNEL: NC_("channel", "none"),
}
"""What is shown for a setting without a value."""

# Translators, from here on: buttons, side by side: about 15 letters.
TAB_NAMES: Mapping[Tab, Sentence] = {
    # Translators: the two halves of the settings.
    Tab.BOARDS: NC_("button", "Boards"),
    Tab.DAILY: NC_("button", "Puzzle and ranking"),
}


class SettingsTexts(Texts):
    """The settings of a server, in one language."""

    def heading(self, tab: Tab) -> str:
        """The heading of the form."""
        heading = self._(HEADING)
        return f"{heading}\n{self._(APPLIES_NOW)}" if tab is Tab.BOARDS else heading

    def tab(self, tab: Tab) -> str:
        return self._(TAB_NAMES[tab])

    def unset_value(self, setting: Setting) -> str:
        return self._(UNSET_VALUES[setting])

    def toggle_button(self, *, is_on: bool) -> str:
        return self._(NC_("button", "Turn off") if is_on else NC_("button", "Turn on"))

    # Translators, from here on: in the form of a server's settings. {channels} is a list of
    # channels.
    def summary(self, form: SettingsForm) -> str:
        """All settings, for those who may not change them."""
        lines = [self._(HEADING)]
        for setting in chain(*TABS.values()):
            if setting is Setting.PUZZLE_HOUR and not form.settings.puzzle_channel:
                continue  # there are no posts
            lines.append(f"- {self._line(setting, form)}")
        # Translators: permissions have the names that Discord shows in your language.
        lines.append(self._("-# Someone with the Manage Server permission can change this."))
        return "\n".join(lines)

    def label(self, setting: Setting, form: SettingsForm) -> str:
        """The text above a setting's select or button."""
        if setting in TOGGLES:
            return self._line(setting, form)
        return "\n".join([f"**{self._(LABELS[setting])}**", *self._notes(setting, form)])

    def _notes(self, setting: Setting, form: SettingsForm) -> Iterator[str]:
        if setting is Setting.CHANNELS:
            yield self._("-# A thread counts as part of its channel.")
            yield from self._channels_warnings(form)
        elif setting is Setting.PUZZLE_HOUR:
            # Translators: {time} is a time of day, such as "09:00".
            yield self._("-# On your clock: {time}.", time=_local_time(form))
        elif setting is Setting.PUZZLE_CHANNEL:
            yield from self._puzzle_channel_warnings(form)

    def _puzzle_channel_warnings(self, form: SettingsForm) -> Iterator[str]:
        if form.settings.puzzle_channel in form.deleted_channels:
            yield self._("⚠️ That channel is gone. Choose another, or none.")
            return
        if form.settings.puzzle_channel in form.inaccessible_channels:
            # Translators: permissions have the names that Discord shows in your language.
            yield self._(
                "⚠️ I have no access to that channel, so I can't post there. Give me the View "
                "Channel permission, or choose another."
            )
        if form.has_given_up_posting:
            yield self._(
                "⚠️ I couldn't post there for three days, so I stopped. Let me send messages "
                "there, then choose the channel again."
            )

    def _channels_warnings(self, form: SettingsForm) -> Iterator[str]:
        channels = form.settings.channels
        if channels and form.deleted_channels.issuperset(channels):
            yield self._(
                "⚠️ Those channels are all gone, so nobody can open a board. Choose others, or "
                "choose none to allow every channel."
            )
        inaccessible = [
            channel_id for channel_id in channels if channel_id in form.inaccessible_channels
        ]
        if inaccessible:
            yield self._(
                "⚠️ I have no access to {channels}, so nobody can open a board there. Give me the "
                "View Channel permission, or choose others.",
                channels=self._language.channels(inaccessible),
            )

    # Translators, from here on: an option in a list to choose from, or behind a setting's name.
    def _line(self, setting: Setting, form: SettingsForm) -> str:
        label = f"**{self._(LABELS[setting])}**"
        return self._language.labelled(label, self._current(setting, form))

    def _current(self, setting: Setting, form: SettingsForm) -> str:
        if setting is Setting.PUZZLE_HOUR:
            return _local_time(form)
        value = getattr(form.settings, setting.value)
        return self.option(setting, value, form.default_turn_minutes)

    def option(self, setting: Setting, value: SettingValue, default_turn_minutes: int) -> str:
        """A value that can be chosen, in a word or two."""
        if setting is Setting.TURN and value is None:
            default = self._language.duration(default_turn_minutes)
            # Translators: {time} is a length of time, such as "30 minutes".
            return self._("default ({time})", time=default)
        if not value and setting in UNSET_VALUES:
            return self.unset_value(setting)
        return self._value(setting, value)

    def _value(self, setting: Setting, value: Any) -> str:
        match setting:
            case Setting.LANGUAGE:
                name = str(Locale.parse(value).display_name)
                text = name[:1].upper() + name[1:]
            case Setting.BOARD:
                text = self._language.game_name(value)
            case Setting.LEVEL:
                text = self._(LEVELS[value])
            case Setting.TURN:
                text = self._language.duration(value)
            case Setting.CHANNELS:
                text = self._language.channels(value)
            case Setting.PUZZLE_CHANNEL:
                text = self._language.channels([value])
            case Setting.PUZZLE_HOUR:
                text = f"{value:02}:00 UTC"
            case Setting.RANKING:
                text = self._(NC_("setting", "on") if value else NC_("setting", "off"))
        return text


def _local_time(form: SettingsForm) -> str:
    """The hour of the puzzle, which Discord shows in the reader's time zone."""
    hour = time(form.settings.puzzle_hour, tzinfo=UTC)
    return time_timestamp(datetime.combine(form.today, hour))


CHANNEL_TYPES: Mapping[Setting, Sequence[ChannelType]] = {
    Setting.CHANNELS: (
        ChannelType.text,
        ChannelType.news,
        ChannelType.forum,
        ChannelType.voice,
        ChannelType.stage_voice,
    ),
    Setting.PUZZLE_CHANNEL: (ChannelType.text, ChannelType.news),
}
"""The types of channels to choose from: for boards, or threads with boards, and for posts."""

_COLOUR = discord.Colour.blurple()

_COMPONENT_IDS = {setting: number for number, setting in enumerate(Setting, start=1)}
"""The ids of selects, different on all tabs: clients keep what was chosen by id."""

_MAX_OPTIONS = 25
"""How many options Discord allows in a select."""


def settings_view(
    form: SettingsForm, language: Language, languages: Sequence[str] = LANGUAGES
) -> ui.LayoutView:
    """A tab of the form, or, for those who may not change anything, a summary of all settings.

    `languages` are those that boards may be in.
    """
    texts = SettingsTexts(language)
    symbols = language.symbols
    if not form.may_change:
        return container_view(texts.summary(form), symbols=symbols, colour=_COLOUR)
    items: list[str | ui.Item[Any]] = [texts.heading(form.tab)]
    for setting in TABS[form.tab]:
        items.append(texts.label(setting, form))
        items += map(ui.ActionRow, _controls(setting, form, texts, languages))
    tabs = (_tab(tab, texts, is_open=tab is form.tab) for tab in Tab)
    items += [ui.Separator(), ui.ActionRow(*tabs)]
    return container_view(*items, symbols=symbols, colour=_COLOUR)


def _tab(tab: Tab, texts: SettingsTexts, *, is_open: bool) -> ui.Button[Any]:
    style = ButtonStyle.primary if is_open else ButtonStyle.secondary
    return button(custom_id(SettingsPage(tab), 0), label=texts.tab(tab), style=style)


def _controls(
    setting: Setting, form: SettingsForm, texts: SettingsTexts, languages: Sequence[str]
) -> Iterator[ui.Item[Any]]:
    """What sets a setting: a button, or as many selects as its options need."""
    page = SettingsPage(form.tab, setting)
    current = getattr(form.settings, setting.value)
    if setting in TOGGLES:
        other = replace(page, chosen=encode_value(not current))
        yield button(custom_id(other, 0), label=texts.toggle_button(is_on=current))
        return
    if setting in MAX_CHANNELS:
        yield _channel_select(page, setting, form, texts)
        return
    options = [
        discord.SelectOption(
            label=texts.option(setting, value, form.default_turn_minutes),
            value=encode_value(value),
            default=value == current,
        )
        for value in options_for(setting, languages)
    ]
    for number, start in enumerate(range(0, len(options), _MAX_OPTIONS)):
        yield _select(page, setting, number, options[start : start + _MAX_OPTIONS])


def _select(
    page: SettingsPage, setting: Setting, number: int, options: list[discord.SelectOption]
) -> ui.Select[Any]:
    """A select with some of a setting's options.

    If another select has the current value, the placeholder says which options this one has.
    """
    return ui.Select(
        id=_COMPONENT_IDS[setting] + number * len(Setting),
        custom_id=custom_id(page, number),
        placeholder=f"{options[0].label} … {options[-1].label}",
        options=options,
    )


def _channel_select(
    page: SettingsPage, setting: Setting, form: SettingsForm, texts: SettingsTexts
) -> ui.ChannelSelect[Any]:
    channel_ids = form.settings.channels_for(setting)
    return ui.ChannelSelect(
        id=_COMPONENT_IDS[setting],
        custom_id=custom_id(page, 0),
        channel_types=list(CHANNEL_TYPES[setting]),
        default_values=[
            discord.Object(channel_id)
            for channel_id in channel_ids
            if channel_id not in form.deleted_channels
        ],
        placeholder=texts.unset_value(setting),
        min_values=0,
        max_values=MAX_CHANNELS[setting],
    )
