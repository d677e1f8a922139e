"""How fast the solver is in comparison with a textbook's alpha-beta, in one run.

    .venv/bin/python -m tests.tools.benchmarks.engine

The baseline is written as in textbooks, such as Russell and Norvig's: a board is a dict that every
move copies, and a win is found by counting from the last move.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from engine import Board, Rules, Solver
from engine.and_or import geometry_of

SHAPES = [
    Rules(columns, rows, k)
    for columns in (3, 4, 5)
    for rows in range(3, columns + 1)
    for k in range(3, columns + 1)
]
SLOWEST_TO_ANALYSE = [
    Board.parse("..... ..... ..... ...x.", Rules(5, 4, 4)),
    Board.parse(".x... ..... ..... o.... .....", Rules(5, 5, 4)),
    Board.parse("xx... ..... .o..x ..... .o...", Rules(5, 5, 4)),
    Board.parse("...o. ..... ..... ..x.o x...x", Rules(5, 5, 4)),
]
"""The slowest positions known: they have few marks, but are not in the table of openings."""

RUNS = 7
WARM_CALLS = 20_000

Place = tuple[int, int]
Bounds = tuple[int, int]


def main() -> None:
    baseline, noise = time_runs(solve_as_textbook)
    print(f"textbook alpha-beta, 3x3: {baseline * 1000:.0f} ms, the runs within {noise:.0%}\n")
    print("| board | milliseconds | of the textbook's 3x3 | runs within |")
    print("|---|---|---|---|")
    for rules in SHAPES:
        seconds, spread = time_runs(partial(solve_empty_board, rules))
        name = f"{rules.columns}x{rules.rows}, {rules.in_a_row} in a row"
        print(f"| {name} | {seconds * 1000:.1f} | {seconds / baseline:.3f} | {spread:.0%} |")
    print("\n| every move judged | milliseconds | of the textbook's 3x3 |")
    print("|---|---|---|")
    for board in SLOWEST_TO_ANALYSE:
        seconds, _ = time_runs(partial(analyse, board))
        print(f"| {board} | {seconds * 1000:.0f} | {seconds / baseline:.2f} |")
    print(f"\na warm 3x3 move: {time_warm_call() * 1e6:.1f} microseconds")


def time_runs(run: Callable[[], None]) -> tuple[float, float]:
    """The median duration of several runs, and their spread as a share of it."""
    durations = []
    for _ in range(RUNS):
        started_at = time.perf_counter()
        run()
        durations.append(time.perf_counter() - started_at)
    median = statistics.median(durations)
    return median, (max(durations) - min(durations)) / median


def time_warm_call() -> float:
    """The duration of a call of a solver that knows the position."""
    solver, board = Solver(Rules(3, 3, 3)), Board()
    solver.solve(board)
    started_at = time.perf_counter()
    for _ in range(WARM_CALLS):
        solver.solve(board)
    return (time.perf_counter() - started_at) / WARM_CALLS


def solve_empty_board(rules: Rules) -> None:
    geometry_of.cache_clear()
    Solver(rules).solve(Board(rules))


def analyse(board: Board) -> None:
    Solver(board.rules).analyse(board)


def solve_as_textbook() -> None:
    assert textbook({}, "x", None, (-2, 2)) == 0


def textbook(board: dict[Place, str], mark: str, last: Place | None, bounds: Bounds) -> int:
    if last is not None and wins(board, last):
        return 1 if board[last] == "x" else -1
    free = [(x, y) for x in range(3) for y in range(3) if (x, y) not in board]
    if not free:
        return 0
    alpha, beta = bounds
    best = -2 if mark == "x" else 2
    for place in free:
        after = board.copy()
        after[place] = mark
        value = textbook(after, "o" if mark == "x" else "x", place, (alpha, beta))
        if mark == "x":
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


def wins(board: dict[Place, str], last: Place) -> bool:
    return any(in_a_row(board, last, step) >= 3 for step in ((0, 1), (1, 0), (1, -1), (1, 1)))


def in_a_row(board: dict[Place, str], last: Place, step: Place) -> int:
    """How many marks are in a row through the last move, in the directions of a step."""
    mark = board[last]
    count = -1  # the last move is counted in both directions
    for sign in (1, -1):
        x, y = last
        while board.get((x, y)) == mark:
            count += 1
            x, y = x + sign * step[0], y + sign * step[1]
    return count


if __name__ == "__main__":
    main()
