"""Results: what finished matches add up to for each player, and the leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from typing import NamedTuple

from bot.domain.ids import MAX_ID
from bot.domain.matches import HeadToHead, Match, MatchResult, result_for
from bot.domain.puzzles import PuzzleStats
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, Rules

UNBEATABLE = (Level.PERFECT, Level.IMPOSSIBLE)
"""Levels against which nobody can do better than draw on 3x3."""


class TallyKey(NamedTuple):
    """What a tally counts: one game, against people or one level, with or without hints."""

    rules: Rules
    level: Level | None = None
    hinted: bool = False

    @classmethod
    def of(cls, match: Match) -> TallyKey:
        return cls(match.rules, match.bot_level, match.hints > 0)

    @property
    def is_on_ladder(self) -> bool:
        return self.rules == TIC_TAC_TOE and self.level is not None and not self.hinted


@dataclass(frozen=True, slots=True)
class Tally:
    """Somebody's matches of a kind.

    `unbeaten` is the length of the current run without a loss, and `longest` that of the longest.
    `kept` is how many of the `critical` moves, where a mistake was possible, were right.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unbeaten: int = 0
    longest: int = 0
    kept: int = 0
    critical: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def best(self) -> MatchResult | None:
        """The best result so far; None if nothing was won or drawn."""
        if self.won:
            return MatchResult.WON
        return MatchResult.DRAWN if self.drawn else None

    def after(self, result: MatchResult, accuracy: Accuracy) -> Tally:
        unbeaten = 0 if result is MatchResult.LOST else self.unbeaten + 1
        return Tally(
            won=self.won + (result is MatchResult.WON),
            drawn=self.drawn + (result is MatchResult.DRAWN),
            lost=self.lost + (result is MatchResult.LOST),
            unbeaten=unbeaten,
            longest=max(self.longest, unbeaten),
            kept=self.kept + accuracy.kept,
            critical=self.critical + accuracy.critical,
        )


@dataclass
class TallyBatch:
    """Results of some people; matches are added one by one.

    A duel's key has the lesser of the two ids first. A match of `hidden` people is never a first.
    """

    tallies: dict[tuple[int, TallyKey], Tally] = field(default_factory=dict)
    duels: dict[tuple[int, int], HeadToHead] = field(default_factory=dict)
    hidden: frozenset[int] = frozenset()

    def add(
        self, match: Match, known: Mapping[Mark, int], accuracies: Mapping[Mark, Accuracy]
    ) -> Match:
        """Count a match for its `known` players, by mark; return it with `is_first` set."""
        if result_for(Mark.X, match) is None:
            return match
        firsts = [self._tally(match, *side, accuracies) for side in known.items()]
        if len(known) == len(Mark):
            self._duel(match)
        return replace(match, is_first=any(firsts) and self.hidden.isdisjoint(known.values()))

    def _tally(
        self, match: Match, mark: Mark, user_id: int, accuracies: Mapping[Mark, Accuracy]
    ) -> bool:
        """Count a match for one player; True if it was their first such success on the ladder."""
        kind, result = TallyKey.of(match), result_for(mark, match)
        assert result is not None, "only results are counted"
        before = self.tallies.get((user_id, kind), Tally())
        after = before.after(result, accuracies.get(mark, Accuracy()))
        self.tallies[user_id, kind] = after
        is_success = result is MatchResult.WON or kind.level in UNBEATABLE
        return kind.is_on_ladder and is_success and after.best is not before.best

    def _duel(self, match: Match) -> None:
        x, o = match.x.user_id, match.o.user_id
        result = result_for(Mark.X if x < o else Mark.O, match)
        assert result is not None, "only results are counted"
        pair = (min(x, o), max(x, o))
        self.duels[pair] = self.duels.get(pair, HeadToHead()).after(result)


_LADDER = (
    *(Level.CHILD, Level.EASY, Level.MEDIUM, Level.HARD, Level.EXPERT),
    *(Level.PERFECT, Level.IMPOSSIBLE),
)
"""The levels from the bottom up. Scores are stored by their places here: a level that comes between
two others needs a migration of `ranks`."""


def ladder_score(level: Level, result: MatchResult) -> int:
    """A draw or win against a level as a number: the greater, the better. Losses have none."""
    return 2 * _LADDER.index(level) + (result is MatchResult.WON)


def parse_ladder_score(score: int) -> tuple[Level, MatchResult]:
    """The inverse of `ladder_score`. Raises IndexError where the score is too high."""
    return _LADDER[score // 2], MatchResult.WON if score % 2 else MatchResult.DRAWN


class Leaderboard(Enum):
    """The charts of a server, by their names in custom_ids."""

    MONTH = "month"
    EVER = "ever"
    LADDER = "ladder"

    def on(self, day: date) -> str:
        """The chart's name in the database on a day: each month has a chart of its own."""
        return f"{day:%Y-%m}" if self is Leaderboard.MONTH else self.value


@dataclass(frozen=True, slots=True)
class RankingPage:
    """The page with a chart of the server in which its button is pressed."""

    chart: Leaderboard = Leaderboard.MONTH

    def __str__(self) -> str:
        return f"ranking:{self.chart.value}"

    @classmethod
    def parse(cls, chart: str) -> RankingPage:
        return cls(Leaderboard(chart))


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's line in a chart. Equal scores have equal places."""

    place: int
    user_id: int
    score: int


@dataclass(frozen=True, slots=True)
class StatsPage:
    """The page of a button that shows somebody's results to everybody in the channel."""

    of: int

    def __str__(self) -> str:
        return f"stats:{self.of}"

    @classmethod
    def parse(cls, of: str) -> StatsPage:
        page = cls(int(of))
        if not 0 <= page.of <= MAX_ID:
            raise ValueError(f"no user of Discord has this id: {of}")
        return page


@dataclass(frozen=True, slots=True)
class Stats:
    """The results of one user, shown to another who asks, and the duel of the latter with them."""

    asker_id: int
    user_id: int
    tallies: Mapping[TallyKey, Tally]
    head_to_head: HeadToHead
    puzzles: PuzzleStats
    today: date

    @property
    def is_empty(self) -> bool:
        return not self.tallies and self.puzzles.is_new


@dataclass(frozen=True, slots=True)
class Standings:
    """A server's chart: the best, and the user who asks if they are in it."""

    chart: Leaderboard
    ranks: tuple[Standing, ...]
    asker_id: int
