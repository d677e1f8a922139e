"""The opening table of 5x5, four in a row, where analysing an early position takes seconds.

On other boards the solver analyses *every* move of a position in well under a second. Here, with
few marks on the board, refuting one bad move can take that long, and there are twenty of them. The
table holds every position with at most five marks, one byte each.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from math import comb
from pathlib import Path

from engine.board import Board, Mark
from engine.rules import Cell, Rules
from engine.worth import Value, Worth

RULES = Rules(columns=5, rows=5, in_a_row=4)
MAX_MARKS = 5
FILE = Path(__file__).with_name("openings.bin")
"""`tests/engine/make_openings.py` generates it."""
_CELL_COUNT = len(RULES.cells)
UNKNOWN = 0
DRAW = 1
ZERO_DISTANCE = 2


def opening_worth(board: Board) -> Worth | None:
    """The worth of a position from the table; None if it is not there."""
    if board.rules != RULES or board.plies > MAX_MARKS:
        return None
    return decode(_table()[index(canonical(board))], board)


@cache
def _table() -> bytes:
    return zlib.decompress(FILE.read_bytes())


def decode(entry: int, board: Board) -> Worth | None:
    """A draw, or the distance, whose parity tells wins (odd) from losses (even)."""
    if entry == UNKNOWN:
        return None
    if entry == DRAW:
        return Worth(Value.DRAW, len(board.actions()))
    distance = entry - ZERO_DISTANCE
    return Worth(Value.WIN if distance % 2 else Value.LOSS, distance)


def index(board: Board) -> int:
    """A position's index: by the number of marks, then X's cells, then O's among the rest.

    Sets of cells are numbered in the combinatorial number system.
    """
    x_cells = board.held_by(Mark.X)
    o_cells = board.held_by(Mark.O)
    cells_without_x = [cell for cell in RULES.cells if cell not in x_cells]
    o_places = [cells_without_x.index(cell) for cell in o_cells]
    o_set_count = comb(_CELL_COUNT - len(x_cells), len(o_cells))
    first_index = sum(map(position_count, range(board.plies)))
    return first_index + _set_number(x_cells) * o_set_count + _set_number(o_places)


def position_count(marks: int) -> int:
    """How many ways there are to place this number of marks."""
    x_marks, o_marks = marks_of_each(marks)
    return comb(_CELL_COUNT, x_marks) * comb(_CELL_COUNT - x_marks, o_marks)


def marks_of_each(marks: int) -> tuple[int, int]:
    """How many of the marks are X's, who begins, and how many O's."""
    return (marks + 1) // 2, marks // 2


def _set_number(cells: Iterable[Cell]) -> int:
    """The number of a set among all sets of as many cells, from 0 on."""
    return sum(comb(cell, place) for place, cell in enumerate(cells, start=1))


def canonical(board: Board) -> Board:
    """The canonical form of a position: the same for all symmetric ones."""
    o, x = min((o, x) for x, o in board.images())
    return Board(board.rules, x, o)
