"""A process to think in: it is killed, hangs, is kept busy and left behind.

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from bot.domain.refusals import OverloadedError, ShuttingDownError
from bot.runtime.bounded_lock import BoundedLock, QueueLimits
from bot.runtime.worker_process import WorkerProcess
from engine import Board, Level, Rules, choose_move
from tests.bot.limits import PATIENT_QUEUE

ROOT = Path(__file__).parents[3]
SEEDS = range(6)

Open = Callable[[QueueLimits], WorkerProcess]


@pytest.fixture
def open_pool() -> Iterator[Open]:
    before, pools = set(multiprocessing.active_children()), list[WorkerProcess]()

    def open_one(limits: QueueLimits) -> WorkerProcess:
        pools.append(WorkerProcess("tests", limits))
        return pools[-1]

    yield open_one
    for one in pools:
        one.close()
    for process in set(multiprocessing.active_children()) - before:
        process.kill()
        process.join()


@pytest.fixture
def pool(open_pool: Open) -> WorkerProcess:
    return open_pool(PATIENT_QUEUE)


def imported() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def die_the_first_time(marker: Path) -> int:
    """Kill the process it runs in, unless it has done so before."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def die_soon() -> None:
    """Kill the process it runs in, but not so soon that many are started for it."""
    time.sleep(1)
    os._exit(1)


def stop_for_ever() -> None:
    """Hang, as a process does that waits for what never comes."""
    os.kill(os.getpid(), signal.SIGSTOP)


def wait_for(marker: Path) -> None:
    """Be busy until a file is there; another says that it has begun."""
    _begun(marker).touch()
    while not marker.exists():
        time.sleep(0.01)


def _begun(marker: Path) -> Path:
    return marker.with_suffix(".begun")


async def until_begun(marker: Path) -> None:
    """Wait until a process waits for a file."""
    async with asyncio.timeout(60):
        while not _begun(marker).exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)


async def test_a_seed_gives_the_same_moves_in_the_worker_as_here(pool: WorkerProcess) -> None:
    board = Board(Rules(5, 5, 5))
    for seed in SEEDS:
        there = await pool.run(choose_move, board, Level.CHILD, random.Random(seed))
        assert there == choose_move(board, Level.CHILD, random.Random(seed))


async def test_exceptions_in_the_worker_are_raised_here(pool: WorkerProcess) -> None:
    with pytest.raises(ValueError, match="the game is over"):
        await pool.run(choose_move, Board.parse("xxx oo. ..."), Level.PERFECT, random.Random(1))


async def test_the_worker_imports_the_engine_but_neither_discord_nor_the_database(
    pool: WorkerProcess,
) -> None:
    await pool.run(choose_move, Board(), Level.CHILD, random.Random(1))
    there = await pool.run(imported)
    assert "engine" in there
    assert not there & {"discord", "sqlalchemy", "aiohttp", "babel", "alembic", "simcord"}


# What becomes of the process


async def test_a_killed_process_is_replaced(pool: WorkerProcess) -> None:
    killed = await pool.run(os.getpid)
    os.kill(killed, signal.SIGKILL)
    assert await pool.run(os.getpid) != killed


async def test_jobs_of_a_killed_process_run_again_in_one_new_process(
    pool: WorkerProcess, tmp_path: Path
) -> None:
    both = pool.run(die_the_first_time, tmp_path / "died"), pool.run(os.getpid)
    first, second = await asyncio.gather(*both)
    assert first == second == await pool.run(os.getpid)


async def test_a_job_that_kills_every_process_is_given_up_and_harms_no_other(
    open_pool: Open, caplog: pytest.LogCaptureFixture
) -> None:
    pool = open_pool(replace(PATIENT_QUEUE, run_seconds=4))
    with pytest.raises(OverloadedError):
        await pool.run(die_soon)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert await pool.run(os.getpid) != os.getpid()


async def test_a_process_that_hangs_is_replaced_and_the_next_job_is_answered(
    open_pool: Open, caplog: pytest.LogCaptureFixture
) -> None:
    pool = open_pool(replace(PATIENT_QUEUE, run_seconds=4))
    hanging = await pool.run(os.getpid)
    stuck, next_in_turn = await asyncio.gather(
        pool.run(stop_for_ever), pool.run(os.getpid), return_exceptions=True
    )
    assert isinstance(stuck, OverloadedError)
    assert next_in_turn != hanging
    assert [record.levelname for record in caplog.records] == ["WARNING"]


# How many may wait, and how long


async def test_when_too_many_wait_the_next_is_refused_and_it_is_logged_once(
    open_pool: Open, caplog: pytest.LogCaptureFixture
) -> None:
    pool = open_pool(replace(PATIENT_QUEUE, max_waiting=2))
    asked = [pool.run(time.sleep, 0.2) for _ in range(6)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers] == [type(None)] * 3 + [OverloadedError] * 3
    assert len(caplog.records) == 1
    await pool.run(time.sleep, 0)


async def test_the_next_overload_is_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    queue = BoundedLock("tests", replace(PATIENT_QUEUE, max_waiting=1))
    for _ in range(2):
        await queue.acquire()
        waiting = asyncio.create_task(queue.acquire())
        await asyncio.sleep(0)
        for _ in range(2):
            with pytest.raises(OverloadedError, match="too many wait for tests: 1"):
                await queue.acquire()
        queue.release()
        await waiting
        queue.release()
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2


async def test_a_job_that_waits_too_long_is_refused(open_pool: Open) -> None:
    pool = open_pool(replace(PATIENT_QUEUE, wait_seconds=0.3))
    await pool.run(os.getpid)
    answers = await asyncio.gather(
        pool.run(time.sleep, 1.5), pool.run(os.getpid), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [type(None), OverloadedError]


async def test_a_cancelled_job_that_has_not_begun_never_begins(
    pool: WorkerProcess, tmp_path: Path
) -> None:
    await pool.run(os.getpid)
    busy = asyncio.create_task(pool.run(wait_for, tmp_path / "over"))
    unwanted = asyncio.create_task(pool.run(Path.touch, tmp_path / "unwanted"))
    await until_begun(tmp_path / "over")
    unwanted.cancel()
    (tmp_path / "over").touch()
    await busy
    await pool.run(os.getpid)
    assert not (tmp_path / "unwanted").exists()


async def test_cancelling_a_running_job_lets_no_other_job_run_beside_it(
    open_pool: Open, tmp_path: Path
) -> None:
    pool = open_pool(replace(PATIENT_QUEUE, max_waiting=1))
    await pool.run(os.getpid)
    unwanted = asyncio.create_task(pool.run(wait_for, tmp_path / "over"))
    await until_begun(tmp_path / "over")
    unwanted.cancel()
    with suppress(asyncio.CancelledError):
        await unwanted
    waiting = asyncio.create_task(pool.run(os.getpid))
    await asyncio.sleep(0)
    with pytest.raises(OverloadedError):
        await pool.run(os.getpid)
    (tmp_path / "over").touch()
    await waiting


# Leaving


async def test_closing_ends_the_process_at_once_whatever_it_computes(
    pool: WorkerProcess, tmp_path: Path
) -> None:
    before = set(multiprocessing.active_children())
    thought = asyncio.create_task(pool.run(wait_for, tmp_path / "never"))
    waiting = asyncio.create_task(pool.run(os.getpid))
    await until_begun(tmp_path / "never")
    (process,) = set(multiprocessing.active_children()) - before
    pool.close()
    assert wait([process.sentinel], timeout=20), "it lives"
    for one in (thought, waiting, pool.run(os.getpid)):
        with pytest.raises(ShuttingDownError):
            await one


def test_jobs_under_way_when_the_event_loop_ends_leave_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """`asyncio.run` cancels what is left, and logs every error to which that leads."""

    async def leave() -> None:
        pool = WorkerProcess("tests", PATIENT_QUEUE)
        jobs = [asyncio.create_task(pool.run(time.sleep, 60)) for _ in range(3)]
        await asyncio.sleep(0.1)
        pool.close()
        assert not any(job.done() for job in jobs)

    asyncio.run(leave())
    assert not caplog.messages


async def test_the_worker_leaves_ctrl_c_to_the_bot(pool: WorkerProcess) -> None:
    process = await pool.run(os.getpid)
    os.kill(process, signal.SIGINT)
    assert await pool.run(os.getpid) == process


WITH_CTRL_C = """
import asyncio, os, signal, time
from contextlib import suppress
from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.worker_process import WorkerProcess

async def main():
    limits = QueueLimits(max_waiting=1, wait_seconds=60, run_seconds=60)
    idle, busy = WorkerProcess("idle", limits), WorkerProcess("busy", limits)
    process = await idle.run(os.getpid)
    await busy.run(os.getpid)
    thought = asyncio.create_task(busy.run(time.sleep, 60))
    await asyncio.sleep(0.1)
    print("thinking", flush=True)
    with suppress(asyncio.CancelledError):
        await thought
    if await idle.run(os.getpid) != process:
        print("it did not survive")
    idle.close()
    busy.close()
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0.01)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_ctrl_c_reaches_all_processes_and_none_shows_a_traceback() -> None:
    """A terminal sends it to the bot and to what it thinks in, idle or in mid-thought."""
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WITH_CTRL_C),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert bot.stdout is not None
    await bot.stdout.readline()
    os.killpg(bot.pid, signal.SIGINT)
    async with asyncio.timeout(60):
        assert await bot.communicate() == (b"", b"")


LEFT_BEHIND = """
import asyncio, os, time
from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.worker_process import WorkerProcess

async def main():
    limits = QueueLimits(max_waiting=1, wait_seconds=60, run_seconds=60)
    idle, busy = WorkerProcess("idle", limits), WorkerProcess("busy", limits)
    print(await idle.run(os.getpid), await busy.run(os.getpid), flush=True)
    await busy.run(time.sleep, 60)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_do_not_outlive_a_bot_that_was_killed() -> None:
    """Neither an idle one nor a busy one; what they print to is closed once all are gone."""
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LEFT_BEHIND), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout is not None
    idle, busy = map(int, (await bot.stdout.readline()).split())
    bot.kill()
    try:
        async with asyncio.timeout(20):
            assert await bot.stdout.read() == b""
            await bot.wait()
    except TimeoutError:
        for process in (idle, busy):
            os.kill(process, signal.SIGKILL)
        raise
