"""Where the bot thinks: real processes, which are killed, kept busy and left behind.

The processes import this module to find its functions, so it imports nothing of Discord.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from statistics import quantiles

import pytest

from bot.mind import Mind, is_quick
from bot.threads import NoAnswerInTimeError
from engine import Board, Level, Rules, advise, best_moves, choose_move

ROOT = Path(__file__).parents[2]
HARDEST = Board.parse("x.x.. ..... o.... ..... o..x.", Rules(5, 5, 4))
"""The position that takes the longest of all known."""
SEEDS = range(6)


@pytest.fixture
def mind() -> Iterator[Mind]:
    before = set(multiprocessing.active_children())
    mind = Mind(random.Random(1))
    yield mind
    mind.close()
    for process in set(multiprocessing.active_children()) - before:
        process.kill()
        process.join()


def imported() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def die_the_first_time(marker: Path) -> int:
    """Kill the process it runs in, unless it has done so before."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


# What it says


async def test_a_move_is_the_engines(mind: Mind) -> None:
    board = Board.parse("x... .x.. .o.. ...o", Rules(4, 4, 4))
    assert await mind.choose(board, Level.PERFECT) in best_moves(board)
    with pytest.raises(ValueError, match="the game is over"):
        await mind.choose(Board.parse("xxx oo. ..."), Level.PERFECT)


async def test_the_same_seed_chooses_the_same_moves_and_the_level_counts(mind: Mind) -> None:
    played = [await choices(mind, seed, Level.CHILD) for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]
    assert len(set(played[0])) > 1, "every move is a new chance"
    blocks = await choices(mind, 1, Level.PERFECT)
    assert set(blocks) == {2}


async def choices(mind: Mind, seed: int, level: Level) -> list[int]:
    mind._rng.seed(seed)
    return [await mind.choose(Board.parse("xx. .o. ..."), level) for _ in range(8)]


async def test_a_seed_means_the_same_in_a_process_as_it_does_here(mind: Mind) -> None:
    board = Board(Rules(5, 5, 5))
    for seed in SEEDS:
        there = await mind.think(choose_move, board, Level.CHILD, random.Random(seed))
        assert there == choose_move(board, Level.CHILD, random.Random(seed))


def test_what_is_quick_needs_no_process() -> None:
    assert is_quick(Board())
    assert is_quick(Board.parse("xo. ... ..."))
    assert is_quick(Board(Rules(5, 5, 4)))
    assert not is_quick(Board(Rules(4, 3, 3)).result(0))
    assert not is_quick(HARDEST)


# Where it thinks


async def test_moves_and_lessons_are_thought_about_in_two_other_processes(mind: Mind) -> None:
    lessons = [await mind.think(os.getpid) for _ in range(2)]
    moves = [await mind._moves.do(os.getpid) for _ in range(2)]
    assert len({os.getpid(), *lessons, *moves}) == 3


async def test_a_process_knows_the_engine_but_neither_discord_nor_the_database(mind: Mind) -> None:
    for worker in (mind._moves, mind._lessons):
        there = await worker.do(imported)
        assert "engine" in there
        assert not there & {"discord", "sqlalchemy", "aiohttp", "babel", "alembic", "simcord"}


async def test_a_lesson_that_takes_long_does_not_delay_a_move(mind: Mind) -> None:
    await mind.choose(Board(), Level.CHILD)
    lesson = asyncio.create_task(mind.think(time.sleep, 30))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(5):
        await mind.choose(Board(), Level.CHILD)
    assert not lesson.done()
    lesson.cancel()


async def test_the_event_loop_is_not_late_while_the_hardest_position_is_searched(
    mind: Mind,
) -> None:
    """A thread that computes would hold the loop up for a switch interval, again and again.

    One of 0.1 s tells the two apart: with two cores kept busy, a process made the loop 3 ms late
    at worst in this measure, and a thread 119 ms at best.
    """
    await mind.choose(Board(Rules(5, 5, 4)), Level.PERFECT)  # the process has started
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.1)
    try:
        search = asyncio.create_task(mind.choose(HARDEST, Level.PERFECT))
        lags = await lags_until(search)
    finally:
        sys.setswitchinterval(interval)
    late = quantiles(lags, n=10)[-1]
    assert late < 0.03, f"one time in ten it is {1000 * late:.0f} ms late"
    assert len(lags) > 20, "the search took no time"


async def lags_until(task: asyncio.Task[int]) -> list[float]:
    """How much too late the event loop is, asked every millisecond until a task is done."""
    lags = []
    while not task.done():
        asked = time.perf_counter()
        await asyncio.sleep(0.001)
        lags.append(time.perf_counter() - asked - 0.001)
    return lags


# What becomes of the processes


async def test_a_process_that_was_killed_is_replaced(mind: Mind) -> None:
    killed = await mind._moves.do(os.getpid)
    os.kill(killed, signal.SIGKILL)
    board = Board.parse("xx. oo. ...")
    assert await mind.choose(board, Level.PERFECT) == 2
    assert await mind._moves.do(os.getpid) != killed


async def test_what_was_under_way_in_a_killed_process_is_done_again_in_one_new_one(
    mind: Mind, tmp_path: Path
) -> None:
    both = mind.think(die_the_first_time, tmp_path / "died"), mind.think(os.getpid)
    first, second = await asyncio.gather(*both)
    assert first == second == await mind.think(os.getpid)


async def test_what_kills_every_process_is_given_up_and_harms_nothing_else(mind: Mind) -> None:
    with pytest.raises(BrokenProcessPool):
        await mind.think(os._exit, 1)
    assert await mind.think(os.getpid) != os.getpid()


@pytest.mark.parametrize(
    ("what_fails", "error"),
    [
        ("multiprocessing.util.spawnv_passfds", BlockingIOError("no more processes")),
        ("multiprocessing.synchronize.SemLock.__init__", OSError("no more semaphores")),
        (
            "concurrent.futures.process._ExecutorManagerThread.start",
            RuntimeError("no more threads"),
        ),
    ],
)
async def test_where_no_process_can_be_had_a_thread_thinks_and_the_host_is_told_once(
    mind: Mind,
    what_fails: str,
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_given: object, **_options: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(what_fails, fail)
        assert await mind.choose(Board.parse("xx. oo. ..."), Level.PERFECT) == 2
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert str(error) in caplog.text
    assert {await mind._moves.do(os.getpid) for _ in range(2)} == {os.getpid()}
    assert len(caplog.records) == 1
    mind.close()
    with pytest.raises(NoAnswerInTimeError, match="leaving"):
        await mind._moves.do(os.getpid)


async def test_a_mind_that_closes_leaves_at_once_whatever_it_thinks_about() -> None:
    before = set(multiprocessing.active_children())
    mind = Mind(random.Random(1))
    await mind.choose(Board(), Level.CHILD)
    await mind.think(os.getpid)
    lesson = asyncio.create_task(mind.think(time.sleep, 30))
    await asyncio.sleep(0.1)
    processes = set(multiprocessing.active_children()) - before
    assert len(processes) == 2
    mind.close()
    for process in processes:
        assert wait([process.sentinel], timeout=5), "it lives"
    for thought in (lesson, mind.choose(Board(), Level.CHILD)):
        with pytest.raises(NoAnswerInTimeError, match="leaving"):
            await thought


async def test_what_is_asked_about_3x3_needs_no_process(mind: Mind) -> None:
    here, there = Board(), Board(Rules(4, 4, 4))
    assert await mind.judge(here.rules, os.getpid) == os.getpid()
    assert await mind.judge(there.rules, os.getpid) == await mind._moves.do(os.getpid)
    assert await mind.judge(here.rules, advise, here) == advise(here)


async def test_ctrl_c_is_left_to_the_bot(mind: Mind) -> None:
    for worker in (mind._moves, mind._lessons):
        process = await worker.do(os.getpid)
        os.kill(process, signal.SIGINT)
        assert await worker.do(os.getpid) == process


LEFT_BEHIND = """
import asyncio, os, random, time
from bot.mind import Mind

async def main():
    mind = Mind(random.Random(1))
    moves, lessons = await mind._moves.do(os.getpid), await mind.think(os.getpid)
    busy = asyncio.create_task(mind.think(time.sleep, 60))
    await asyncio.sleep(0.1)
    print(moves, lessons, flush=True)
    await busy

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_do_not_outlive_a_bot_that_was_killed() -> None:
    """Neither an idle one nor a busy one; what they print to is closed once all are gone."""
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LEFT_BEHIND), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout is not None
    moves, lessons = map(int, (await bot.stdout.readline()).split())
    bot.kill()
    try:
        async with asyncio.timeout(5):
            assert await bot.stdout.read() == b""
            await bot.wait()
    except TimeoutError:
        for process in (moves, lessons):
            os.kill(process, signal.SIGKILL)
        raise
