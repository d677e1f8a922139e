"""How fast the solver is beside a textbook alpha-beta, as ratios within one run.

    .venv/bin/python -m tests.benchmarks.engine

The yardstick is written below as textbooks write it (Russell and Norvig's, for one): a board is a
dict that every move copies, and a win is found by counting from the last move.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from engine import Board, Rules, Solver
from engine.line_weights import line_weights_of
from engine.position_keys import position_keys_of

SHAPES = [
    Rules(columns, rows, k)
    for columns in (3, 4, 5)
    for rows in range(3, columns + 1)
    for k in range(3, columns + 1)
]
DEAREST_TO_JUDGE = [
    Board.parse("..... ..... ..... ...x.", Rules(5, 4, 4)),
    Board.parse(".x... ..... ..... o.... .....", Rules(5, 5, 4)),
    Board.parse("xx... ..... .o..x ..... .o...", Rules(5, 5, 4)),
    Board.parse("...o. ..... ..... ..x.o x...x", Rules(5, 5, 4)),
]
"""The slowest that were found: with few stones, where the table of openings ends."""

RUNS = 7
WARM_CALLS = 20_000


Place = tuple[int, int]
Bounds = tuple[int, int]


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
    mark, count = board[last], -1
    for sign in (1, -1):
        x, y = last
        while board.get((x, y)) == mark:
            count += 1
            x, y = x + sign * step[0], y + sign * step[1]
    return count


def textbook_first_move() -> None:
    assert textbook({}, "x", None, (-2, 2)) == 0


def solve_from_nothing(rules: Rules) -> None:
    line_weights_of.cache_clear()
    position_keys_of.cache_clear()
    Solver(rules).solve(Board(rules))


def judge_from_nothing(board: Board) -> None:
    Solver(board.rules).analyse(board)


def seconds(work: Callable[[], None]) -> tuple[float, float]:
    """The median of several runs, and how far they spread around it (a share of the median)."""
    took = []
    for _ in range(RUNS):
        started = time.perf_counter()
        work()
        took.append(time.perf_counter() - started)
    median = statistics.median(took)
    return median, (max(took) - min(took)) / median


def warm_seconds() -> float:
    solver, board = Solver(Rules(3, 3, 3)), Board()
    solver.solve(board)
    started = time.perf_counter()
    for _ in range(WARM_CALLS):
        solver.solve(board)
    return (time.perf_counter() - started) / WARM_CALLS


def main() -> None:
    yardstick, noise = seconds(textbook_first_move)
    print(f"textbook alpha-beta, 3x3: {yardstick * 1000:.0f} ms, the runs within {noise:.0%}\n")
    print("| board | milliseconds | of the textbook's 3x3 | runs within |")
    print("|---|---|---|---|")
    for rules in SHAPES:
        took, spread = seconds(lambda rules=rules: solve_from_nothing(rules))  # type: ignore[misc]
        name = f"{rules.columns}x{rules.rows}, {rules.in_a_row} in a row"
        print(f"| {name} | {took * 1000:.1f} | {took / yardstick:.3f} | {spread:.0%} |")
    print("\n| every move judged | milliseconds | of the textbook's 3x3 |")
    print("|---|---|---|")
    for board in DEAREST_TO_JUDGE:
        took, _ = seconds(lambda board=board: judge_from_nothing(board))  # type: ignore[misc]
        print(f"| {board} | {took * 1000:.0f} | {took / yardstick:.2f} |")
    print(f"\na warm 3x3 move: {warm_seconds() * 1e6:.1f} microseconds")


if __name__ == "__main__":
    main()
