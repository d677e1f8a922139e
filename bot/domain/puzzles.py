"""The daily puzzle: its pages, people's attempts and results, and its posts in servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import reduce

from bot.domain.ids import decode_cells, encode_cells
from bot.domain.matches import Place
from engine import TRIES, Board, Cell, Grade, Puzzle, Verdict

_A_DAY = timedelta(days=1)

_DAYS_BETWEEN_GAPS = 7


@dataclass(frozen=True, slots=True)
class Attempt:
    """The cells that somebody tried of a puzzle, in that order."""

    tried: tuple[Cell, ...]
    solution: Cell

    @property
    def tries(self) -> int | None:
        """How many it took; None where it is not solved."""
        return len(self.tried) if self.solution in self.tried else None

    @property
    def misses(self) -> int:
        return len(set(self.tried) - {self.solution})

    @property
    def points(self) -> int:
        """Points in a server's ranking: the fewer tries, the more; 0 if unsolved."""
        return 0 if self.tries is None else TRIES + 1 - self.tries

    @property
    def is_over(self) -> bool:
        return self.tries is not None or len(self.tried) == TRIES


@dataclass(frozen=True, slots=True)
class PuzzleStats:
    """Somebody's puzzles: how many were solved at which try, and how many were not.

    A streak counts days in a row whose puzzle was solved. A single missed day does not end it, if
    the last one forgiven, `gap_day`, was at least seven days before.
    """

    solved: tuple[int, ...] = (0,) * TRIES
    missed: int = 0
    streak: int = 0
    best: int = 0
    last_day: date | None = None
    gap_day: date | None = None

    @property
    def is_new(self) -> bool:
        return not (any(self.solved) or self.missed)

    def after(self, day: date, attempt: Attempt) -> PuzzleStats:
        """The tally with the attempt of a day that is over."""
        if attempt.tries is None:
            return replace(self, missed=self.missed + 1)
        solved = tuple(n + (tries == attempt.tries) for tries, n in enumerate(self.solved, 1))
        if self.last_day is not None and day < self.last_day:
            return replace(self, solved=solved)
        went_on = replace(self, solved=solved, last_day=day)
        if not self.can_go_on(day):
            return replace(went_on, streak=1, best=max(self.best, 1), gap_day=None)
        streak = self.streak + 1
        gap_day = self.gap_day if self._is_next(day) else day - _A_DAY
        return replace(went_on, streak=streak, best=max(self.best, streak), gap_day=gap_day)

    def streak_on(self, day: date) -> int:
        """The streak on a day, whether its puzzle is solved already or may still be."""
        return self.streak if self.last_day == day or self.can_go_on(day) else 0

    def can_go_on(self, day: date) -> bool:
        """Whether the streak goes on if the puzzle of a day is solved."""
        if self.last_day is None:
            return False
        yesterday = day - _A_DAY
        is_forgiven = self.last_day == yesterday - _A_DAY and (
            self.gap_day is None or (yesterday - self.gap_day).days >= _DAYS_BETWEEN_GAPS
        )
        return self._is_next(day) or is_forgiven

    def _is_next(self, day: date) -> bool:
        return self.last_day == day - _A_DAY


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
        return f"{kind}:{self.day}:{encode_cells(self.tried)}" + (
            f":{self.ply}" if self.ply else ""
        )

    @classmethod
    def practice(cls, day: str, tried: str, ply: str = "0") -> PuzzlePage:
        return replace(cls.parse(day, tried, ply), is_practice=True)

    @classmethod
    def parse(cls, day: str, tried: str, ply: str = "0") -> PuzzlePage:
        page = cls(date.fromisoformat(day), decode_cells(tried), int(ply))
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


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """A puzzle's page with the person's tries so far; `tally` is their results once it counted."""

    page: PuzzlePage
    tally: PuzzleStats | None = None


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """`replies` are the best answers to cells that were tried and lose.

    `step` is the verdict on the move of the solution that is shown; `tally` is the person's
    results, if this puzzle counted.
    """

    page: PuzzlePage
    puzzle: Puzzle
    replies: Mapping[Cell, Verdict | None] = field(default_factory=dict)
    step: Verdict | None = None
    tally: PuzzleStats | None = None


def is_over(tried: Sequence[Cell], puzzle: Puzzle) -> bool:
    """Whether a puzzle is solved, or no try is left."""
    return Attempt(tuple(tried), puzzle.solution).is_over


def is_possible(page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether these tries can be made in a puzzle, and its solution be shown up to `page.ply`."""
    can_be_tried = set(page.tried) <= set(puzzle.worths) and puzzle.solution not in page.tried[:-1]
    is_shown = is_over(page.tried, puzzle) and 0 < page.ply <= len(puzzle.line)
    return can_be_tried and (page.ply == 0 or is_shown)


def solved_up_to(puzzle: Puzzle, ply: int) -> Board:
    """The board of a puzzle after `ply` plies of its solution."""
    return reduce(Board.result, puzzle.line[:ply], puzzle.board)


MAX_FAILURES = 3
"""After this many days in a row the bot gives up, until the server chooses a channel again."""


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """Somebody's attempt of yesterday: its tries (None if unsolved), and the streak."""

    user_id: int
    tries: int | None
    streak: int


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A post that is to be made, and where; `nonce` is the same in every process that makes it."""

    place: Place
    day: date
    yesterday: tuple[PuzzleResult, ...] = ()

    @property
    def nonce(self) -> str:
        return f"{self.place.guild_id}{self.day.toordinal()}"
