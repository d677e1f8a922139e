"""Every press is answered within three seconds, whatever the database does: on a real clock."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import URL

from bot.domain.refusals import DatabaseTimeoutError, ShuttingDownError
from bot.runtime.executor import Executor, ExecutorLimits
from bot.store.database import StoreError
from bot.store.matches import add
from bot.store.store import Store
from tests.bot.databases import call
from tests.bot.store.test_matches import a_match

pytestmark = pytest.mark.logs_errors

PATIENT = ExecutorLimits()


A_MOMENT, LONG = 0.1, 4
"""For how many seconds a caller waits."""


@pytest.fixture
def executor() -> Executor:
    return Executor(PATIENT, ignore)


def ignore(_seconds: float) -> None:
    """Nothing is silent that could be broken off."""


async def test_work_that_takes_too_long_is_not_waited_for_but_goes_on_in_its_thread(
    executor: Executor,
) -> None:
    go_on, done = threading.Event(), threading.Event()

    def take_long() -> None:
        go_on.wait()
        done.set()

    with pytest.raises(DatabaseTimeoutError):
        await executor.run(take_long, A_MOMENT)
    go_on.set()
    await executor.finish(set(), 5)
    assert done.is_set()


async def test_work_that_waits_for_a_thread_at_shutdown_fails_as_shutting_down() -> None:
    executor = Executor(replace(PATIENT, threads=1), ignore)
    busy = threading.Event()
    holding, waiting = (asyncio.ensure_future(executor.run(busy.wait, LONG)) for _ in range(2))
    await asyncio.sleep(0)
    await executor.finish(set(), 0.05)
    busy.set()
    await holding
    with pytest.raises(ShuttingDownError):
        await waiting


async def test_a_store_is_closed_while_threads_work_on_it(url: URL) -> None:
    """They may fail, but nothing worse happens: SQLite has no mercy on a connection shared."""
    store = Store.at(url)

    def work() -> None:
        with suppress(StoreError):
            for number in range(10_000):
                call(store, add, a_match(number, channel_id=number))

    with ThreadPoolExecutor(4) as threads:
        working = [threads.submit(work) for _ in range(4)]
        await asyncio.sleep(0.1)
        store.close()
    assert all(done.exception() is None for done in working)


async def test_work_that_has_not_begun_in_time_never_begins(executor: Executor) -> None:
    busy, begun = threading.Event(), list[int]()
    holding = [asyncio.ensure_future(executor.run(busy.wait, LONG)) for _ in range(PATIENT.threads)]
    await asyncio.sleep(0)  # all of them begin
    with pytest.raises(DatabaseTimeoutError):
        await executor.run(partial(begun.append, 1), A_MOMENT)
    busy.set()
    await asyncio.gather(*holding)
    await executor.finish(set(), 5)
    assert begun == []


async def test_connections_to_a_silent_database_are_aborted() -> None:
    cut_after, over = list[float](), threading.Event()

    def abort_stuck(seconds: float) -> None:
        cut_after.append(seconds)
        over.set()

    limits = replace(PATIENT, silent_seconds=0.1)
    executor = Executor(limits, abort_stuck)
    with pytest.raises(DatabaseTimeoutError):
        await executor.run(partial(over.wait, 2), 0)
    await executor.finish((), 5)
    assert cut_after == [0.1]


async def test_when_too_many_wait_for_the_database_the_next_is_refused_at_once() -> None:
    executor = Executor(replace(PATIENT, max_jobs=10), ignore)
    over = threading.Event()
    waiting = [asyncio.ensure_future(executor.run(over.wait, LONG)) for _ in range(15)]
    await asyncio.sleep(0)
    sent_away = sum(one.done() for one in waiting)
    over.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert sent_away == 5
    assert [type(answer) for answer in answers].count(DatabaseTimeoutError) == 5
    await executor.finish(set(), 5)


async def test_a_database_error_becomes_unavailable_with_its_cause(executor: Executor) -> None:
    def fail() -> None:
        raise StoreError("no such table: matches")

    with pytest.raises(DatabaseTimeoutError, match="no such table"):
        await executor.run(fail, LONG)
    await executor.finish(set(), 5)


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (StoreError("the database is away"), []),
        (ZeroDivisionError(), [("ERROR", "A late job has failed.")]),
    ],
)
async def test_of_late_failures_only_those_of_the_code_are_errors(
    executor: Executor,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    logged: list[tuple[str, str]],
) -> None:
    failing = threading.Event()

    def fail() -> None:
        failing.wait()
        raise error

    with pytest.raises(DatabaseTimeoutError):
        await executor.run(fail, A_MOMENT)
    failing.set()
    await executor.finish((), 5)
    timed_out = ("ERROR", "The database does not answer: not within 0.1 seconds")
    assert [line for line in lines(caplog) if line[0] == "ERROR"] == [timed_out, *logged]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


async def test_an_outage_is_logged_at_its_beginning_and_counted_at_its_end(
    executor: Executor, caplog: pytest.LogCaptureFixture
) -> None:

    def lose_the_database() -> None:
        raise StoreError("the server has gone")

    for _ in range(2):
        caplog.clear()
        for _ in range(3):
            with pytest.raises(DatabaseTimeoutError):
                await executor.run(lose_the_database, LONG)
        for _ in range(3):
            executor.record_healthy()
        assert lines(caplog) == [
            ("ERROR", "The database does not answer: the server has gone"),
            ("WARNING", "The database is well again; 3 reads and 0 writes had failed."),
        ]
    await executor.finish(set(), 5)


async def test_writes_that_fail_while_reads_succeed_are_one_outage(
    url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store.at(url)
    executor = Executor(PATIENT, store.abort_stuck)

    def execute(pragma: str) -> None:
        with store.database.autocommit() as connection:
            connection.exec_driver_sql(pragma)

    async def read_and_write() -> None:
        await executor.run(partial(store.key_values.get, "a fact"), LONG)
        await executor.run(partial(store.key_values.put, "a fact", "told"), LONG)

    for _ in range(3):
        await executor.run(partial(execute, "PRAGMA query_only = on"), LONG)
        with pytest.raises(DatabaseTimeoutError, match="attempt to write a readonly database"):
            await read_and_write()
        executor.record_healthy()  # well, for a moment
    await executor.run(partial(execute, "PRAGMA query_only = off"), LONG)
    await read_and_write()
    executor.record_healthy()
    executor.record_healthy()
    assert lines(caplog) == [
        ("ERROR", "The database takes no writes: attempt to write a readonly database"),
        ("WARNING", "The database is well again; 0 reads and 3 writes had failed."),
    ]
    await executor.finish(set(), 5)
    store.close()
