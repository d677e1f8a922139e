"""The variants: games that are not m,n,k-games.

The rules of each name the board that it is played on and its solver. An entry in `VARIANTS` makes
the rest of the engine play it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

from engine.board import FREE, Board, BoardError, BoardFault, Mark
from engine.retrograde import TableSolver
from engine.rules import Cell, Rules, bit_set

MARKS_KEPT = 3
"""How many marks each player keeps."""

_MAX_MARKS = 2 * MARKS_KEPT
"""How many marks both players keep together."""

_ANNOUNCED_PLIES = 3
"""How many plies before the ply limit its draw is announced."""

_CELL_WIDTH = 2
"""The length of a cell's text: a mark and its age."""

_FREE_CELL = FREE * _CELL_WIDTH


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
    """Misère tic-tac-toe: whoever completes three in a row loses.

    With best play it is a draw, but the first player has to open in the centre. See Berlekamp,
    Conway and Guy, *Winning Ways for your Mathematical Plays* (1982).
    """

    board_class = MisereBoard
    solver_class = TableSolver
    name = "misere"
    lines_lose = True

    def __repr__(self) -> str:
        return "MISERE"

    def __reduce__(self) -> str:
        return "MISERE"  # pickled as the name of this module's variable


MISERE = Misere(columns=3, rows=3, in_a_row=3)


@dataclass(frozen=True, slots=True, repr=False)
class InfiniteBoard(Board):
    """A position; `recent` are the cells of the marks on the board, the oldest first.

    Its text has the age of each mark, 1 for its player's oldest, and the number of plies once
    marks have vanished: `"x1o2.. ..x2o1 x3..o3 12"`.
    """

    recent: tuple[Cell, ...] = ()
    plies: int = 0  # a field, where other boards count their marks

    def _with_moves(self, moves: Sequence[Cell]) -> Board:
        return self._at_ply(len(moves), tuple(moves))

    def result_unchecked(self, action: Cell) -> Board:
        return self._at_ply(self.plies + 1, (*self.recent, action))

    def _at_ply(self, plies: int, moves: tuple[Cell, ...]) -> Self:
        """The position after `plies` plies, of which `moves` are the last."""
        recent = moves[-_MAX_MARKS:]
        mover_cells = bit_set(recent[-1::-2])  # every other move, from the last one back
        other_cells = bit_set(recent[-2::-2])
        if plies % 2:
            x, o = mover_cells, other_cells
        else:
            x, o = other_cells, mover_cells
        return type(self)(self.rules, x, o, recent, plies)

    def _parse_rows(self, rows: list[str]) -> Self:
        has_plies = rows[-1].isdecimal()
        cell_texts = self._split_cells(rows[:-1] if has_plies else rows)
        mark_texts = [text for text in cell_texts if text != _FREE_CELL]
        plies = int(rows[-1]) if has_plies else len(mark_texts)
        expected = _mark_texts(plies)
        if sorted(mark_texts) != sorted(expected) or plies > self.rules.most_plies:
            message = f"not the marks on the board after {plies} plies: {' '.join(rows)}"
            raise BoardError(BoardFault.TURNS, message)
        return self._at_ply(plies, tuple(map(cell_texts.index, expected)))

    def _split_cells(self, rows: list[str]) -> list[str]:
        """The texts of the cells, of two symbols each."""
        width = self.rules.columns * _CELL_WIDTH
        if len(rows) != self.rules.rows or any(len(row) != width for row in rows):
            text = " ".join(rows)
            message = f"not rows of {self.rules.columns} cells of two symbols: {text}"
            raise BoardError(BoardFault.ROWS, message)
        starts = range(0, width, _CELL_WIDTH)
        return [row[start : start + _CELL_WIDTH] for row in rows for start in starts]

    def __str__(self) -> str:
        cell_texts = [_FREE_CELL] * len(self.rules.cells)
        for cell, text in zip(self.recent, _mark_texts(self.plies), strict=True):
            cell_texts[cell] = text
        width = self.rules.columns
        rows = ["".join(cell_texts[start : start + width]) for start in self.rules.cells[::width]]
        if self.plies > len(self.recent):
            rows.append(str(self.plies))
        return " ".join(rows)

    @property
    def draw_in_plies(self) -> int | None:
        return self.plies_left if 0 < self.plies_left <= _ANNOUNCED_PLIES else None

    @property
    def vanishing(self) -> Cell | None:
        if len(self.recent) < _MAX_MARKS or self.is_terminal:
            return None
        return self.recent[0]

    @property
    def key(self) -> Hashable:
        """Like `Board.key`, without the plies: positions with swapped colours share it, too."""
        return min(
            tuple(image_of[cell] for cell in self.recent) for image_of in self.rules.symmetries
        )

    def held_by(self, mark: Mark) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.recent if self[cell] is mark)

    @property
    def to_move(self) -> Mark:
        return Mark.O if self.plies % 2 else Mark.X

    def actions(self) -> tuple[Cell, ...]:
        # `super()` without arguments fails in a dataclass with slots, which is made anew.
        return () if self._has_no_plies_left else Board.actions(self)

    def winning_cells(self, mark: Mark) -> tuple[Cell, ...]:
        if mark is not self.to_move and self.plies + 1 == self.rules.most_plies:
            return ()  # the game is drawn before its next move
        kept_cells = self.held_by(mark)[-(MARKS_KEPT - 1) :]
        mask = bit_set(kept_cells)
        return tuple(cell for cell in self.actions() if self.rules.completed(mask | 1 << cell))


def _mark_texts(plies: int) -> list[str]:
    """The texts of the marks on the board after `plies` plies, the oldest first."""
    oldest_ply = max(plies - _MAX_MARKS, 0)
    texts = []
    for ply in range(oldest_ply, plies):
        mark = Mark.O if ply % 2 else Mark.X
        age = (ply - oldest_ply) // 2 + 1
        texts.append(f"{mark.value}{age}")
    return texts


class Infinite(Rules):
    """Infinite tic-tac-toe: each player keeps three marks; with the fourth, the oldest vanishes.

    Rules vary. Here a mark goes onto a free cell; the cell whose mark is about to vanish does not
    count as free. Then the oldest of the mover's four marks vanishes. Only then does three in a row
    win. After 60 plies the game is a draw.

    With best play the first player wins in 13 plies, but only by opening on a side: after a corner
    or the centre, neither player can force a win.
    """

    board_class = InfiniteBoard
    solver_class = TableSolver
    name = "infinite"
    most_plies = 60
    is_small = False
    first_player_wins = True

    def free_after(self, plies: int) -> int:
        return len(self.cells) - min(plies, _MAX_MARKS)

    def __repr__(self) -> str:
        return "INFINITE"

    def __reduce__(self) -> str:
        return "INFINITE"  # pickled as the name of this module's variable


INFINITE = Infinite(columns=3, rows=3, in_a_row=3)

VARIANTS = {1: MISERE, 2: INFINITE}
"""The variants, by their numbers in the codes of games.

The numbers are those of impossible m,n,k-games: 1 and 2 are 3x3x4 and 3x3x5; 5, 11 and 14 are free.
"""


def rules_named(name: str) -> Rules:
    """The rules with this `name`.

    Raises:
        ValueError: No rules have that name.
    """
    variants = {rules.name: rules for rules in VARIANTS.values()}
    return variants.get(name) or Rules.parse(name)
