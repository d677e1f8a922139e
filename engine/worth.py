"""What a position is worth: the words in which the solver answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from engine.board import Mark


class Value(IntEnum):
    """What a position is worth to the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def utility(self, mark: Mark) -> int:
        """What is worth so much to a player, as a utility: +1 where X wins, -1 where O does."""
        return int(self) if mark is Mark.X else -int(self)


@dataclass(frozen=True, slots=True)
class Worth:
    """A proven value, and how many plies best play takes to the end of the game."""

    value: Value
    distance_plies: int

    @property
    def rank(self) -> tuple[Value, int]:
        """What a player goes by: the value, then the fastest win or the slowest loss."""
        return self.value, -self.value * self.distance_plies

    def before_the_move(self) -> Worth:
        """The same, seen a ply earlier by the player who moves there."""
        return Worth(Value(-self.value), self.distance_plies + 1)

    def after_the_move(self) -> Worth:
        """The same, seen a ply later by the other player."""
        return Worth(Value(-self.value), self.distance_plies - 1)
