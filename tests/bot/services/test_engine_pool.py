"""The engine's processes: moves beside lessons, and each lesson computed once for everybody."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator

import pytest

from bot.services.engine_pool import EnginePool, is_move_quick
from engine import Board, Level, Rules, advise, best_moves, search_each_way
from tests.bot.services.test_worker_process import HARDEST, niceness

LARGE = Rules(4, 4, 4)


@pytest.fixture
def mind() -> Iterator[EnginePool]:
    mind = EnginePool(random.Random(1))
    yield mind
    mind.close()


async def test_a_move_is_the_engine_s(mind: EnginePool) -> None:
    board = Board.parse("x... .x.. .o.. ...o", LARGE)
    assert await mind.choose(board, Level.PERFECT) in best_moves(board)


async def test_moves_depend_on_the_seed_and_the_level() -> None:
    played = [await choices(seed, Level.CHILD) for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]
    assert len(set(played[0])) > 1, "every move is a new chance"
    assert set(await choices(1, Level.PERFECT)) == {2}


async def choices(seed: int, level: Level) -> list[int]:
    mind = EnginePool(random.Random(seed))
    chosen = [await mind.choose(Board.parse("xx. .o. ..."), level) for _ in range(8)]
    mind.close()
    return chosen


def test_quick_moves_need_no_process() -> None:
    assert is_move_quick(Board())
    assert is_move_quick(Board.parse("xo. ... ..."))
    assert is_move_quick(Board(Rules(5, 5, 4)))
    assert not is_move_quick(Board(Rules(4, 3, 3)).result(0))
    assert not is_move_quick(HARDEST)


async def test_lessons_on_3x3_need_no_process(mind: EnginePool) -> None:
    assert await mind.run_inline_if_quick(Board().rules, os.getpid) == os.getpid()
    assert await mind.run_inline_if_quick(LARGE, os.getpid) != os.getpid()
    assert await mind.run_inline_if_quick(Board().rules, advise, Board()) == advise(Board())


async def test_moves_have_a_process_of_their_own(mind: EnginePool) -> None:
    await mind.choose(Board(), Level.CHILD)
    await mind.run(os.getpid)
    lessons = [asyncio.create_task(mind.run(time.sleep, 30 + n)) for n in range(10)]
    await asyncio.sleep(0.05)
    async with asyncio.timeout(20):
        await mind.choose(Board(), Level.CHILD)
    assert not any(lesson.done() for lesson in lessons)
    for lesson in lessons:
        lesson.cancel()


async def test_lessons_have_a_lower_priority(mind: EnginePool) -> None:
    assert await mind.run(niceness) > min(18, niceness()), "19 is the nicest"


async def test_lessons_are_cached(mind: EnginePool) -> None:
    board = Board.parse("x... .x.. .o.. ...o", LARGE)
    said = [await mind.run_inline_if_quick(LARGE, advise, board) for _ in range(2)]
    assert said[0] is said[1]


async def test_a_lesson_asked_for_by_many_at_once_is_computed_once(mind: EnginePool) -> None:
    await mind.run(os.getpid)
    began_at = time.perf_counter()
    await asyncio.gather(*(mind.run(time.sleep, 0.3) for _ in range(20)))
    assert time.perf_counter() - began_at < 3


async def test_long_lessons_run_one_at_a_time_so_that_short_ones_run_in_between(
    mind: EnginePool,
) -> None:
    board = Board.parse("xoxo .... ....", Rules(4, 3, 3))
    long = [
        asyncio.create_task(mind.run(search_each_way, board.result(cell))) for cell in (4, 5, 8)
    ]
    await asyncio.sleep(0)
    short = asyncio.create_task(mind.run(os.getpid))
    await asyncio.wait([short])
    assert [lesson.done() for lesson in long] == [True, False, False]
    for lesson in long[1:]:
        lesson.cancel()


# The latest job of a person
