"""Misère tic-tac-toe: whoever completes three in a row loses.

With best play it is a draw, but the first player has to open in the centre. See
Berlekamp, Conway and Guy, *Winning Ways for your Mathematical Plays* (1982).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from engine.grid import Mark
from engine.reasons import observe, observe_one_ply
from engine.retrograde import TableSolver
from engine.rules import Cell, Rules
from engine.solver import new_solver


@dataclass(frozen=True, slots=True, repr=False)
class MisereBoard(Board):
    """A position in which a player with three in a row has lost."""

    @property
    def winner(self) -> Mark | None:
        has_line = self.rules.completed(self.mask_of(self.to_move.other))
        return self.to_move if has_line else None

    def winning_cells(self, mark: Mark) -> tuple[Cell, ...]:  # noqa: ARG002 - neither has any
        return ()

    def losing_cells(self) -> tuple[Cell, ...]:
        # `super()` without arguments fails in a dataclass with slots, which is made anew.
        return Board.winning_cells(self, self.to_move)


class Misere(Rules):
    """The rules of misère tic-tac-toe."""

    board_class = MisereBoard
    name = "misere"
    lines_lose = True

    def __repr__(self) -> str:
        return "MISERE"

    def __reduce__(self) -> str:
        return "MISERE"  # pickled as the name of this module's variable


MISERE = Misere(columns=3, rows=3, in_a_row=3)

new_solver.register(Misere, TableSolver)
observe.register(MisereBoard, observe_one_ply)
