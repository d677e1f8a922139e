"""A server's settings, and the values that each can have."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from bot.domain.ids import MAX_ID
from bot.domain.matches import BOARDS
from bot.domain.pages import Page
from bot.domain.refusals import Refusal, RefusalReason
from engine import TIC_TAC_TOE, Level, Rules

TURN_MINUTES_CHOICES = (5, 15, 30, 60, 180, 720, 1440)

PUZZLE_HOURS = range(24)

SettingValue = str | int | bool | tuple[int, ...] | Level | Rules | None
"""The value of a field of `GuildSettings`."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server.

    Attributes:
        language: The language of its boards; None for the locale that Discord reports.
        rules: The board of new matches.
        level: How strongly the bot plays; None for the level that each person has to beat next.
        turn_minutes: How long a turn lasts; None for the host's default.
        channels: The only channels where boards may be opened; anywhere if there are none.
        has_ranking: Whether it has leaderboards.
        puzzle_channel: Where the daily puzzle is posted; None for nowhere.
        puzzle_hour: When it is posted, in UTC.
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
        channels: set[int] = set()
        for setting in TABS[tab]:
            if setting in MAX_CHANNELS:
                channels.update(self.channels_for(setting))
        return frozenset(channels)

    def allows_boards_in(self, channel_id: int, parent_id: int | None) -> bool:
        """Whether a board may be opened in a channel, or in a thread of `parent_id`."""
        if not self.channels:
            return True
        return channel_id in self.channels or parent_id in self.channels

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
    """The tabs of the form, which as a whole is too long for a phone."""

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
class SettingsPage(Page):
    """What a control of the form does.

    Attributes:
        tab: The tab that it is on, or that it opens.
        setting: The setting that it changes; None if it opens a tab.
        chosen: The value that a button sets. Those of a select come with the interaction.
    """

    kind = "settings"

    tab: Tab
    setting: Setting | None = None
    chosen: str = ""

    def check(self) -> None:
        if self.setting is not None and self.setting not in TABS[self.tab]:
            raise ValueError(f"the setting is not on this tab: {self}")
        if self.chosen and self.setting not in TOGGLES:
            raise ValueError(f"the setting has no button: {self}")


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
    if isinstance(value, Level | Rules):
        return value.name
    return str(value)


def parse_setting(
    setting: Setting, names: Collection[str], languages: Sequence[str]
) -> Mapping[str, SettingValue] | None:
    """The field of `GuildSettings` and its value, from names of values or ids of channels.

    None if a name is not offered. Whether the server has such channels is not checked.
    """
    if setting in MAX_CHANNELS:
        return _parse_channels(setting, names)
    if len(names) != 1:
        return None
    (name,) = names
    values = {encode_value(value): value for value in options_for(setting, languages)}
    if name not in values:
        return None
    return {setting.value: values[name]}


def _parse_channels(setting: Setting, names: Collection[str]) -> Mapping[str, SettingValue] | None:
    if len(names) > MAX_CHANNELS[setting] or not all(name.isdecimal() for name in names):
        return None
    ids = tuple(int(name) for name in names)
    if any(channel_id > MAX_ID for channel_id in ids):
        return None
    if MAX_CHANNELS[setting] > 1:
        return {setting.value: ids}
    return {setting.value: ids[0] if ids else None}


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """A server's settings: a form for those who may change them, a summary for others.

    Attributes:
        settings: The settings.
        default_turn_minutes: The host's default.
        today: The date for which `puzzle_hour` is shown in local time.
        tab: The tab to show.
        may_change: Whether the person who sees it may change the settings.
        deleted_channels: Channels on the tab that there are no more.
        inaccessible_channels: Channels on the tab that the bot may not view.
        has_given_up_posting: Whether the daily puzzle could not be posted too many times.
    """

    settings: GuildSettings
    default_turn_minutes: int
    today: date = date.min
    tab: Tab = Tab.BOARDS
    may_change: bool = False
    deleted_channels: frozenset[int] = frozenset()
    inaccessible_channels: frozenset[int] = frozenset()
    has_given_up_posting: bool = False
