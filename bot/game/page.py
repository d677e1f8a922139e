"""What a lesson's button says: the page to show next, with all that it takes to draw it.

Nothing of a lesson is stored. Its buttons work after a restart, in another process, and long after
the match they came from is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from bot.game.match import Match
from engine import TRIES, Cell, Record

_LETTERS = "abcdefghijklmnopqrstuvwxy"
"""The cells, as a puzzle's buttons name those that were tried."""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A game after so many plies; with none given, after the move that decided it."""

    record: Record
    ply: int | None = None

    def __str__(self) -> str:
        return f"review:{self.record.code}:{'' if self.ply is None else self.ply}"

    @classmethod
    def parse(cls, code: str, ply: str) -> ReviewPage:
        page = cls(Record.read(code), int(ply) if ply else None)
        if (page.ply or 0) > len(page.record.moves):
            raise ValueError(f"the game is not as long: {page}")
        return page


@dataclass(frozen=True, slots=True)
class HintPage:
    """What the moves are worth where a game stands, and more about one of them.

    `match` is the match it came from; an older release's buttons do not say.
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


class Chapter(IntEnum):
    """The chapters of the lesson on minimax, in their order."""

    TREE = 1
    NUMBERS = 2
    PRUNING = 3
    COSTS = 4


@dataclass(frozen=True, slots=True)
class LearnPage:
    """A chapter of the lesson on minimax, about the position a game has come to."""

    record: Record
    chapter: Chapter = Chapter.TREE

    def __str__(self) -> str:
        return f"learn:{self.record.code}:{self.chapter}"

    @classmethod
    def parse(cls, code: str, chapter: str) -> LearnPage:
        page = cls(Record.read(code), Chapter(int(chapter)))
        if page.record.boards[-1].is_terminal:
            raise ValueError(f"there is nothing left to search: {page}")
        return page


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """The puzzle of a day, and the cells that were tried, in that order."""

    day: date
    tried: tuple[Cell, ...] = ()

    def __str__(self) -> str:
        return f"puzzle:{self.day}:{''.join(_LETTERS[cell] for cell in self.tried)}"

    @classmethod
    def parse(cls, day: str, tried: str) -> PuzzlePage:
        page = cls(date.fromisoformat(day), tuple(map(_LETTERS.index, tried)))
        if len(set(page.tried)) < len(page.tried) or len(page.tried) > TRIES:
            raise ValueError(f"tried twice, or too often: {page}")
        return page


STILL = "velha:still:"
"""How the custom_id begins of what leads to no page. It is to be looked at, so it is not disabled:
that would dim it."""

Page = HintPage | ReviewPage | LearnPage | PuzzlePage

_CUSTOM_ID = re.compile(
    r"velha:(?P<lesson>hint|review|learn|puzzle):(?P<about>[0-9A-Z-]{1,20}):(?P<at>[0-9]{0,2}|[a-y]*):"
    r"[0-9]{1,2}"
)
_PARSERS: dict[str, Callable[[str, str], Page]] = {
    "hint": HintPage.parse,
    "review": ReviewPage.parse,
    "learn": LearnPage.parse,
    "puzzle": PuzzlePage.parse,
}


def custom_id(page: Page, button: int) -> str:
    """What the so-manieth button of a message says; `parse_page` is the inverse.

    Two buttons may well lead to the same page, but Discord wants each to say something else.
    """
    return f"velha:{page}:{button}"


def parse_page(custom_id: str) -> Page | None:
    """Read a custom_id; None where it is not a lesson's, or not of this release."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return None
    try:
        return _PARSERS[found["lesson"]](found["about"], found["at"])
    except ValueError:
        return None
