"""The form of a server's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any

import discord
from babel import Locale
from discord import ChannelType, ui

from bot.domain.checks import CheckPage
from bot.domain.pages import Page, custom_id
from bot.domain.settings import (
    MAX_CHANNELS,
    Setting,
    SettingsForm,
    SettingsPage,
    SettingValue,
    Tab,
    encode_value,
    is_switch,
    options_for,
)
from bot.views.catalogues import LANGUAGES
from bot.views.components import button, container_view, tab_style
from bot.views.i18n import (
    LEVELS,
    N_,
    NC_,
    Language,
    Sentence,
    relative_timestamp,
    time_timestamp,
)


def _language_name(_language: Language, code: str) -> str:
    name = str(Locale.parse(code).display_name)
    return name[:1].upper() + name[1:]


# Translators, from here on: an option in a list to choose from, or behind a setting's name.
def _on_or_off(language: Language, is_on: bool) -> str:  # noqa: FBT001 - a value among others
    return language.say(NC_("setting", "on") if is_on else NC_("setting", "off"))


@dataclass(frozen=True, slots=True)
class _Row:
    """How a setting is shown: on which tab, its label, its values, and what is said for none."""

    tab: Tab
    label: Sentence
    text: Callable[[Language, Any], str]
    unset: Sentence | None = None


# Translators, from here on: the name of a setting, above a list to choose from: about 30 letters;
# behind it, an option in that list: about 40 letters.
_ROWS: Mapping[Setting, _Row] = {
    Setting.LANGUAGE: _Row(
        Tab.BOARDS,
        N_("Board language"),
        _language_name,
        # Translators: said where a server has chosen no language: it is that of the server in
        # Discord.
        NC_("language", "automatic (the server's, or the player's)"),
    ),
    Setting.BOARD: _Row(Tab.BOARDS, N_("Board"), Language.game_name),
    Setting.LEVEL: _Row(
        Tab.BOARDS,
        N_("Level"),
        lambda language, level: language.say(LEVELS[level]),
        # Translators: the bot's level where a server has chosen none: from *easy* up, the lowest
        # that each person has not passed yet.
        NC_("level", "each player's own level"),
    ),
    Setting.TURN: _Row(Tab.BOARDS, N_("Time per move"), Language.duration),
    Setting.CHANNELS: _Row(
        Tab.BOARDS,
        N_("Channels"),
        Language.channels,
        # Translators: said where a server has chosen no channels: boards may be opened in all of
        # them.
        NC_("channels", "all"),
    ),
    Setting.PUZZLE_CHANNEL: _Row(
        Tab.DAILY,
        N_("Daily puzzle channel"),
        lambda language, channel_id: language.channels([channel_id]),
        # Translators: said where a server has chosen no channel.
        NC_("channel", "none"),
    ),
    Setting.PUZZLE_HOUR: _Row(
        Tab.DAILY, N_("Posting time"), lambda _language, hour: f"{hour:02}:00 UTC"
    ),
    Setting.RANKING: _Row(Tab.DAILY, N_("Ranking"), _on_or_off),
}


def settings_on(tab: Tab) -> list[Setting]:
    """The settings on a tab, from top to bottom."""
    return [setting for setting, row in _ROWS.items() if row.tab is tab]


# Translators, from here on: buttons, side by side: about 15 letters.
TAB_NAMES: Mapping[Tab, Sentence] = {
    # Translators: the two halves of the settings.
    Tab.BOARDS: NC_("button", "Boards"),
    Tab.DAILY: NC_("button", "Puzzle and ranking"),
}

# Translators: a button beside them: it shows why someone cannot play in a channel.
CHECK = NC_("button", "Check")

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

# Translators, from here on: the form of a server's settings, which those see who run it.
HEADING = N_("## Server settings")

COLOUR = discord.Colour.blurple()

_MAX_OPTIONS = 25
"""How many options Discord allows in a select."""


def settings_view(
    form: SettingsForm, language: Language, languages: Sequence[str] = LANGUAGES
) -> ui.LayoutView:
    """A tab of the form, or, for those who may not change anything, a summary of all settings.

    `languages` are those that boards may be in.
    """
    if not form.may_change:
        return _view(language, _summary(form, language))
    items: list[str | ui.Item[Any]] = [_heading(form.tab, language)]
    for setting in settings_on(form.tab):
        items.append("\n".join([_line(setting, form, language), *_notes(setting, form, language)]))
        items += map(ui.ActionRow, _controls(setting, form, language, languages))
    return _view(language, *items, ui.Separator(), tab_row(form.tab, language))


def _view(language: Language, *items: str | ui.Item[Any]) -> ui.LayoutView:
    return container_view(*items, symbols=language.symbols, colour=COLOUR)


def _heading(tab: Tab, language: Language) -> str:
    heading = language.say(HEADING)
    if tab is not Tab.BOARDS:
        return heading
    applies_now = language.say(N_("-# Changes apply right away, but not to open boards."))
    return f"{heading}\n{applies_now}"


def _summary(form: SettingsForm, language: Language) -> str:
    """All settings, for those who may not change them."""
    settings = list(_ROWS)
    if not form.settings.puzzle_channel:
        settings.remove(Setting.PUZZLE_HOUR)  # there are no posts
    lines = [f"- {_line(setting, form, language)}" for setting in settings]
    # Translators: permissions have the names that Discord shows in your language.
    hint = language.say(N_("-# Someone with **Manage Server** can change this."))
    return "\n".join([language.say(HEADING), *lines, hint])


def _line(setting: Setting, form: SettingsForm, language: Language) -> str:
    """A setting and its value; in the form only where no select shows the value."""
    label = f"**{language.say(_ROWS[setting].label)}**"
    if form.may_change and not is_switch(setting):
        return label
    if setting is Setting.PUZZLE_HOUR:
        return language.labelled(label, _local_time(form))
    value = getattr(form.settings, setting.value)
    return language.labelled(label, _text(setting, value, form, language))


def _text(setting: Setting, value: SettingValue, form: SettingsForm, language: Language) -> str:
    """A value that can be chosen, in a word or two."""
    row = _ROWS[setting]
    if setting is Setting.TURN and value is None:
        default = language.duration(form.default_turn_minutes)
        # Translators: {time} is a length of time, such as "30 minutes".
        return language.say(N_("default ({time})"), time=default)
    if not value and row.unset is not None:
        return language.say(row.unset)
    return row.text(language, value)


# Translators, from here on: in the form of a server's settings.
def _notes(setting: Setting, form: SettingsForm, language: Language) -> Iterator[str]:
    """What else there is to say about a setting, in small print."""
    if setting in MAX_CHANNELS and (channel_ids := form.settings.channels_in(setting)):
        yield language.channels(channel_ids)
    if setting is Setting.CHANNELS:
        yield language.say(N_("-# A thread counts as part of its channel."))
    if setting is Setting.PUZZLE_CHANNEL and form.gave_up_posting:
        yield language.say(
            N_(
                "⚠️ I couldn't post there for three days, so I stopped. Let me send messages "
                "there, then pick the channel again."
            )
        )
    if setting is Setting.PUZZLE_CHANNEL and form.next_post_at is not None:
        at, when = time_timestamp(form.next_post_at), relative_timestamp(form.next_post_at)
        yield language.say(N_("-# Next puzzle: {at}, {when}."), at=at, when=when)
    if setting is Setting.PUZZLE_HOUR:
        # Translators: {time} is a time of day, such as "09:00".
        yield language.say(N_("-# That's {time} your time."), time=_local_time(form))


def _local_time(form: SettingsForm) -> str:
    """The hour of the puzzle, which Discord shows in the reader's time zone."""
    hour = time(form.settings.puzzle_hour, tzinfo=UTC)
    return time_timestamp(datetime.combine(form.today, hour))


def tab_row(open_tab: Tab | None, language: Language) -> ui.ActionRow[Any]:
    """The buttons of the tabs and of the checks, which are open where no tab is."""
    pages: list[tuple[Page, Sentence, bool]] = [
        (SettingsPage(tab), TAB_NAMES[tab], tab is open_tab) for tab in Tab
    ]
    pages.append((CheckPage(), CHECK, open_tab is None))
    return ui.ActionRow(
        *(
            button(custom_id(page, 0), label=language.say(name), style=tab_style(is_open=is_open))
            for page, name, is_open in pages
        )
    )


def _controls(
    setting: Setting, form: SettingsForm, language: Language, languages: Sequence[str]
) -> Iterator[ui.Item[Any]]:
    """What sets a setting: a button, or as many selects as its options need."""
    if is_switch(setting):
        is_on = bool(getattr(form.settings, setting.value))
        page = SettingsPage(form.tab, setting, encode_value(not is_on))
        # Translators, from here on: buttons of about 15 letters.
        label = NC_("button", "Turn off") if is_on else NC_("button", "Turn on")
        yield button(custom_id(page, 0), label=language.say(label))
    elif setting in MAX_CHANNELS:
        yield _channel_select(setting, form, language)
    else:
        options = [
            discord.SelectOption(
                label=_text(setting, value, form, language),
                value=encode_value(value),
                default=value == getattr(form.settings, setting.value),
            )
            for value in options_for(setting, languages)
        ]
        for number, start in enumerate(range(0, len(options), _MAX_OPTIONS)):
            yield _select(setting, form.tab, number, options[start : start + _MAX_OPTIONS])


_COMPONENT_IDS = {setting: number for number, setting in enumerate(Setting, start=1)}
"""The ids of selects, different on all tabs: clients keep what was chosen by id."""


def _select(
    setting: Setting, tab: Tab, number: int, options: list[discord.SelectOption]
) -> ui.Select[Any]:
    """A select with some of a setting's options.

    If another select has the current value, the placeholder says which options this one has.
    """
    return ui.Select(
        id=_COMPONENT_IDS[setting] + number * len(Setting),
        custom_id=custom_id(SettingsPage(tab, setting), number),
        placeholder=f"{options[0].label} … {options[-1].label}",
        options=options,
    )


def _channel_select(
    setting: Setting, form: SettingsForm, language: Language
) -> ui.ChannelSelect[Any]:
    unset = _ROWS[setting].unset
    assert unset is not None, "a server may choose no channel"
    return ui.ChannelSelect(
        id=_COMPONENT_IDS[setting],
        custom_id=custom_id(SettingsPage(form.tab, setting), 0),
        channel_types=list(CHANNEL_TYPES[setting]),
        default_values=[discord.Object(id_) for id_ in form.settings.channels_in(setting)],
        placeholder=language.say(unset),
        min_values=0,
        max_values=MAX_CHANNELS[setting],
    )
