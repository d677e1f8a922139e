"""Makes engine/openings.bin anew, in about half an hour.

.venv/bin/python -m tests.engine.make_openings
"""

import time
import zlib

from engine import Board, Solver, Worth
from engine.openings import _FILE, RULES, make_table


def main() -> None:
    solver, started, done = Solver(RULES, max_positions=2_000_000), time.monotonic(), 0

    def worth_of(board: Board) -> Worth:
        nonlocal done
        done += 1
        print(f"\r{done} positions, {time.monotonic() - started:.0f} s", end="", flush=True)
        return solver.worth(board)

    _FILE.write_bytes(zlib.compress(make_table(worth_of), level=9))
    print(f"\n{_FILE}: {_FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
