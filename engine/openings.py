"""The opening table of 5x5, four in a row, where analysing an early position takes seconds.

On other boards the solver analyses *every* move of a position in well under a second. Here, with
few stones on the board, refuting one bad move can take that long, and there are twenty of them. The
table holds every position with at most five stones, one byte each.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

from engine.board import Board
from engine.grid import Mark
from engine.rules import Cell, Rules, bit_set
from engine.worth import Value, Worth

RULES = Rules(columns=5, rows=5, in_a_row=4)
MAX_STONES = 5
_FILE = Path(__file__).with_name("openings.bin")
_CELL_COUNT = len(RULES.cells)
_UNKNOWN = 0
_DRAW = 1
_ZERO_DISTANCE = 2


def opening_worth(board: Board) -> Worth | None:
    """The worth of a position from the table; None if it is not there."""
    if board.rules != RULES or board.plies > MAX_STONES:
        return None
    return _decode(_table()[_index(canonical(board))], board)


@cache
def _table() -> bytes:
    return zlib.decompress(_FILE.read_bytes())


def _encode(worth: Worth) -> int:
    """The byte for a draw, or the distance, whose parity tells wins (odd) from losses (even)."""
    if worth.value is Value.DRAW:
        return _DRAW
    return _ZERO_DISTANCE + worth.plies_to_end


def _decode(entry: int, board: Board) -> Worth | None:
    if entry == _UNKNOWN:
        return None
    if entry == _DRAW:
        return Worth(Value.DRAW, len(board.actions()))
    distance = entry - _ZERO_DISTANCE
    return Worth(Value.WIN if distance % 2 else Value.LOSS, distance)


def _index(board: Board) -> int:
    """A position's index: by the number of stones, then X's cells, then O's among the rest.

    Sets of cells are numbered in the combinatorial number system.
    """
    x_cells = board.held_by(Mark.X)
    o_cells = board.held_by(Mark.O)
    cells_without_x = [cell for cell in RULES.cells if cell not in x_cells]
    o_places = [cells_without_x.index(cell) for cell in o_cells]
    o_set_count = comb(_CELL_COUNT - len(x_cells), len(o_cells))
    first_index = sum(map(_position_count, range(board.plies)))
    return first_index + _set_number(x_cells) * o_set_count + _set_number(o_places)


def _position_count(stones: int) -> int:
    """How many ways there are to place this number of stones."""
    x_stones, o_stones = _stones_of_each(stones)
    return comb(_CELL_COUNT, x_stones) * comb(_CELL_COUNT - x_stones, o_stones)


def _stones_of_each(stones: int) -> tuple[int, int]:
    """How many of the stones are X's, who begins, and how many O's."""
    return (stones + 1) // 2, stones // 2


def _set_number(cells: Iterable[Cell]) -> int:
    """The number of a set among all sets of as many cells, from 0 on."""
    return sum(comb(cell, place) for place, cell in enumerate(cells, start=1))


def canonical_openings(stones: int) -> Iterator[Board]:
    """The positions with this number of stones, one for each set of symmetric ones."""
    x_stones, o_stones = _stones_of_each(stones)
    for x_cells in combinations(RULES.cells, x_stones):
        rest = [cell for cell in RULES.cells if cell not in x_cells]
        for o_cells in combinations(rest, o_stones):
            board = Board(RULES, bit_set(x_cells), bit_set(o_cells))
            if canonical(board) == board:
                yield board


def canonical(board: Board) -> Board:
    """The canonical form of a position: the same for all symmetric ones."""
    o, x = min((o, x) for x, o in board.images())
    return Board(board.rules, x, o)


def make_table(worth_of: Callable[[Board], Worth], max_stones: int = MAX_STONES) -> bytes:
    """Build the table, uncompressed, of all positions with at most `max_stones` stones.

    Only those with `max_stones` stones are passed to `worth_of`; the others follow from them.
    """
    table = bytearray(sum(map(_position_count, range(max_stones + 1))))
    for stones in reversed(range(max_stones + 1)):
        for board in canonical_openings(stones):
            worth = worth_of(board) if stones == max_stones else _worth_from_table(board, table)
            table[_index(board)] = _encode(worth)
    return bytes(table)


def _worth_from_table(board: Board, table: bytearray) -> Worth:
    """The worth of a position whose children are all in the table."""
    children = [board.result(cell) for cell in board.actions()]
    worths = [_decode(table[_index(canonical(child))], child) for child in children]
    return max((worth.one_ply_earlier() for worth in worths if worth), key=lambda worth: worth.rank)
