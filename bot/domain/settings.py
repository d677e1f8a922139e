"""A server's settings, and the values that each can have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum

from bot.domain.ids import MAX_ID
from bot.domain.matches import BOARDS, Match
from bot.domain.pages import Page
from bot.domain.refusals import RefusalReason, Refused
from engine import TIC_TAC_TOE, Level, Rules

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

    def channels_in(self, setting: Setting) -> tuple[int, ...]:
        """The channels in a setting, which must be one of `MAX_CHANNELS`."""
        value: int | tuple[int, ...] | None = getattr(self, setting.value)
        if isinstance(value, tuple):
            return value
        return () if value is None else (value,)

    def allows_boards_in(self, channel_id: int, parent_id: int | None) -> bool:
        """Whether a board may be opened in a channel, or in a thread of `parent_id`."""
        if not self.channels:
            return True
        return channel_id in self.channels or parent_id in self.channels

    def check_channel(
        self, channel_id: int, parent_id: int | None, unopened: Match | None = None
    ) -> None:
        """Raise Refused if no board may be opened in a channel, or a thread of `parent_id`.

        `unopened` is the match for which that is checked.
        """
        if not self.allows_boards_in(channel_id, parent_id):
            reason = RefusalReason.BOARDS_ELSEWHERE
            raise Refused(reason, channels=self.channels, unopened=unopened)


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


MAX_CHANNELS: Mapping[Setting, int] = {Setting.CHANNELS: 25, Setting.PUZZLE_CHANNEL: 1}
"""The most channels of each setting that takes channels; Discord's selects allow 25."""

OPTIONS: Mapping[Setting, Sequence[SettingValue]] = {
    Setting.BOARD: BOARDS,
    Setting.LEVEL: (None, *Level),
    Setting.TURN: (None, 5, 15, 30, 60, 180, 720, 1440),
    Setting.PUZZLE_HOUR: range(24),
    Setting.RANKING: (True, False),
}
"""The values of the other settings, except for the language, which has as many as catalogues."""


def is_switch(setting: Setting) -> bool:
    """Whether a setting is on or off, so that a button switches it."""
    return OPTIONS.get(setting) == (True, False)


class Tab(Enum):
    """The tabs of the form, which as a whole is too long for a phone."""

    BOARDS = "boards"
    DAILY = "daily"


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
        if self.chosen and (self.setting is None or not is_switch(self.setting)):
            raise ValueError(f"the setting has no button: {self}")


def options_for(setting: Setting, languages: Sequence[str]) -> Sequence[SettingValue]:
    """The values that a setting offers; none if it takes channels, which Discord offers."""
    return (None, *languages) if setting is Setting.LANGUAGE else OPTIONS.get(setting, ())


def encode_value(value: SettingValue) -> str:
    """The name of a value in selects, buttons and the database."""
    if value is None:
        return "default"
    return value.name if isinstance(value, Level | Rules) else str(value)


def parse_value(setting: Setting, names: Sequence[str], languages: Sequence[str]) -> SettingValue:
    """The value that names of options, or ids of channels, stand for.

    Whether the server has such channels is not checked.

    Raises:
        Refused: They are not offered.
    """
    if setting in MAX_CHANNELS:
        return _parse_channels(setting, names)
    values = {encode_value(value): value for value in options_for(setting, languages)}
    if len(names) != 1 or names[0] not in values:
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    return values[names[0]]


def _parse_channels(setting: Setting, names: Sequence[str]) -> SettingValue:
    are_ids = all(name.isdecimal() and int(name) <= MAX_ID for name in names)
    if not are_ids or len(names) > MAX_CHANNELS[setting]:
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    ids = tuple(map(int, names))
    if MAX_CHANNELS[setting] == 1:
        return ids[0] if ids else None
    return ids


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """A server's settings: a form for those who may change them, a summary for others.

    Attributes:
        settings: The settings.
        default_turn_minutes: The host's default.
        today: The date for which `puzzle_hour` is shown in local time.
        tab: The tab to show.
        may_change: Whether the person who sees it may change the settings.
        gave_up_posting: Whether the daily puzzle could not be posted too many times.
        next_post_at: When the next daily puzzle is posted; None if none is.
    """

    settings: GuildSettings
    default_turn_minutes: int
    today: date = date.min
    tab: Tab = Tab.BOARDS
    may_change: bool = False
    gave_up_posting: bool = False
    next_post_at: datetime | None = None
