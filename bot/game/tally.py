"""Results: what finished matches add up to, for each who played them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.game.duel import Duel, Result
from bot.game.match import How, Match
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, Rules

_RESULTS = (How.WON, How.DRAWN, How.RESIGNED, How.TIMED_OUT)
"""The endings that count as a result."""

UNBEATABLE = (Level.PERFECT, Level.IMPOSSIBLE)
"""Levels against which nobody can do better than draw on 3x3."""


def result_for(mark: Mark, match: Match) -> Result | None:
    """The result of a match for one side; None if it has none, or none yet.

    A match without a move has none, however it ended.
    """
    ending = match.ending
    if ending is None or ending.how not in _RESULTS or not match.moves:
        return None
    if ending.winner is None:
        return Result.DRAWN
    return Result.WON if ending.winner is mark else Result.LOST


def duel_after(match: Match) -> Duel | None:
    """The duel of its players with this match included, as X sees it; None if `duel` is."""
    result = result_for(Mark.X, match)
    return match.duel if match.duel is None or result is None else match.duel.after(result)


class Kind(NamedTuple):
    """What a tally counts: one game, against people or one level, with or without hints."""

    rules: Rules
    level: Level | None = None
    hinted: bool = False

    @classmethod
    def of(cls, match: Match) -> Kind:
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
    def best(self) -> Result | None:
        """The best result so far; None if nothing was won or drawn."""
        if self.won:
            return Result.WON
        return Result.DRAWN if self.drawn else None

    def after(self, result: Result, accuracy: Accuracy) -> Tally:
        unbeaten = 0 if result is Result.LOST else self.unbeaten + 1
        return Tally(
            won=self.won + (result is Result.WON),
            drawn=self.drawn + (result is Result.DRAWN),
            lost=self.lost + (result is Result.LOST),
            unbeaten=unbeaten,
            longest=max(self.longest, unbeaten),
            kept=self.kept + accuracy.kept,
            critical=self.critical + accuracy.critical,
        )


@dataclass
class Counts:
    """Results of some people; matches are added one by one.

    A duel's key has the lesser of the two ids first. A match of `hidden` people is never a first.
    """

    tallies: dict[tuple[int, Kind], Tally] = field(default_factory=dict)
    duels: dict[tuple[int, int], Duel] = field(default_factory=dict)
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
        kind, result = Kind.of(match), result_for(mark, match)
        assert result is not None, "only results are counted"
        before = self.tallies.get((user_id, kind), Tally())
        after = before.after(result, accuracies.get(mark, Accuracy()))
        self.tallies[user_id, kind] = after
        is_success = result is Result.WON or kind.level in UNBEATABLE
        return kind.is_on_ladder and is_success and after.best is not before.best

    def _duel(self, match: Match) -> None:
        x, o = match.x.user_id, match.o.user_id
        result = result_for(Mark.X if x < o else Mark.O, match)
        assert result is not None, "only results are counted"
        pair = (min(x, o), max(x, o))
        self.duels[pair] = self.duels.get(pair, Duel()).after(result)
