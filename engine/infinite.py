"""Infinite tic-tac-toe: each player keeps three marks; with the fourth, the oldest vanishes.

Rules vary. Here a mark goes onto a free cell; the cell whose mark is about to vanish does not count
as free. Then the oldest of the mover's four marks vanishes. Only then does three in a row win.
After 60 plies the game is a draw.

With best play the first player wins in 13 plies, but only by opening on a side: after a corner or
the centre, neither player can force a win.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

from engine.board import Board
from engine.grid import FREE, Mark
from engine.reasons import Observations, Reason, look_at, look_one_ply
from engine.retrograde import TableSolver
from engine.rules import Cell, Rules, bit_set
from engine.solver import solver_for

KEPT = 3
"""How many marks each player keeps."""

_ANNOUNCED_PLIES = 3


@dataclass(frozen=True, slots=True, repr=False)
class InfiniteBoard(Board):
    """A position; `recent` are the cells of the marks on the board, the oldest first.

    It is drawn with the age of each mark, 1 for its player's oldest, and with the number of plies
    once marks have vanished: `"x1o2.. ..x2o1 x3..o3 12"`.
    """

    recent: tuple[Cell, ...] = ()
    plies: int = 0

    def _after(self, moves: Sequence[Cell]) -> Board:
        return self._standing(tuple(moves), len(moves))

    def result_unchecked(self, action: Cell) -> Board:
        return self._standing((*self.recent, action), self.plies + 1)

    def _standing(self, marks: tuple[Cell, ...], plies: int) -> Self:
        """The position after `plies` plies, with the newest of `marks` on the board."""
        recent = marks[-2 * KEPT :]
        last, other = bit_set(recent[-1::-2]), bit_set(recent[-2::-2])
        x, o = (last, other) if plies % 2 else (other, last)
        return type(self)(self.rules, x, o, recent, plies)

    def _read(self, rows: list[str]) -> Self:
        *drawn, last = rows if rows[-1].isdecimal() else (*rows, "")
        columns = self.rules.columns
        if len(drawn) != self.rules.rows or any(len(row) != 2 * columns for row in drawn):
            raise ValueError(f"not rows of {columns} cells of two symbols: {' '.join(rows)}")
        text = "".join(drawn)
        cells = [text[2 * cell : 2 * cell + 2] for cell in self.rules.cells]
        marks = sorted(mark for mark in cells if mark != 2 * FREE)
        plies = int(last or len(marks))
        order = _aged_marks(plies)
        if marks != sorted(order) or plies > self.rules.most_plies:
            raise ValueError(f"not the marks that stand after {plies} plies: {' '.join(rows)}")
        return self._standing(tuple(map(cells.index, order)), plies)

    def __str__(self) -> str:
        cells = [2 * FREE] * len(self.rules.cells)
        for cell, mark in zip(self.recent, _aged_marks(self.plies), strict=True):
            cells[cell] = mark
        width = self.rules.columns
        rows = ["".join(cells[start : start + width]) for start in self.rules.cells[::width]]
        return " ".join([*rows, str(self.plies)] if self.plies > len(self.recent) else rows)

    @property
    def draw_in_plies(self) -> int | None:
        return self.plies_left if 0 < self.plies_left <= _ANNOUNCED_PLIES else None

    @property
    def vanishing(self) -> Cell | None:
        is_due = len(self.recent) == 2 * KEPT and not self.is_terminal
        return self.recent[0] if is_due else None

    @property
    def key(self) -> Hashable:
        """Like `Board.key`, without the plies: positions with swapped colours share it, too."""
        return min(tuple(image[cell] for cell in self.recent) for image in self.rules.symmetries)

    def held_by(self, mark: Mark) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.recent if self[cell] is mark)

    @property
    def to_move(self) -> Mark:
        return Mark.O if self.plies % 2 else Mark.X

    def actions(self) -> tuple[Cell, ...]:
        return () if self._is_used_up else Board.actions(self)

    def winning_cells(self, mark: Mark) -> tuple[Cell, ...]:
        if mark is not self.to_move and self.plies + 1 == self.rules.most_plies:
            return ()  # it does not move again
        kept = bit_set(self.held_by(mark)[-KEPT + 1 :])
        return tuple(cell for cell in self.actions() if self.rules.completed(kept | 1 << cell))


def _aged_marks(plies: int) -> list[str]:
    """The marks on the board after `plies` plies, as they are drawn, the oldest first."""
    first = max(plies - 2 * KEPT, 0)
    marks = list(Mark)
    return [f"{marks[ply % 2].value}{(ply - first) // 2 + 1}" for ply in range(first, plies)]


class Infinite(Rules):
    """The rules of infinite tic-tac-toe."""

    board_class = InfiniteBoard
    name = "infinite"
    most_plies = 60
    is_small = False
    first_player_wins = True

    def free_after(self, plies: int) -> int:
        return len(self.cells) - min(plies, 2 * KEPT)

    def __repr__(self) -> str:
        return "INFINITE"

    __reduce__ = __repr__  # pickled by name


INFINITE = Infinite(columns=3, rows=3, in_a_row=3)

solver_for.register(Infinite, TableSolver)


@look_at.register
def _(board: InfiniteBoard) -> Observations:
    look = look_one_ply(board)
    return look._replace(names={**look.names, Reason.UNBLOCKS: _unblocking(board)})


def _unblocking(board: InfiniteBoard) -> tuple[Cell, ...]:
    """The moves after which the opponent can win on the cell that the vanishing mark frees."""
    other, gone = board.to_move.other, board.vanishing
    return tuple(c for c in board.actions() if gone in board.result(c).winning_cells(other))
