"""The daily puzzle: people's attempts and results, its pages, and its posts in servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce

from bot.domain.ids import decode_cells, encode_cells
from bot.domain.matches import Place
from bot.domain.refusals import Refusal, RefusalReason
from engine import TRIES, Board, Cell, Grade, Puzzle, Verdict

_A_DAY = timedelta(days=1)

FIRST_DAY = date(2026, 11, 21)
"""The day of the first puzzle: that of release 1.0.0."""

_OFFERED_DAYS = 14

_DAYS_BETWEEN_GAPS = 7

MAX_FAILED_POSTS = 3
"""After so many days in a row without success the bot stops posting, until a channel is set."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The cells that a person tried in a puzzle, in that order."""

    tried_cells: tuple[Cell, ...]
    solution: Cell

    @property
    def tries_needed(self) -> int | None:
        """How many tries it took; None if the puzzle is not solved."""
        return len(self.tried_cells) if self.solution in self.tried_cells else None

    @property
    def wrong_tries(self) -> int:
        return len(set(self.tried_cells) - {self.solution})

    def continues(self, earlier: Attempt) -> bool:
        """Whether this is an earlier attempt, which was not over, with more tries."""
        has_more = len(self.tried_cells) > len(earlier.tried_cells)
        return has_more and not earlier.is_over and self._begins_with(earlier)

    def _begins_with(self, earlier: Attempt) -> bool:
        return self.tried_cells[: len(earlier.tried_cells)] == earlier.tried_cells

    @property
    def points(self) -> int:
        """Points for the leaderboards: the fewer tries, the more; 0 if unsolved."""
        return 0 if self.tries_needed is None else TRIES + 1 - self.tries_needed

    @property
    def is_over(self) -> bool:
        return self.tries_needed is not None or len(self.tried_cells) == TRIES


@dataclass(frozen=True, slots=True)
class PuzzleStats:
    """A person's puzzles: how many were solved at each try, and how many were not (`missed`).

    `streak` counts the days in a row whose puzzle was solved, and `last_day` is the last of them. A
    gap of a single day is forgiven if the last one forgiven, `gap_day`, was at least seven days
    before. A streak may be broken by now: see `streak_on`.
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
        """The results with the attempt of a day, which must be over."""
        if attempt.tries_needed is None:
            return replace(self, missed=self.missed + 1)
        solved = list(self.solved)
        solved[attempt.tries_needed - 1] += 1
        if self.last_day is not None and day < self.last_day:
            return replace(self, solved=tuple(solved))
        streak = self.streak + 1
        gap_day = self.gap_day
        if self._follows_forgiven_gap(day):
            gap_day = day - _A_DAY
        elif not self._follows_last_day(day):
            streak = 1
            gap_day = None
        return replace(
            self,
            solved=tuple(solved),
            streak=streak,
            best=max(self.best, streak),
            last_day=day,
            gap_day=gap_day,
        )

    def streak_on(self, day: date) -> int:
        """The streak on a day, if its puzzle is solved or could still be; 0 if it is broken."""
        is_unbroken = (
            self.last_day == day or self._follows_last_day(day) or self._follows_forgiven_gap(day)
        )
        return self.streak if is_unbroken else 0

    def _follows_last_day(self, day: date) -> bool:
        return self.last_day == day - _A_DAY

    def _follows_forgiven_gap(self, day: date) -> bool:
        """Whether a gap of a single day comes before this day, and is forgiven."""
        gap_day = day - _A_DAY
        if self.last_day != gap_day - _A_DAY:
            return False
        return self.gap_day is None or (gap_day - self.gap_day).days >= _DAYS_BETWEEN_GAPS


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """The puzzle of a day, and the cells that were tried, in that order.

    Once it is over, `ply` is how many plies of its solution are shown. Practice never counts.
    """

    day: date
    tried_cells: tuple[Cell, ...] = ()
    ply: int = 0
    is_practice: bool = False

    def __str__(self) -> str:
        kind = "practice" if self.is_practice else "puzzle"
        ply = f":{self.ply}" if self.ply else ""
        return f"{kind}:{self.day}:{encode_cells(self.tried_cells)}{ply}"

    @classmethod
    def practice(cls, day: str, tried_cells: str, ply: str = "0") -> PuzzlePage:
        return replace(cls.parse(day, tried_cells, ply), is_practice=True)

    @classmethod
    def parse(cls, day: str, tried_cells: str, ply: str = "0") -> PuzzlePage:
        page = cls(date.fromisoformat(day), decode_cells(tried_cells), int(ply))
        if len(page.tried_cells) > TRIES:
            raise ValueError(f"too many tries: {page}")
        if len(set(page.tried_cells)) < len(page.tried_cells):
            raise ValueError(f"a cell is tried twice: {page}")
        return page


@dataclass(frozen=True, slots=True)
class SharePage:
    """A person's result in the puzzle of a day, to be posted in the channel.

    If no attempt is stored, the page is not checked: once the solution is known, anybody can solve
    the puzzle in one try.
    """

    day: date
    grade: Grade
    wrong_tries: int

    def __str__(self) -> str:
        return f"share:{self.day}:{self.grade}:{self.wrong_tries}"

    @classmethod
    def parse(cls, day: str, grade: str, wrong_tries: str) -> SharePage:
        page = cls(date.fromisoformat(day), Grade(int(grade)), int(wrong_tries))
        if page.wrong_tries not in range(TRIES + 1):
            raise ValueError(f"too many wrong tries: {page}")
        return page

    @property
    def is_solved(self) -> bool:
        return self.wrong_tries < TRIES


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """A puzzle's page with the stored tries; `stats` are the person's results, once it is over."""

    page: PuzzlePage
    stats: PuzzleStats | None = None


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A puzzle, and what the engine says about the tries.

    `replies` are the best answers to tries that lose. `step` is the verdict on the last move shown
    of the solution. `stats` are the person's results, if this puzzle counted. `next_at` is when the
    next day's puzzle comes.
    """

    page: PuzzlePage
    puzzle: Puzzle
    replies: Mapping[Cell, Verdict | None] = field(default_factory=dict)
    step: Verdict | None = None
    stats: PuzzleStats | None = None
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PastPuzzle:
    """A puzzle of a day that is over; `is_solved` says that a person solved it on its day."""

    day: date
    is_solved: bool


def puzzle_start(day: date) -> datetime:
    """When a day's puzzle comes: at midnight UTC."""
    return datetime.combine(day, time(tzinfo=UTC))


def parse_day(text: str) -> date | None:
    """A day in one of the formats of ISO 8601; None if the text is none."""
    with suppress(ValueError):
        return date.fromisoformat(text.strip())
    return None


def puzzle_page(day: date, today: date) -> PuzzlePage | Refusal:
    """The puzzle of a day, with nothing tried; those of earlier days than `today` are practice."""
    if day > today:
        return Refusal(RefusalReason.PUZZLE_TO_COME, until=puzzle_start(today + _A_DAY))
    if day == today:
        return PuzzlePage(day)
    if day < FIRST_DAY:
        return Refusal(RefusalReason.NO_PUZZLE_YET, until=puzzle_start(FIRST_DAY))
    return PuzzlePage(day, is_practice=True)


def past_days(today: date, typed: str) -> list[date]:
    """The days to choose from, the newest first: the one typed, or those of the last two weeks."""
    days = [today - n * _A_DAY for n in range(1, _OFFERED_DAYS + 1)]
    typed_day = parse_day(typed)
    if typed_day is not None:
        days = [typed_day]
    return [day for day in days if FIRST_DAY <= day < today]


def is_puzzle_over(tried_cells: Sequence[Cell], puzzle: Puzzle) -> bool:
    """Whether a puzzle is solved, or no try is left."""
    return Attempt(tuple(tried_cells), puzzle.solution).is_over


def is_possible(page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether a page can come from one of our buttons: its tries are legal, its ply is unlocked."""
    if not set(page.tried_cells) <= set(puzzle.worths):
        return False
    if puzzle.solution in page.tried_cells[:-1]:  # no try follows the solution
        return False
    if page.ply == 0:
        return True
    return is_puzzle_over(page.tried_cells, puzzle) and 0 < page.ply <= len(puzzle.line)


def solution_board(puzzle: Puzzle, ply: int) -> Board:
    """The board after `ply` plies of a puzzle's solution."""
    return reduce(Board.result, puzzle.line[:ply], puzzle.board)


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """A person's result of yesterday: the number of tries (None if unsolved), and the streak."""

    user_id: int
    tries: int | None
    streak: int


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A post of the day's puzzle that is due, and yesterday's results.

    `nonce` is the same in every process, so that Discord accepts the post only once.
    """

    place: Place
    day: date
    yesterday: tuple[PuzzleResult, ...] = ()

    @property
    def nonce(self) -> str:
        return f"{self.place.guild_id}{self.day.toordinal()}"
