"""What a server chooses, among what it is offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from bot.game.ids import LARGEST_ID
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
TURNS_MINUTES = (5, 15, 30, 60, 180, 720, 1440)
HOURS = range(24)
MOST_CHANNELS = 25
"""A select takes no more."""


Chosen = str | int | bool | tuple[int, ...] | Level | Rules | None


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """What a server has chosen.

    Without a `language` its boards speak the one that Discord says, and without `turn_minutes` a
    turn lasts as long as the host has set. Boards may be opened in `channels`, or anywhere where
    there are none. `puzzle_hour` is UTC.
    """

    language: str | None = None
    rules: Rules = TIC_TAC_TOE
    level: Level = Level.IMPOSSIBLE
    turn_minutes: int | None = None
    channels: tuple[int, ...] = ()
    has_ranking: bool = True
    puzzle_channel: int | None = None
    puzzle_hour: int = 12

    @property
    def all_channels(self) -> tuple[int, ...]:
        """All that are named anywhere."""
        return self.channels + ((self.puzzle_channel,) if self.puzzle_channel else ())

    def allows_boards_in(self, channel_id: int, parent_id: int | None) -> bool:
        """Whether a board may be opened in a channel, or in a thread of `parent_id`."""
        return not self.channels or not {channel_id, parent_id}.isdisjoint(self.channels)


class Setting(Enum):
    """What there is to choose: the fields of `ServerChoices`."""

    LANGUAGE = "language"
    BOARD = "rules"
    LEVEL = "level"
    TURN = "turn_minutes"
    CHANNELS = "channels"
    RANKING = "has_ranking"
    PUZZLE_CHANNEL = "puzzle_channel"
    PUZZLE_HOUR = "puzzle_hour"


SWITCHES = frozenset({Setting.RANKING})
"""Those that are on or off."""


class Tab(Enum):
    """The halves of the form: all of it at once is too much for a phone."""

    BOARDS = "boards"
    DAILY = "daily"


TABS: Mapping[Tab, Sequence[Setting]] = {
    Tab.BOARDS: (
        *(Setting.LANGUAGE, Setting.BOARD, Setting.LEVEL),
        *(Setting.TURN, Setting.CHANNELS),
    ),
    Tab.DAILY: (Setting.PUZZLE_CHANNEL, Setting.PUZZLE_HOUR, Setting.RANKING),
}


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What a select or a button of the form says: what it chooses, or else the tab to turn to.

    A select says apart from it what was chosen, and a button here.
    """

    tab: Tab
    setting: Setting | None = None
    chosen: str = ""

    def __str__(self) -> str:
        said = (self.tab.value, self.setting.value if self.setting else "", self.chosen)
        return f"settings:{':'.join(said)}"

    @classmethod
    def parse(cls, tab: str, setting: str, chosen: str) -> SettingsPage:
        page = cls(Tab(tab), Setting(setting) if setting else None, chosen)
        if page.setting not in {None, *TABS[page.tab]}:
            raise ValueError(f"that is not chosen there: {page}")
        if chosen and page.setting not in SWITCHES:
            raise ValueError(f"no button chooses that: {page}")
        return page


def offered(setting: Setting, languages: Sequence[str]) -> Sequence[Chosen]:
    """What there is to choose from; which channels there are, only Discord knows."""
    values: Mapping[Setting, Sequence[Chosen]] = {
        Setting.LANGUAGE: (None, *languages),
        Setting.BOARD: BOARDS,
        Setting.LEVEL: tuple(Level),
        Setting.TURN: (None, *TURNS_MINUTES),
        Setting.PUZZLE_HOUR: HOURS,
        **dict.fromkeys(SWITCHES, (True, False)),
    }
    return values[setting]


def name_of(value: Chosen) -> str:
    """A value as selects and buttons name it."""
    if value is None:
        return "default"
    return value.name if isinstance(value, Level | Rules) else str(value)


def find(
    setting: Setting, names: Collection[str], languages: Sequence[str]
) -> Mapping[str, Chosen] | None:
    """The field that names choose, with its value; None where one is not among those offered.

    That a server has such channels was for Discord to say.
    """
    match setting:
        case Setting.CHANNELS | Setting.PUZZLE_CHANNEL:
            ids = tuple(int(name) for name in names if name.isdecimal())
            most = MOST_CHANNELS if setting is Setting.CHANNELS else 1
            if len(ids) < len(names) or len(ids) > most or max(ids, default=0) > LARGEST_ID:
                return None
            return {setting.value: ids if setting is Setting.CHANNELS else next(iter(ids), None)}
        case _:
            values = {name_of(value): value for value in offered(setting, languages)}
            if len(names) != 1 or not values.keys() >= set(names):
                return None
            return {setting.value: values[next(iter(names))]}
