"""A server's settings, and the values that each can have."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from bot.domain.ids import MAX_ID
from bot.domain.refusals import Refusal, RefusalReason
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Rules

BOARDS = (
    TIC_TAC_TOE,
    Rules(4, 4, 3),
    Rules(4, 4, 4),
    Rules(5, 5, 4),
    Rules(5, 5, 5),
    INFINITE,
    MISERE,
)

BOARDS_BY_NAME = {rules.name: rules for rules in BOARDS}

TURN_MINUTES_CHOICES = (5, 15, 30, 60, 180, 720, 1440)

PUZZLE_HOURS = range(24)

SettingValue = str | int | bool | tuple[int, ...] | Level | Rules | None


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server.

    None is the default: for `language` the locale that Discord reports, for `level` each person's
    own, for `turn_minutes` the host's setting, for `puzzle_channel` no daily puzzle. Boards may be
    opened in `channels` only, or anywhere if it is empty. `puzzle_hour` is UTC.
    """

    language: str | None = None
    rules: Rules = TIC_TAC_TOE
    level: Level | None = None
    turn_minutes: int | None = None
    channels: tuple[int, ...] = ()
    has_ranking: bool = True
    puzzle_channel: int | None = None
    puzzle_hour: int = 12

    def channels_for(self, setting: Setting) -> tuple[int, ...]:
        """The channels in a setting, which must be one of `MAX_CHANNELS`."""
        value: int | tuple[int, ...] | None = getattr(self, setting.value)
        if isinstance(value, tuple):
            return value
        return () if value is None else (value,)

    def channels_on(self, tab: Tab) -> frozenset[int]:
        """All channels in the settings of a tab."""
        settings = (setting for setting in TABS[tab] if setting in MAX_CHANNELS)
        return frozenset(channel for setting in settings for channel in self.channels_for(setting))

    def allows_boards_in(self, channel_id: int, parent_id: int | None) -> bool:
        """Whether a board may be opened in a channel, or in a thread of `parent_id`."""
        return not self.channels or not {channel_id, parent_id}.isdisjoint(self.channels)

    def channel_refusal(self, channel_id: int, parent_id: int | None) -> Refusal | None:
        """Why no board may be opened in a channel, or a thread of `parent_id`; None if one may."""
        if self.allows_boards_in(channel_id, parent_id):
            return None
        return Refusal(RefusalReason.BOARDS_ELSEWHERE, channels=self.channels)


class Setting(Enum):
    """The settings, by their fields of `GuildSettings`."""

    LANGUAGE = "language"
    BOARD = "rules"
    LEVEL = "level"
    TURN = "turn_minutes"
    CHANNELS = "channels"
    RANKING = "has_ranking"
    PUZZLE_CHANNEL = "puzzle_channel"
    PUZZLE_HOUR = "puzzle_hour"


TOGGLES = frozenset({Setting.RANKING})
"""The settings that are on or off."""

MAX_CHANNELS: Mapping[Setting, int] = {Setting.CHANNELS: 25, Setting.PUZZLE_CHANNEL: 1}
"""The most channels of each setting that takes channels; Discord's selects allow 25."""


class Tab(Enum):
    """The halves of the form, which as a whole is too long for a phone."""

    BOARDS = "boards"
    DAILY = "daily"


TABS: Mapping[Tab, Sequence[Setting]] = {
    Tab.BOARDS: (
        Setting.LANGUAGE,
        Setting.BOARD,
        Setting.LEVEL,
        Setting.TURN,
        Setting.CHANNELS,
    ),
    Tab.DAILY: (Setting.PUZZLE_CHANNEL, Setting.PUZZLE_HOUR, Setting.RANKING),
}


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What a control of the form does: change `setting` or, if that is None, open `tab`.

    `chosen` is the value that a button sets; the values of a select come with the interaction.
    """

    tab: Tab
    setting: Setting | None = None
    chosen: str = ""

    def __str__(self) -> str:
        setting = self.setting.value if self.setting else ""
        return f"settings:{self.tab.value}:{setting}:{self.chosen}"

    @classmethod
    def parse(cls, tab: str, setting: str, chosen: str) -> SettingsPage:
        page = cls(Tab(tab), Setting(setting) if setting else None, chosen)
        if page.setting is not None and page.setting not in TABS[page.tab]:
            raise ValueError(f"the setting is not on this tab: {page}")
        if chosen and page.setting not in TOGGLES:
            raise ValueError(f"the setting has no button: {page}")
        return page


def options_for(setting: Setting, languages: Sequence[str]) -> Sequence[SettingValue]:
    """The values that a setting offers. Not for channels, which Discord offers."""
    values: Mapping[Setting, Sequence[SettingValue]] = {
        Setting.LANGUAGE: (None, *languages),
        Setting.BOARD: BOARDS,
        Setting.LEVEL: (None, *Level),
        Setting.TURN: (None, *TURN_MINUTES_CHOICES),
        Setting.PUZZLE_HOUR: PUZZLE_HOURS,
        **dict.fromkeys(TOGGLES, (True, False)),
    }
    return values[setting]


def encode_value(value: SettingValue) -> str:
    """The name of a value in selects, buttons and the database."""
    if value is None:
        return "default"
    return value.name if isinstance(value, Level | Rules) else str(value)


def parse_setting(
    setting: Setting, names: Collection[str], languages: Sequence[str]
) -> Mapping[str, SettingValue] | None:
    """The field of `GuildSettings` and its value, from names of values or ids of channels.

    None if a name is not offered. Whether the server has such channels is not checked.
    """
    if setting in MAX_CHANNELS:
        return _parse_channels(setting, names)
    values = {encode_value(value): value for value in options_for(setting, languages)}
    if len(names) != 1:
        return None
    (name,) = names
    return {setting.value: values[name]} if name in values else None


def _parse_channels(setting: Setting, names: Collection[str]) -> Mapping[str, SettingValue] | None:
    if len(names) > MAX_CHANNELS[setting] or not all(name.isdecimal() for name in names):
        return None
    ids = tuple(map(int, names))
    if max(ids, default=0) > MAX_ID:
        return None
    if MAX_CHANNELS[setting] > 1:
        return {setting.value: ids}
    return {setting.value: ids[0] if ids else None}


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """A server's settings: a form for those who may change them, a summary for others.

    `default_turn_minutes` is the host's; `today` is the date for which `puzzle_hour` is shown in
    local time. Of the channels on `tab`, the bot may not view the inaccessible ones.
    """

    settings: GuildSettings
    default_turn_minutes: int
    today: date = date.min
    tab: Tab = Tab.BOARDS
    may_change: bool = False
    deleted_channels: frozenset[int] = frozenset()
    inaccessible_channels: frozenset[int] = frozenset()
    has_given_up_posting: bool = False
