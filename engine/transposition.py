"""The transposition table of alpha-beta: positions reached by several move orders cost once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic

from engine.game import Action, Game

Score = tuple[float, int]
"""The utility, then the speed as a tie-break: sooner wins and later losses are better."""

ScoredLine = tuple[Score, tuple[Action, ...]]
"""A position's score, and the principal variation that leads to it."""


def sign(number: float) -> int:
    """+1 for a positive number, -1 for a negative one, 0 for zero."""
    if number == 0:
        return 0
    return 1 if number > 0 else -1


def _delay(score: Score, plies: int) -> Score:
    """The same score with the end `plies` plies further away."""
    utility, speed = score
    return utility, speed - sign(utility) * plies


class _Bound(Enum):
    """How the true score relates to a stored one, which may be only a bound."""

    EXACT = "equal"
    LOWER = "at least"
    UPPER = "at most"


@dataclass(frozen=True, slots=True)
class _Entry(Generic[Action]):
    """A search result; its score counts plies from the position, not from the root."""

    score: Score
    bound: _Bound
    line: tuple[Action, ...]
    depth: int | None


class TranspositionTable(Generic[Action]):
    """The last result of each position, and the depth searched in plies (None: to the end)."""

    def __init__(self) -> None:
        self._entries: dict[Game[Action], _Entry[Action]] = {}

    def look_up(
        self, state: Game[Action], alpha: Score, beta: Score, *, plies: int, depth: int | None
    ) -> ScoredLine[Action] | None:
        """The stored result, if it settles a search between these bounds; otherwise None."""
        entry = self._entries.get(state)
        if entry is None or entry.depth != depth:
            return None
        score = _delay(entry.score, plies)
        if entry.bound is _Bound.LOWER and score < beta:
            return None
        if entry.bound is _Bound.UPPER and score > alpha:
            return None
        return score, entry.line

    def store(  # noqa: PLR0913 - a search and its result
        self,
        state: Game[Action],
        alpha: Score,
        beta: Score,
        *,
        plies: int,
        depth: int | None,
        result: ScoredLine[Action],
    ) -> None:
        """Store the result of a search between these bounds."""
        score, line = result
        if score >= beta:
            bound = _Bound.LOWER
        elif score <= alpha:
            bound = _Bound.UPPER
        else:
            bound = _Bound.EXACT
        self._entries[state] = _Entry(_delay(score, -plies), bound, line, depth)
