"""Generates engine/openings.bin, in about half an hour.

.venv/bin/python -m tests.engine.make_openings
"""

import time
import zlib
from itertools import count

from engine import Board, Solver, Worth
from engine.openings import _FILE, RULES, make_table


def main() -> None:
    solver = Solver(RULES, max_positions=2_000_000)
    started_at = time.monotonic()
    numbers = count(1)

    def worth_of(board: Board) -> Worth:
        seconds = time.monotonic() - started_at
        print(f"\r{next(numbers)} positions, {seconds:.0f} s", end="", flush=True)
        return solver.worth(board)

    _FILE.write_bytes(zlib.compress(make_table(worth_of), level=9))
    print(f"\n{_FILE}: {_FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
