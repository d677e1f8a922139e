"""The memory of a process that runs all searches of the bot: it must stop growing.

    .venv/bin/python -m tests.tools.benchmarks.memory_of_engine 8000
    .venv/bin/python -m tests.tools.benchmarks.memory_of_engine 8000 5x5x4 4x4x3  # these alone

Positions come from random games, as a forged custom_id might have them. They are pickled, as they
are when they are sent to a worker process. Memory is read from `/proc`, so this needs Linux.
"""

from __future__ import annotations

import pickle
import random
import resource
import sys
from collections.abc import Callable
from datetime import date, timedelta
from itertools import product
from pathlib import Path

from engine import (
    Board,
    Level,
    Record,
    Rules,
    advise,
    best_reply,
    choose_move,
    daily_puzzle,
    review,
    rules_named,
    trace,
    watchable,
)
from tests.tools.benchmarks.pages import some_game

ALL_BOARDS = [f"{m}x{n}x{k}" for m, n, k in product((3, 4, 5), repeat=3) if k <= max(m, n)]
TABLE_ROWS = 20
FIRST_PUZZLE = date(2024, 1, 1)
WEIGHTS = {
    "review": 10,
    "advise": 10,
    "move": 20,
    "game": 5,
    "puzzle": 1,
    "trace": 0.3,
}
"""How often each task is run."""


def play_on(board: Board, level: Level, rng: random.Random) -> None:
    while not board.is_terminal:
        board = board.result(choose_move(board, level, rng))


def run_task(name: str, rules: Rules, rng: random.Random) -> None:
    game: Record = pickle.loads(pickle.dumps(some_game(rules, rng)))  # noqa: S301 - our own
    board = rng.choice(game.boards[:-1])
    level = rng.choice(list(Level))
    tasks: dict[str, Callable[[], object]] = {
        "review": lambda: review(game.moves, game.rules),
        "advise": lambda: [best_reply(board, verdict.action) for verdict in advise(board)[:2]],
        "move": lambda: choose_move(board, level, rng),
        "game": lambda: play_on(board, level, rng),
        "puzzle": lambda: daily_puzzle(FIRST_PUZZLE + timedelta(rng.randrange(10_000))),
        "trace": lambda: trace(watchable(board)),
    }
    tasks[name]()


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def main(tasks: int, boards: list[str]) -> None:
    rng = random.Random(1)
    print(f"before any work: {resident_mb():.0f} MB\n\n| tasks | MB |\n|---|---|")
    for number in range(1, tasks + 1):
        name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        run_task(name, rules_named(rng.choice(boards)), rng)
        if number % max(1, tasks // TABLE_ROWS) == 0:
            print(f"| {number:,} | {resident_mb():.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] or ALL_BOARDS)
