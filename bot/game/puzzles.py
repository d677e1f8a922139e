"""Somebody's results in the daily puzzles: how many tries each took, and the streak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from engine import TRIES, Cell

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
class PuzzleTally:
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

    def after(self, day: date, attempt: Attempt) -> PuzzleTally:
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
