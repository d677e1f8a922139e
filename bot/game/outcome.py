"""Requests to the services, and their outcomes with everything needed to show them."""

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
    """A request for a match against another person or, without an `opponent`, the bot.

    Without `rules` or `level`, the server's choice applies. `parent_id` is the channel of a thread.
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
        """Whether others may take the bot's seat: in a server, if nobody asked for the bot."""
        has_company = self.place.guild_id is not None
        return has_company and self.opponent is None and self.level is None


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing happened, and why; `match` or `person` is in the way, `until` says how long.

    `channels` are those where boards may be opened. `also`, here and below, are other matches that
    changed in passing and whose boards must be redrawn.
    """

    refusal: Refusal
    match: Match | None = None
    person: int | None = None
    until: datetime | None = None
    channels: tuple[int, ...] = ()
    also: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The message that was pressed is to be redrawn; `refusal` says why nothing else happened."""

    match: Match
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A new match is to be posted in a message of its own, which pings the user `pings` if any."""

    match: Match
    pings: int | None = None
    also: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class BroughtDown:
    """A match is to be posted again; its old message then points to the new one."""

    match: Match


@dataclass(frozen=True, slots=True)
class Stopped:
    """A match was ended by command, or by somebody who resigned.

    `meanwhile` says that the match changed after they were asked whether they mean to.
    """

    match: Match
    meanwhile: bool = False


@dataclass(frozen=True, slots=True)
class Followed:
    """Somebody played a move from a hint's page: say so there, and redraw the board's message."""

    match: Match
    cell: Cell


@dataclass(frozen=True, slots=True)
class Questioned:
    """Somebody wants to resign, and is asked whether they mean it."""

    match: Match


@dataclass(frozen=True, slots=True)
class LessonQuestioned:
    """Somebody is asked whether to learn from their own match, which counts as a hint."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Somebody asks what is kept about them.

    Those who run the server that they are in may also have the server forgotten.
    """

    choices: Choices
    runs_server: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """A puzzle's page with the person's tries so far; `tally` is their results once it counted."""

    page: PuzzlePage
    tally: PuzzleTally | None = None


@dataclass(frozen=True, slots=True)
class Stats:
    """The results of one user, shown to another who asks, and the duel of the latter with them."""

    asker_id: int
    user_id: int
    tallies: Mapping[Kind, Tally]
    duel: Duel
    puzzles: PuzzleTally
    today: date

    @property
    def is_empty(self) -> bool:
        return not self.tallies and self.puzzles.is_new


@dataclass(frozen=True, slots=True)
class Ranked:
    """A server's chart: the best, and the user who asks if they are in it."""

    chart: Chart
    ranks: tuple[Rank, ...]
    asker_id: int


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's choices are to be shown: as a form to those who may change them.

    `usual_turn_minutes` is the host's default, `today` the date for which `puzzle_hour` is shown.
    Of the channels chosen on `tab`, `gone` no longer exist, and `hidden` the bot may not view.
    """

    choices: ServerChoices
    usual_turn_minutes: int
    today: date = date.min
    tab: Tab = Tab.BOARDS
    may_change: bool = False
    gone: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    has_given_up_posting: bool = False


@dataclass(frozen=True, slots=True)
class DeletionQuestioned:
    """Somebody wants themselves or the server forgotten, and is asked whether they mean it."""

    of_server: bool


@dataclass(frozen=True, slots=True)
class Download:
    """All that is kept about somebody, as JSON; packed with gzip where it is large."""

    content: bytes
    is_packed: bool


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Somebody, or a server, is forgotten; `also` are the live matches that this ended."""

    also: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Help:
    """Somebody asks for help.

    `locale` is the language of boards here, `command_id` Discord's id of `/velha` where it is
    known; the URLs are those that the host has given Discord.
    """

    locale: str
    command_id: int | None = None
    privacy_url: str | None = None
    terms_url: str | None = None


Personal = Kept | Stats | Ranked | ServerSettings | DeletionQuestioned | Download | Forgotten | Help
"""What only the person who asked is shown."""

Asked = Questioned | LessonQuestioned
"""Questions before something that cannot be undone."""

Showable = Refused | Shown | Opened | BroughtDown | Stopped | Followed | Asked | Personal
Outcome = Showable | HintPage
"""A hint is an outcome too: it is then computed like any lesson, and counted once it is ready."""
