"""The engine's processes: moves beside lessons, and each lesson computed once for everybody."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pytest

from bot.runtime.engine_pool import LESSONS, EnginePool, is_move_quick
from engine import (
    INFINITE,
    MISERE,
    Board,
    Level,
    Record,
    Rules,
    SolvedBelow,
    advise,
    best_moves,
    best_reply,
    review,
    trace,
)
from tests.bot.limits import PATIENT_QUEUE
from tests.bot.workers import kept_engine

LARGE = Rules(4, 4, 4)
HARDEST = Board.parse("x.x.. ..... o.... ..... o..x.", Rules(5, 5, 4))
"""The position that takes the longest of all known."""


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    pool = EnginePool(random.Random(1), moves=PATIENT_QUEUE, lessons=PATIENT_QUEUE)
    yield pool
    pool.close()


async def test_a_move_is_the_engine_s(pool: EnginePool) -> None:
    board = Board.parse("x... .x.. .o.. ...o", LARGE)
    assert await pool.choose(board, Level.PERFECT) in best_moves(board)


async def test_moves_depend_on_the_seed_and_the_level() -> None:
    played = [await choices(seed, Level.CHILD) for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]
    assert len(set(played[0])) > 1, "every move is a new chance"
    assert set(await choices(1, Level.PERFECT)) == {2}


async def choices(seed: int, level: Level) -> list[int]:
    pool = kept_engine(random.Random(seed))
    chosen = [await pool.choose(Board.parse("xx. .o. ..."), level) for _ in range(8)]
    pool.close()
    return chosen


def test_quick_moves_need_no_process() -> None:
    assert is_move_quick(Board())
    assert is_move_quick(Board.parse("xo. ... ..."))
    assert is_move_quick(Board(MISERE))
    assert not is_move_quick(Board(INFINITE))
    assert not is_move_quick(Board(Rules(5, 5, 4)))
    assert not is_move_quick(Board(Rules(4, 3, 3)).result(0))
    assert not is_move_quick(HARDEST)


async def test_lessons_need_a_process_on_larger_boards_than_3x3_only(pool: EnginePool) -> None:
    before = active_children()
    record = Record(moves=(4, 1))
    assert await pool.advise(Board()) == advise(Board())
    assert await pool.best_reply(Board(), 1) == best_reply(Board(), 1)
    assert await pool.review(record) == review(record.moves)
    assert {*active_children()} <= {*before}
    large = Board.parse("x... .x.. .o.. ...o", LARGE)
    assert await pool.advise(large) == advise(large)
    assert len({*active_children()} - {*before}) == 1


async def test_moves_have_a_process_of_their_own(pool: EnginePool) -> None:
    await pool.choose(Board(), Level.CHILD)
    await pool.run(os.getpid)
    lessons = [asyncio.create_task(pool.run(time.sleep, 30 + n)) for n in range(10)]
    await asyncio.sleep(0.05)
    async with asyncio.timeout(20):
        await pool.choose(Board(), Level.CHILD)
    assert not any(lesson.done() for lesson in lessons)
    for lesson in lessons:
        lesson.cancel()


async def test_lessons_have_a_lower_priority() -> None:
    patient = replace(PATIENT_QUEUE, niceness=LESSONS.niceness)
    with closing(EnginePool(random.Random(1), lessons=patient)) as pool:
        assert await pool.run(os.nice, 0) > min(18, os.nice(0)), "19 is the nicest"


async def test_lessons_are_cached(pool: EnginePool) -> None:
    board = Board.parse("x... .x.. .o.. ...o", LARGE)
    verdicts = [await pool.advise(board) for _ in range(2)]
    assert verdicts[0] is verdicts[1]


def add_line(file: Path) -> int:
    """Add a line to a file; returns how many characters it has now."""
    with file.open("a") as lines:
        lines.write("\n")
        return lines.tell()


async def test_a_lesson_asked_for_by_many_at_once_is_computed_once(
    pool: EnginePool, tmp_path: Path
) -> None:
    asked = (pool.run(add_line, tmp_path / "lines") for _ in range(20))
    assert await asyncio.gather(*asked) == [1] * 20


async def test_long_lessons_run_one_at_a_time_so_that_short_ones_run_in_between(
    pool: EnginePool,
) -> None:
    board = Board.parse("xoxo .... ....", Rules(4, 3, 3))
    long = [
        asyncio.create_task(pool.run(trace, SolvedBelow(board.result(cell)))) for cell in (4, 5, 8)
    ]
    await asyncio.sleep(0)
    short = asyncio.create_task(pool.run(os.getpid))
    await asyncio.wait([short])
    assert [lesson.done() for lesson in long] == [True, False, False]
    for lesson in long[1:]:
        lesson.cancel()
