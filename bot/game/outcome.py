"""What is asked of the services, and what that came to: all that it takes to show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum

from bot.game.duel import Duel
from bot.game.match import Match, Place
from bot.game.page import HintPage, PuzzlePage
from bot.game.people import Choices
from bot.game.puzzles import PuzzleTally
from bot.game.ranking import Chart, Rank
from bot.game.refusal import Refusal
from bot.game.server import ServerChoices, Tab
from bot.game.tally import Kind, Tally
from engine import Cell, Level, Rules


class First(Enum):
    """Who moves first, as X."""

    OPENER = "me"
    OPPONENT = "opponent"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class StartRequest:
    """A match as somebody asks for it: against another person, or against the bot.

    What is left out is as the server has chosen. `parent_id` is the channel that a thread is part
    of.
    """

    id: int
    place: Place
    opener: int
    opponent: int | None = None
    rules: Rules | None = None
    level: Level | None = None
    first: First = First.OPENER
    parent_id: int | None = None

    @property
    def leaves_seat_open(self) -> bool:
        """Whether whoever comes may play in the bot's place: nobody asked for the bot."""
        has_company = self.place.guild_id is not None
        return has_company and self.opponent is None and self.level is None


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing happened, and why; `match` or `person` is in the way, `until` says how long.

    `channels` are where it may happen.
    `also` are other matches that ended by the way: their boards are to be drawn anew. So below.
    """

    refusal: Refusal
    match: Match | None = None
    person: int | None = None
    until: datetime | None = None
    channels: tuple[int, ...] = ()
    also: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The message that was pressed shows a match as it stands; and why nothing else happened."""

    match: Match
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A new match is to be posted in a message of its own, which pings somebody or nobody."""

    match: Match
    pings: int | None = None
    also: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class BroughtDown:
    """A match is to be posted again: its message so far points to the new one."""

    match: Match


@dataclass(frozen=True, slots=True)
class Stopped:
    """A match was ended by command, or by somebody who resigned.

    `meanwhile` says that the other moved since they were asked whether they mean to.
    """

    match: Match
    meanwhile: bool = False


@dataclass(frozen=True, slots=True)
class Followed:
    """Somebody followed a hint, which is to say so; the board is to be drawn anew elsewhere."""

    match: Match
    cell: Cell


@dataclass(frozen=True, slots=True)
class Questioned:
    """Somebody wants to resign, and is asked whether that is meant."""

    match: Match


@dataclass(frozen=True, slots=True)
class LessonQuestioned:
    """Somebody is asked whether to learn from their own match: that counts as a hint."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept about somebody is to be told, with what they have chosen.

    Whoever runs the server that they are in may have that forgotten as well.
    """

    choices: Choices
    runs_server: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """A page of a puzzle as it stands for somebody; and their results, once it counted."""

    page: PuzzlePage
    tally: PuzzleTally | None = None


@dataclass(frozen=True, slots=True)
class Stats:
    """Results of somebody, for whoever asks; and how it stands between the two."""

    asks: int
    of: int
    tallies: Mapping[Kind, Tally]
    duel: Duel
    puzzles: PuzzleTally
    today: date

    @property
    def is_empty(self) -> bool:
        return not self.tallies and self.puzzles.is_new


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chart of a server: the best, and whoever asks, if they are in it."""

    chart: Chart
    ranks: tuple[Rank, ...]
    asks: int


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server has chosen is to be shown, to be changed by whoever may.

    `usual_turn_minutes` is how long a turn lasts where the server has not chosen, `today` the day
    whose hours are meant, and `gone` the channels among the chosen that are not there any more.
    """

    choices: ServerChoices
    usual_turn_minutes: int
    today: date = date.min
    tab: Tab = Tab.BOARDS
    may_change: bool = False
    gone: frozenset[int] = frozenset()
    has_given_up_posting: bool = False


@dataclass(frozen=True, slots=True)
class DeletionQuestioned:
    """Somebody wants themselves, or the server, forgotten, and is asked whether that is meant."""

    of_server: bool


@dataclass(frozen=True, slots=True)
class Download:
    """All that is kept about somebody, as JSON; packed with gzip where it is large."""

    content: bytes
    is_packed: bool


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Somebody, or a server, is forgotten; `also` are the matches that went on just now."""

    also: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Help:
    """Somebody asks what there is.

    `locale` is what boards speak here, `command_id` Discord's id of `/velha` where that is known;
    the pages are those that the host has named.
    """

    locale: str
    command_id: int | None = None
    privacy_url: str | None = None
    terms_url: str | None = None


Personal = Kept | Stats | Ranked | ServerSettings | DeletionQuestioned | Download | Forgotten | Help
"""What only the person who asked is shown."""

Asked = Questioned | LessonQuestioned
"""A question comes before what cannot be taken back."""

Showable = Refused | Shown | Opened | BroughtDown | Stopped | Followed | Asked | Personal
Outcome = Showable | HintPage
"""Or a hint, which is thought about like any lesson, and counts once there is something to see."""
