"""What a position is worth: the results of solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from engine.board import Board, Mark
from engine.rules import Cell

SOON_PLIES = 5
"""A reply loses soon if the opponent can then force a win by its third move at the latest."""


class Value(IntEnum):
    """What a position is worth to the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def utility(self, mark: Mark) -> int:
        """The value to `mark` as a utility: +1 if X wins, -1 if O does, 0 for a draw."""
        return int(self) if mark is Mark.X else -int(self)


@dataclass(frozen=True, slots=True)
class Worth:
    """A proven value, and how many plies best play takes to the end; None if it never ends."""

    value: Value
    distance_plies: int | None

    @property
    def plies_to_end(self) -> int:
        """The distance of a worth that has one, as every win and loss does."""
        assert self.distance_plies is not None, "best play never ends"
        return self.distance_plies

    @property
    def rank(self) -> tuple[Value, int]:
        """A sort key, the best last: the value, then the faster win or the slower loss."""
        return self.value, -self.value * (self.distance_plies or 0)

    def one_ply_earlier(self) -> Worth:
        """The worth of moving there, to who moves: a loss in two plies makes it a win in three."""
        return self._for_opponent(extra_plies=1)

    def one_ply_later(self) -> Worth:
        """The worth after the move, to the other player: a win in three plies is a loss in two."""
        return self._for_opponent(extra_plies=-1)

    def _for_opponent(self, *, extra_plies: int) -> Worth:
        value = Value(-self.value)
        if self.distance_plies is None:
            return Worth(value, None)
        return Worth(value, self.distance_plies + extra_plies)


def best_actions(worths: Mapping[Cell, Worth]) -> tuple[Cell, ...]:
    """The moves that win the fastest, or draw, or lose the slowest."""
    best_rank = max(worth.rank for worth in worths.values())
    return tuple(cell for cell, worth in worths.items() if worth.rank == best_rank)


def value_keeping_actions(worths: Mapping[Cell, Worth]) -> tuple[Cell, ...]:
    """The moves that are no mistake: winning ones, or else drawing ones, or else all."""
    best_value = max(worth.value for worth in worths.values())
    return tuple(cell for cell, worth in worths.items() if worth.value is best_value)


def terminal_worth(board: Board) -> Worth:
    """What a finished game is worth to the player who would be to move."""
    sign = 1 if board.to_move is Mark.X else -1
    return Worth(Value(sign * board.utility), 0)


@dataclass(frozen=True, slots=True)
class Solution:
    """A position's worth, and best play by both sides: the fastest win, the slowest loss.

    Where play has no end, it is the first move alone. `nodes` counts the positions visited, or
    those in the table.
    """

    worth: Worth
    principal_variation: tuple[Cell, ...]
    nodes: int

    @property
    def value(self) -> Value:
        return self.worth.value

    @property
    def distance_plies(self) -> int | None:
        return self.worth.distance_plies

    @property
    def action(self) -> Cell | None:
        """A best move; None when the game is over."""
        return self.principal_variation[0] if self.principal_variation else None
