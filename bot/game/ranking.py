"""A server's charts of who did best: at the puzzles of a month or of all time, on the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum

from bot.game.duel import Result
from engine import Level

_LADDER = (
    *(Level.CHILD, Level.EASY, Level.MEDIUM, Level.HARD, Level.EXPERT),
    *(Level.PERFECT, Level.IMPOSSIBLE),
)
"""The levels from the bottom up. Scores are stored by their places here: a level that comes between
two others needs a migration of `ranks`."""


def rung(level: Level, result: Result) -> int:
    """A draw or win against a level as a number: the greater, the better. Losses have none."""
    return 2 * _LADDER.index(level) + (result is Result.WON)


def of_rung(score: int) -> tuple[Level, Result]:
    """The inverse of `rung`. Raises IndexError where the score is too high."""
    return _LADDER[score // 2], Result.WON if score % 2 else Result.DRAWN


class Chart(Enum):
    """The charts of a server, by their names in custom_ids."""

    MONTH = "month"
    EVER = "ever"
    LADDER = "ladder"

    def on(self, day: date) -> str:
        """The chart's name in the database on a day: each month has a chart of its own."""
        return f"{day:%Y-%m}" if self is Chart.MONTH else self.value


@dataclass(frozen=True, slots=True)
class RankingPage:
    """The page with a chart of the server in which its button is pressed."""

    chart: Chart = Chart.MONTH

    def __str__(self) -> str:
        return f"ranking:{self.chart.value}"

    @classmethod
    def parse(cls, chart: str) -> RankingPage:
        return cls(Chart(chart))


@dataclass(frozen=True, slots=True)
class Rank:
    """Somebody's line in a chart. Equal scores have equal places."""

    place: int
    user_id: int
    score: int
