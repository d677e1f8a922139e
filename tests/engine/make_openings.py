"""Generates engine/openings.bin, in about half an hour.

.venv/bin/python -m tests.engine.make_openings
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from itertools import combinations, count

from engine import Board, Solver, Value, Worth, bit_set
from engine.openings import (
    DRAW,
    FILE,
    MAX_MARKS,
    RULES,
    ZERO_DISTANCE,
    canonical,
    decode,
    index,
    marks_of_each,
    position_count,
)


def main() -> None:
    solver = Solver(RULES, max_positions=2_000_000)
    started_at = time.monotonic()
    numbers = count(1)

    def worth_of(board: Board) -> Worth:
        seconds = time.monotonic() - started_at
        print(f"\r{next(numbers)} positions, {seconds:.0f} s", end="", flush=True)
        return solver.worth(board)

    FILE.write_bytes(zlib.compress(make_table(worth_of), level=9))
    print(f"\n{FILE}: {FILE.stat().st_size} bytes")


def canonical_openings(marks: int) -> Iterator[Board]:
    """The positions with this number of marks, one for each set of symmetric ones."""
    x_marks, o_marks = marks_of_each(marks)
    for x_cells in combinations(RULES.cells, x_marks):
        rest = [cell for cell in RULES.cells if cell not in x_cells]
        for o_cells in combinations(rest, o_marks):
            board = Board(RULES, bit_set(x_cells), bit_set(o_cells))
            if canonical(board) == board:
                yield board


def make_table(worth_of: Callable[[Board], Worth], max_marks: int = MAX_MARKS) -> bytes:
    """Build the table, uncompressed, of all positions with at most `max_marks` marks.

    Only those with `max_marks` marks are passed to `worth_of`; the others follow from them.
    """
    table = bytearray(sum(map(position_count, range(max_marks + 1))))
    for marks in reversed(range(max_marks + 1)):
        for board in canonical_openings(marks):
            worth = worth_of(board) if marks == max_marks else _worth_from_table(board, table)
            table[index(board)] = _encode(worth)
    return bytes(table)


def _worth_from_table(board: Board, table: bytearray) -> Worth:
    """The worth of a position whose children are all in the table."""
    children = [board.result(cell) for cell in board.actions()]
    worths = [decode(table[index(canonical(child))], child) for child in children]
    return max((worth.one_ply_earlier() for worth in worths if worth), key=lambda worth: worth.rank)


def _encode(worth: Worth) -> int:
    """The byte for a draw, or the distance, whose parity tells wins (odd) from losses (even)."""
    if worth.value is Value.DRAW:
        return DRAW
    return ZERO_DISTANCE + worth.plies_to_end


if __name__ == "__main__":
    main()
