"""A grid of marks: which player holds which cell, its text form, and its symmetries."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

from engine.rules import TIC_TAC_TOE, Cell, Rules, bit_set

FREE = "."
"""The text of a free cell."""


class Mark(Enum):
    """One of the two players. X moves first and maximizes the utility; O minimizes it."""

    X = "x"
    O = "o"  # noqa: E741 - the mark is called O everywhere but in a linter

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """A placement of marks: `x` and `o` are bit sets of the cells that each player holds."""

    rules: Rules = TIC_TAC_TOE
    x: int = 0
    o: int = 0

    def _parse_rows(self, rows: list[str]) -> Self:
        """The grid of the same rules with this text, row by row; the inverse of `str`."""
        rules = self.rules
        if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
            raise ValueError(f"not {rules.rows} rows of {rules.columns} cells: {' '.join(rows)}")
        symbols = "".join(rows)
        if unknown := sorted(set(symbols) - {Mark.X.value, Mark.O.value, FREE}):
            raise ValueError(f"not a mark: {', '.join(unknown)} in {' '.join(rows)}")
        x = bit_set(cell for cell in rules.cells if symbols[cell] == Mark.X.value)
        o = bit_set(cell for cell in rules.cells if symbols[cell] == Mark.O.value)
        return type(self)(rules, x, o)

    def __str__(self) -> str:
        holders = [self[cell] for cell in self.rules.cells]
        symbols = [FREE if holder is None else holder.value for holder in holders]
        width = self.rules.columns
        rows = ["".join(symbols[start : start + width]) for start in self.rules.cells[::width]]
        return " ".join(rows)

    def __getitem__(self, cell: Cell) -> Mark | None:
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def mask_of(self, mark: Mark) -> int:
        """The bit set of the cells that `mark` holds."""
        return self.x if mark is Mark.X else self.o

    def held_by(self, mark: Mark) -> tuple[Cell, ...]:
        """The cells of a player's marks in reading order; where marks vanish, the oldest first."""
        return tuple(cell for cell in self.rules.cells if self[cell] is mark)

    @property
    def plies(self) -> int:
        """How many moves have been made."""
        return (self.x | self.o).bit_count()

    @property
    def key(self) -> Hashable:
        """The canonical form: the same for all symmetric positions, and for no others."""
        return min(self.images())

    def images(self) -> Iterator[tuple[int, int]]:
        """The position's images under all symmetries: the bit sets of X's and of O's cells."""
        x_cells = self.held_by(Mark.X)
        o_cells = self.held_by(Mark.O)
        for image_of in self.rules.symmetries:
            x = bit_set(image_of[cell] for cell in x_cells)
            o = bit_set(image_of[cell] for cell in o_cells)
            yield x, o
