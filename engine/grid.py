"""A grid of marks: what stands in which cell, its drawing, and its mirror images."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

from engine.rules import TIC_TAC_TOE, Cell, Rules, bit_set

FREE = "."
"""How a free cell is drawn."""


class Mark(Enum):
    """One of the two players. X moves first and maximizes the utility; O minimizes it."""

    X = "x"
    O = "o"  # noqa: E741 - the mark is called O everywhere but in a linter

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """Which marks stand where: `x` and `o` are bit sets of the cells that each player holds."""

    rules: Rules = TIC_TAC_TOE
    x: int = 0
    o: int = 0

    def __new__(cls, rules: Rules = TIC_TAC_TOE, x: int = 0, o: int = 0, *_: object) -> Self:  # noqa: ARG004 - they are for __init__
        """Create a grid of the class that the rules call for."""
        grid: Self = object.__new__(rules.board_class or cls)
        return grid

    def _read(self, rows: list[str]) -> Self:
        rules = self.rules
        if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
            raise ValueError(f"not {rules.rows} rows of {rules.columns} cells: {' '.join(rows)}")
        marks = "".join(rows)
        if unknown := sorted(set(marks) - {Mark.X.value, Mark.O.value, FREE}):
            raise ValueError(f"not a mark: {', '.join(unknown)} in {' '.join(rows)}")
        held = ([cell for cell in rules.cells if marks[cell] == mark.value] for mark in Mark)
        return type(self)(rules, *map(bit_set, held))

    def __str__(self) -> str:
        marks = [mark.value if (mark := self[cell]) else FREE for cell in self.rules.cells]
        width = self.rules.columns
        return " ".join("".join(marks[i : i + width]) for i in range(0, len(marks), width))

    def __getitem__(self, cell: Cell) -> Mark | None:
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def marks(self, mark: Mark) -> int:
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
        """A key that mirror images share, and positions that play on differently do not."""
        return min(self.images())

    def images(self) -> Iterator[tuple[int, int]]:
        """The position's mirror images, each as the bit sets of the cells that X and O hold."""
        x_cells, o_cells = (self.held_by(mark) for mark in Mark)
        for image in self.rules.symmetries:
            yield bit_set(image[cell] for cell in x_cells), bit_set(image[cell] for cell in o_cells)
