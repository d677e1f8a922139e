"""The daily puzzle: people's attempts and results, its pages, and its posts in servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce

from bot.domain.matches import Place
from bot.domain.pages import Page
from bot.domain.private import PrivatePage
from bot.domain.refusals import RefusalReason, Refused
from engine import (
    TRIES,
    Board,
    Cell,
    Grade,
    Puzzle,
    Value,
    Verdict,
    daily_position,
    daily_puzzle,
)

MIN_SOLVED_HERE = 3
"""With fewer people, their number would tell who they are."""

FIRST_DAY = date(2026, 11, 21)
"""The day of the first puzzle: a week before release 1.0.0, so that it has past days."""

MAX_FAILED_POSTS = 3
"""After so many days in a row without success the bot stops posting, until a channel is set."""

_ONE_DAY = timedelta(days=1)

_OFFERED_DAYS = 14
"""How many past days a person can choose from without typing one."""

_DAYS_BETWEEN_GAPS = 7
"""The fewest days between two gaps that are forgiven."""

_WARM_UPS = 35
"""So many days in a row bring different puzzles to warm up."""

_DAYS_PER_WARM_UP = 21
"""In so many days there is always an easy puzzle for beginners."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's tries in a puzzle: cells, in order."""

    tries: tuple[Cell, ...]
    solution: Cell

    @property
    def tries_needed(self) -> int | None:
        """How many tries it took; None if the puzzle is not solved."""
        if self.solution not in self.tries:
            return None
        return len(self.tries)

    @property
    def wrong_tries(self) -> int:
        return len(set(self.tries) - {self.solution})

    @property
    def is_over(self) -> bool:
        return self.tries_needed is not None or len(self.tries) == TRIES

    @property
    def points(self) -> int:
        """Points for the leaderboards: the fewer tries, the more; 0 if unsolved."""
        if self.tries_needed is None:
            return 0
        return TRIES + 1 - self.tries_needed

    def continues(self, earlier: Attempt) -> bool:
        """Whether this is an earlier attempt, which was not over, with more tries."""
        if earlier.is_over or len(self.tries) <= len(earlier.tries):
            return False
        return self.tries[: len(earlier.tries)] == earlier.tries


@dataclass(frozen=True, slots=True)
class PuzzleStats:
    """A person's results in the daily puzzles.

    A gap of a single day does not break a streak, at most once in seven days.

    Attributes:
        solved: How many puzzles were solved with one try, with two, and so on.
        missed: How many were not solved.
        streak: How many days were solved without a break; by now there may be one, see `streak_on`.
        best: The longest streak.
        last_day: The last day that was solved.
        gap_day: The last gap that was forgiven in the streak.
        missed_day: The last day that was missed.
    """

    solved: tuple[int, ...] = (0,) * TRIES
    missed: int = 0
    streak: int = 0
    best: int = 0
    last_day: date | None = None
    gap_day: date | None = None
    missed_day: date | None = None

    @property
    def is_new(self) -> bool:
        return self.played == 0

    @property
    def played(self) -> int:
        """How many puzzles were solved or missed."""
        return sum(self.solved) + self.missed

    def after(self, day: date, attempt: Attempt) -> PuzzleStats:
        """The results with the attempt of a day, which must be over."""
        if attempt.tries_needed is None:
            missed_day = max(day, self.missed_day or day)
            return replace(self, missed=self.missed + 1, missed_day=missed_day)
        solved = list(self.solved)
        solved[attempt.tries_needed - 1] += 1
        stats = replace(self, solved=tuple(solved))
        if self.last_day is not None and day < self.last_day:
            return stats
        streak, gap_day = self._continued_streak(day)
        best = max(self.best, streak)
        return replace(stats, streak=streak, best=best, last_day=day, gap_day=gap_day)

    def streak_on(self, day: date) -> int:
        """The streak on a day, if its puzzle is solved or could still be; 0 otherwise.

        After a day that was missed, the next may continue the streak.
        """
        if self.last_day == day:
            return self.streak
        if self.missed_day == day:
            return 0
        if self._follows_last_day(day) or self._follows_forgiven_gap(day):
            return self.streak
        return 0

    def _continued_streak(self, day: date) -> tuple[int, date | None]:
        """The `streak` and the `gap_day` once a day is solved, too."""
        if self._follows_last_day(day):
            return self.streak + 1, self.gap_day
        if self._follows_forgiven_gap(day):
            return self.streak + 1, day - _ONE_DAY
        return 1, None

    def _follows_last_day(self, day: date) -> bool:
        return self.last_day == day - _ONE_DAY

    def _follows_forgiven_gap(self, day: date) -> bool:
        """Whether a gap of a single day comes before this day, and is forgiven."""
        gap_day = day - _ONE_DAY
        if self.last_day != gap_day - _ONE_DAY:
            return False
        return self.gap_day is None or (gap_day - self.gap_day).days >= _DAYS_BETWEEN_GAPS


@dataclass(frozen=True, slots=True)
class PuzzlePage(Page):
    """The puzzle of a day, the cells tried, and how many plies of its solution are shown.

    `picked` is the cell that was pressed where the puzzle is posted, to be tried in private.
    """

    kind = "puzzle"
    optional = ("ply", "picked")

    day: date
    tries: tuple[Cell, ...] = ()
    ply: int = 0
    picked: Cell | None = None

    def check(self) -> None:
        if len(self.tries) > TRIES:
            raise ValueError(f"too many tries: {self}")
        if len(set(self.tries)) < len(self.tries):
            raise ValueError(f"a cell is tried twice: {self}")
        if self.picked is not None and (self.tries or self.ply):
            raise ValueError(f"only an untouched puzzle is posted: {self}")

    @property
    def is_practice(self) -> bool:
        """Whether the tries do not count."""
        return isinstance(self, PracticePage)

    def as_practice(self) -> PracticePage:
        return PracticePage(self.day, self.tries, self.ply, self.picked)


@dataclass(frozen=True, slots=True)
class PracticePage(PuzzlePage):
    """The same, where it does not count."""

    kind = "practice"

    def as_practice(self) -> PracticePage:
        return self


@dataclass(frozen=True, slots=True)
class WarmUpPage(PracticePage):
    """An easy puzzle for practice, with which somebody begins."""

    kind = "warmup"


@dataclass(frozen=True, slots=True)
class AnotherPage(Page):
    """Another puzzle to practise, after that of a day."""

    kind = "another"

    day: date


@dataclass(frozen=True, slots=True)
class PuzzleWordsPage(Page):
    """The position of a day's puzzle in words."""

    kind = "words"

    day: date


@dataclass(frozen=True, slots=True)
class SharePage(Page):
    """A person's result in the puzzle of a day, to be posted in the channel.

    If no attempt is stored, the page is not checked: once the solution is known, anybody can solve
    the puzzle with one try.
    """

    kind = "share"

    day: date
    grade: Grade
    wrong_tries: int

    def check(self) -> None:
        if self.wrong_tries not in range(TRIES + 1):
            raise ValueError(f"too many wrong tries: {self}")

    @property
    def is_solved(self) -> bool:
        return self.wrong_tries < TRIES


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A puzzle, and what the engine says about the tries.

    Attributes:
        page: The page to show.
        puzzle: The puzzle.
        verdicts: The verdicts on the tries.
        step: The verdict on the last move shown of the solution.
        stats: The person's results, if this puzzle counted.
        is_shared: Whether the person has told the channel how it went.
        solved_here: How many people in the server have solved it, if the attempt has just ended
            and they are enough to be told.
        next_at: When the next day's puzzle comes.
        play_on: The private match from the position on, once that gives nothing away.
        today: The day.
    """

    page: PuzzlePage
    puzzle: Puzzle
    verdicts: Mapping[Cell, Verdict] = field(default_factory=dict)
    step: Verdict | None = None
    stats: PuzzleStats | None = None
    is_shared: bool = False
    solved_here: int | None = None
    next_at: datetime | None = None
    play_on: PrivatePage | None = None
    today: date | None = None


def puzzle_start(day: date) -> datetime:
    """When a day's puzzle comes: at midnight UTC."""
    return datetime.combine(day, time(tzinfo=UTC))


def next_post_at(now: datetime, hour: int, *, is_posted: bool) -> datetime:
    """When the next puzzle is posted in a server, at an hour of its choice.

    At once, if the hour of today is over and today's is not posted yet.
    """
    todays = puzzle_start(now.date()) + timedelta(hours=hour)
    return todays + _ONE_DAY if is_posted else max(now, todays)


def puzzle_page(day: date, today: date) -> PuzzlePage:
    """The puzzle of a day, without tries; those of earlier days than `today` are practice.

    Raises:
        Refused: There is no puzzle on that day, or not yet.
    """
    if day > today:
        raise Refused(RefusalReason.PUZZLE_TO_COME, until=puzzle_start(today + _ONE_DAY))
    if day == today:
        return PuzzlePage(day)
    if day < FIRST_DAY:
        raise Refused(RefusalReason.NO_PUZZLE_YET, until=puzzle_start(FIRST_DAY))
    return PracticePage(day)


def another_day(day: date) -> date:
    """The day of another puzzle to practise: of the same kind, and not harder."""
    shown = daily_puzzle(day)

    def is_alike(other: date) -> bool:
        puzzle = daily_puzzle(other)
        return puzzle.value is shown.value and puzzle.grade <= shown.grade

    return _day_before(day, is_alike)


def warm_up_day(day: date) -> date | None:
    """The day of an easy puzzle to begin with, another one each day; None if a day's own is easy.

    It is from before the first day: of those since, the person may know the solution.
    """
    if daily_puzzle(day).grade is Grade.EASY:
        return None
    number = (day - FIRST_DAY).days % _WARM_UPS
    return _day_before(FIRST_DAY - number * _DAYS_PER_WARM_UP * _ONE_DAY, _is_for_beginners)


def _is_for_beginners(day: date) -> bool:
    """Whether the puzzle of a day is an easy win, by the usual rules."""
    rules = daily_position(day).rules
    if rules.repeats or rules.lines_lose:  # to solve the first of *infinite* takes 0.3 s
        return False
    puzzle = daily_puzzle(day)
    return puzzle.grade is Grade.EASY and puzzle.value is Value.WIN


def _day_before(day: date, is_wanted: Callable[[date], bool]) -> date:
    """The last day before another whose puzzle is wanted; days before the first have one, too."""
    found = day - _ONE_DAY
    while not is_wanted(found):
        found -= _ONE_DAY
    return found


def past_days(today: date, typed: date | None = None) -> list[date]:
    """The days to choose from: those of the last two weeks, the newest first, and the one typed."""
    days = [today - age * _ONE_DAY for age in range(1, _OFFERED_DAYS + 1)]
    if typed is not None and typed not in days:
        days.append(typed)
    return [day for day in days if FIRST_DAY <= day < today]


def is_puzzle_over(tries: Sequence[Cell], puzzle: Puzzle) -> bool:
    """Whether a puzzle is solved, or no try is left."""
    return Attempt(tuple(tries), puzzle.solution).is_over


def is_possible(page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether one of our buttons leads to a page: tries are legal, and its ply may be shown."""
    if not all(cell in puzzle.worths for cell in page.tries):
        return False
    if puzzle.solution in page.tries[:-1]:  # no try follows the solution
        return False
    if page.ply == 0:
        return True
    return is_puzzle_over(page.tries, puzzle) and 0 < page.ply <= len(puzzle.line)


def solution_board(puzzle: Puzzle, ply: int) -> Board:
    """The board after `ply` plies of a puzzle's solution."""
    return reduce(Board.result, puzzle.line[:ply], puzzle.board)


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """A person's result of yesterday: the number of tries (None if unsolved), and the streak."""

    user_id: int
    tries_needed: int | None
    streak: int


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A post of the day's puzzle that is due, and yesterday's results.

    `gone` are the people among them who have left the server. `nonce` is the same in every process,
    so that Discord accepts the post only once.
    """

    place: Place
    day: date
    yesterday: tuple[PuzzleResult, ...] = ()
    gone: frozenset[int] = frozenset()

    @property
    def nonce(self) -> str:
        return f"{self.place.guild_id}{self.day.toordinal()}"
