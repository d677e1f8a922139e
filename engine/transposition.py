"""A search's transposition table: a position that several move orders reach is searched once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic

from engine.game import Action, Game

Score = tuple[float, int]
"""The utility, then the haste as a tie-break: sooner wins and later losses are better."""

Found = tuple[Score, tuple[Action, ...]]
"""A position's score, and the principal variation that leads to it."""


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _later(score: Score, plies: int) -> Score:
    """The same score with the end `plies` plies further away."""
    utility, haste = score
    return utility, haste - sign(utility) * plies


class _Bound(Enum):
    """How the true score relates to a remembered one, which may be only a bound."""

    EXACT = "equal"
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class _Remembered(Generic[Action]):
    """A table entry. Its score counts the plies to the end from the position, not from the root."""

    score: Score
    bound: _Bound
    line: tuple[Action, ...]
    ahead: int | None


class TranspositionTable(Generic[Action]):
    """Each position's result, and how many plies `ahead` it was searched (None: to the end)."""

    def __init__(self) -> None:
        self._remembered: dict[Game[Action], _Remembered[Action]] = {}

    def recall(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int, ahead: int | None
    ) -> Found[Action] | None:
        """The remembered result, if it settles a search between these bounds; otherwise None."""
        known = self._remembered.get(state)
        if known is None or known.ahead != ahead:
            return None
        score = _later(known.score, plies)
        settles = {
            _Bound.EXACT: True,
            _Bound.AT_LEAST: score >= beta,
            _Bound.AT_MOST: score <= alpha,
        }
        return (score, known.line) if settles[known.bound] else None

    def remember(  # noqa: PLR0913, PLR0917 - a position travels as its parts
        self,
        state: Game[Action],
        alpha: Score,
        beta: Score,
        plies: int,
        ahead: int | None,
        found: Found[Action],
    ) -> None:
        """Store the result of a search between these bounds."""
        score, line = found
        bound = _Bound.EXACT
        if not alpha < score < beta:
            bound = _Bound.AT_LEAST if score >= beta else _Bound.AT_MOST
        self._remembered[state] = _Remembered(_later(score, -plies), bound, line, ahead)
