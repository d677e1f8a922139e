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
    return (number > 0) - (number < 0)


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
        self, state: Game[Action], alpha: Score, beta: Score, plies: int, depth: int | None
    ) -> ScoredLine[Action] | None:
        """The stored result, if it settles a search between these bounds; otherwise None."""
        entry = self._entries.get(state)
        if entry is None or entry.depth != depth:
            return None
        score = _delay(entry.score, plies)
        is_settled = {
            _Bound.EXACT: True,
            _Bound.LOWER: score >= beta,
            _Bound.UPPER: score <= alpha,
        }
        return (score, entry.line) if is_settled[entry.bound] else None

    def store(  # noqa: PLR0913, PLR0917 - a search and its result
        self,
        state: Game[Action],
        alpha: Score,
        beta: Score,
        plies: int,
        depth: int | None,
        result: ScoredLine[Action],
    ) -> None:
        """Store the result of a search between these bounds."""
        score, line = result
        bound = _Bound.EXACT
        if not alpha < score < beta:
            bound = _Bound.LOWER if score >= beta else _Bound.UPPER
        self._entries[state] = _Entry(_delay(score, -plies), bound, line, depth)
