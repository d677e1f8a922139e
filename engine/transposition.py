"""The memory of a search: a position that other orders of moves reach again is searched once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic

from engine.game import Action, Game

Score = tuple[float, int]
"""The utility, and then the haste: of two wins the sooner, of two losses the later is better."""

Found = tuple[Score, tuple[Action, ...]]
"""A position's score and the line of best play that leads to it."""


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _later(score: Score, plies: int) -> Score:
    """The same score seen from so many plies further up."""
    utility, haste = score
    return utility, haste - sign(utility) * plies


class _Bound(Enum):
    """What a remembered score says of the true one, given the bounds it was found between."""

    EXACT = "equal"
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class _Remembered(Generic[Action]):
    """A position's score as if it were the root: with the plies to the end counted from there."""

    score: Score
    bound: _Bound
    line: tuple[Action, ...]
    ahead: int | None


class TranspositionTable(Generic[Action]):
    """What was found of each position, and how many plies `ahead` it was searched (None: all)."""

    def __init__(self) -> None:
        self._remembered: dict[Game[Action], _Remembered[Action]] = {}

    def recall(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int, ahead: int | None
    ) -> Found[Action] | None:
        """What is remembered of a position, if it is enough to go by between these bounds."""
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
        """Keep what a search between these bounds found."""
        score, line = found
        bound = _Bound.EXACT
        if not alpha < score < beta:
            bound = _Bound.AT_LEAST if score >= beta else _Bound.AT_MOST
        self._remembered[state] = _Remembered(_later(score, -plies), bound, line, ahead)
