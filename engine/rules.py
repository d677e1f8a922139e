"""The rules of every m,n,k-game: m columns, n rows, k marks in a row win.

Jogo da velha (tic-tac-toe) is the 3,3,3-game. `variants` lists the games with other rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, ClassVar

Cell = int
"""A cell's index, 0-based, in reading order."""

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""The directions of lines, as columns and rows from one cell to the next."""


@dataclass(frozen=True)
class Rules:
    """An m,n,k-game: the size of the board, and how many marks in a row win."""

    columns: int
    rows: int
    in_a_row: int

    board_class: ClassVar[Any] = None
    """The `Board` subclass that a variant is played on; None for m,n,k-games."""
    solver_class: ClassVar[Any] = None
    """The solver of a variant; None for m,n,k-games."""
    lines_lose: ClassVar[bool] = False
    """Whether it is bad to complete a line."""

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise ValueError(f"a board needs columns and rows: {self}")
        if not 1 <= self.in_a_row <= max(self.columns, self.rows):
            raise ValueError(f"a line of {self.in_a_row} does not fit the board: {self}")

    def __reduce__(self) -> str | tuple[Callable[[int, int, int], Rules], tuple[int, int, int]]:
        return shared_rules, (self.columns, self.rows, self.in_a_row)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read rules such as `5x5x4`: columns, rows, and how many in a row.

        Raises:
            ValueError: It is not three numbers, or no such line fits the board.
        """
        columns, rows, in_a_row = map(int, text.split("x"))
        return shared_rules(columns, rows, in_a_row)

    @property
    def name(self) -> str:
        """The text that `parse` reads, such as `5x5x4`, or the name of a variant."""
        return f"{self.columns}x{self.rows}x{self.in_a_row}"

    @cached_property
    def cells(self) -> range:
        return range(self.columns * self.rows)

    @cached_property
    def most_plies(self) -> int:
        """The greatest number of moves in a game."""
        return len(self.cells)

    @property
    def repeats(self) -> bool:
        """Whether positions can recur, so that only the limit on plies is sure to end play."""
        return self.most_plies > len(self.cells)

    def free_after(self, plies: int) -> int:
        """How many cells are free after `plies` plies."""
        return len(self.cells) - plies

    @property
    def is_small(self) -> bool:
        """Whether any position can be analysed within milliseconds."""
        return len(self.cells) <= len(TIC_TAC_TOE.cells)

    @property
    def first_player_wins(self) -> bool:
        """Whether the first player can force a win: with three in a row on more than 3x3 cells.

        Proven by the solver for every board from 3x3 to 5x5.
        """
        return self.in_a_row == 3 and max(self.columns, self.rows) > 3

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """Every line that decides the game, each as a tuple of its cells."""
        lines = []
        for row, column, direction in product(range(self.rows), range(self.columns), _DIRECTIONS):
            line = self._line_from(column, row, direction)
            if line and line not in lines:  # a line of one cell has all directions
                lines.append(line)
        return tuple(lines)

    def _line_from(self, column: int, row: int, direction: tuple[int, int]) -> tuple[Cell, ...]:
        """The cells of the line that starts here; empty if it leaves the board."""
        right, down = direction
        last_column = column + right * (self.in_a_row - 1)
        last_row = row + down * (self.in_a_row - 1)
        if last_column not in range(self.columns) or last_row not in range(self.rows):
            return ()
        start = row * self.columns + column
        step = down * self.columns + right
        return tuple(start + step * index for index in range(self.in_a_row))

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """The `lines` as bit sets: bit `cell` is set for each of a line's cells."""
        return tuple(bit_set(line) for line in self.lines)

    @cached_property
    def symmetries(self) -> tuple[tuple[Cell, ...], ...]:
        """The eight rotations and reflections of the board: for each, where every cell goes.

        A board that is not square has four; each is listed twice.
        """
        symmetries = []
        for mirror, flip, transpose in product((False, True), repeat=3):
            images = [
                self._image(cell, mirror=mirror, flip=flip, transpose=transpose)
                for cell in self.cells
            ]
            symmetries.append(tuple(images))
        return tuple(symmetries)

    def _image(self, cell: Cell, *, mirror: bool, flip: bool, transpose: bool) -> Cell:
        """Where a cell goes if the board is mirrored left to right, flipped, and transposed."""
        row, column = divmod(cell, self.columns)
        if mirror:
            column = self.columns - 1 - column
        if flip:
            row = self.rows - 1 - row
        if transpose and self.columns == self.rows:
            row, column = column, row
        return row * self.columns + column

    def completed(self, mask: int) -> tuple[Cell, ...]:
        """The cells, in reading order, of all the lines that lie in `mask`, a bit set."""
        completed = 0
        for line in self.line_masks:
            if mask & line == line:
                completed |= line
        return tuple(cell for cell in self.cells if completed >> cell & 1)

    def coordinate(self, cell: Cell) -> str:
        """A cell's name: column letter, then row number; `A1` is top left."""
        row, column = divmod(cell, self.columns)
        return f"{chr(ord('A') + column)}{row + 1}"


@lru_cache(maxsize=64)
def shared_rules(columns: int, rows: int, in_a_row: int) -> Rules:
    """Make rules, or reuse equal ones that are still in the cache.

    Rules cache their lines (about 8 KB up to 5x5), and every cached board keeps its rules alive:
    separate rules for each parsed or unpickled board would waste memory.
    """
    return Rules(columns, rows, in_a_row)


TIC_TAC_TOE = shared_rules(3, 3, 3)


def bit_set(cells: Iterable[Cell]) -> int:
    """The bit set with the bit of each cell set."""
    return sum(1 << cell for cell in set(cells))
