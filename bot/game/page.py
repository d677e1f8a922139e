"""Pages, and the custom_ids of the buttons that lead to them.

A lesson's custom_id holds everything needed to draw its page, so a button works after a restart, in
another process, and long after its match is forgotten. Of lessons, only tries at puzzles and the
number of hints are stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from bot.game.cells import cells_of, letters_of
from bot.game.headers import Headers
from bot.game.learn import LearnPage
from bot.game.match import Match
from bot.game.people import PrivacyPage, StatsPage
from bot.game.ranking import RankingPage
from bot.game.server import SettingsPage
from bot.game.shortcut import Shortcut
from engine import TRIES, Board, Cell, Grade, Record


def _also(headers: Headers | None) -> str:
    return f":{headers}" if headers else ""


def _headers(text: str) -> Headers | None:
    return Headers.parse(text) if text else None


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A game reviewed after `ply` plies; None is where it was decided, or else its end."""

    record: Record
    ply: int | None = None
    headers: Headers | None = None

    @classmethod
    def of(cls, match: Match) -> ReviewPage:
        return cls(match.record, headers=Headers.of(match))

    def __str__(self) -> str:
        ply = "" if self.ply is None else self.ply
        return f"review:{self.record.code}:{ply}{_also(self.headers)}"

    @classmethod
    def parse(cls, code: str, ply: str, headers: str = "") -> ReviewPage:
        page = cls(Record.read(code), int(ply) if ply else None, _headers(headers))
        if (page.ply or 0) not in range(len(page.record.moves) + 1):
            raise ValueError(f"the game is not as long: {page}")
        return page


@dataclass(frozen=True, slots=True)
class RetryPage:
    """A mistake to be tried again: the move made at `ply`. `cell` is the move tried last."""

    record: Record
    ply: int
    cell: Cell | None = None
    headers: Headers | None = None

    def __str__(self) -> str:
        cell = "" if self.cell is None else self.cell
        return f"retry:{self.record.code}:{self.ply}:{cell}{_also(self.headers)}"

    @classmethod
    def parse(cls, code: str, ply: str, cell: str, headers: str = "") -> RetryPage:
        page = cls(Record.read(code), int(ply), int(cell) if cell else None, _headers(headers))
        if page.ply not in range(1, len(page.record.moves) + 1):
            raise ValueError(f"the game is not as long: {page}")
        if cell and page.cell not in {*page.board.actions()} - {page.made}:
            raise ValueError(f"nobody can try that: {page}")
        return page

    @property
    def board(self) -> Board:
        """The position before the mistake."""
        return self.record.boards[self.ply - 1]

    @property
    def made(self) -> Cell:
        """The cell of the mistake."""
        return self.record.moves[self.ply - 1]

    @property
    def review(self) -> ReviewPage:
        """The page that reviews the mistake."""
        return ReviewPage(self.record, self.ply, self.headers)


@dataclass(frozen=True, slots=True)
class HintPage:
    """What the moves are worth in the last position of `record`, and more about the one at `cell`.

    `match` is the match that the hint is for; None behind a button of an older release.
    """

    record: Record
    cell: Cell | None = None
    match: Match | None = None

    def __str__(self) -> str:
        return f"hint:{self.record.code}:{'' if self.cell is None else self.cell}"

    @classmethod
    def parse(cls, code: str, cell: str) -> HintPage:
        page = cls(Record.read(code), int(cell) if cell else None)
        free = page.record.boards[-1].actions()
        if page.cell not in free if cell else not free:
            raise ValueError(f"nobody can move there: {page}")
        return page


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """The puzzle of a day, and the cells that were tried, in that order.

    Once it is over, its solution can be walked through: `ply` says how far. Practice never counts.
    """

    day: date
    tried: tuple[Cell, ...] = ()
    ply: int = 0
    is_practice: bool = False

    def __str__(self) -> str:
        kind = "practice" if self.is_practice else "puzzle"
        return f"{kind}:{self.day}:{letters_of(self.tried)}" + (f":{self.ply}" if self.ply else "")

    @classmethod
    def practice(cls, day: str, tried: str, ply: str = "0") -> PuzzlePage:
        return replace(cls.parse(day, tried, ply), is_practice=True)

    @classmethod
    def parse(cls, day: str, tried: str, ply: str = "0") -> PuzzlePage:
        page = cls(date.fromisoformat(day), cells_of(tried), int(ply))
        if len(set(page.tried)) < len(page.tried) or len(page.tried) > TRIES:
            raise ValueError(f"tried twice, or too often: {page}")
        return page


@dataclass(frozen=True, slots=True)
class SharePage:
    """How somebody did with the puzzle of a day, to be told to everybody.

    Where no attempt is stored, the page is believed: knowing the solution, anybody can try again.
    """

    day: date
    grade: Grade
    misses: int

    def __str__(self) -> str:
        return f"share:{self.day}:{self.grade}:{self.misses}"

    @classmethod
    def parse(cls, day: str, grade: str, misses: str) -> SharePage:
        page = cls(date.fromisoformat(day), Grade(int(grade)), int(misses))
        if page.misses not in range(TRIES + 1):
            raise ValueError(f"nobody can try so often: {page}")
        return page

    @property
    def is_solved(self) -> bool:
        return self.misses < TRIES


INERT_PREFIX = "velha:still:"
"""Prefix of the custom_ids of cells that are only to be looked at. They are not disabled, because
Discord would dim them."""

LessonPage = HintPage | ReviewPage | RetryPage | LearnPage | PuzzlePage
"""The pages of lessons, which the engine has to think about."""

Page = LessonPage | SharePage | PrivacyPage | StatsPage | RankingPage | SettingsPage | Shortcut

_CUSTOM_ID = re.compile(r"velha:(?P<page>(?P<kind>[a-z]+):(?P<fields>.*)):[0-9]{1,2}")
_PARSERS: dict[str, Callable[..., Page]] = {
    "hint": HintPage.parse,
    "review": ReviewPage.parse,
    "retry": RetryPage.parse,
    "learn": LearnPage.parse,
    "puzzle": PuzzlePage.parse,
    "practice": PuzzlePage.practice,
    "share": SharePage.parse,
    "privacy": PrivacyPage.parse,
    "stats": StatsPage.parse,
    "ranking": RankingPage.parse,
    "settings": SettingsPage.parse,
    "shortcut": Shortcut.parse,
}


def custom_id(page: Page, button: int) -> str:
    """The custom_id of a button that leads to a page; `parse_page` is the inverse.

    Several buttons of a message may lead to the same page, but Discord wants their custom_ids to
    differ: `button` is a number that no other of them has.
    """
    return f"velha:{page}:{button}"


def parse_page(custom_id: str) -> Page | None:
    """The page that a custom_id leads to; None where it is no page's, or not of this release."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    parse = found and _PARSERS.get(found["kind"])
    if found is None or parse is None:
        return None
    try:
        page = parse(*found["fields"].split(":"))
    except (TypeError, ValueError):  # too many fields, too few, or malformed ones
        return None
    return page if str(page) == found["page"] else None
