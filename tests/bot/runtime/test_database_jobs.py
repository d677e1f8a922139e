"""Functions of a connection, in threads: in time and as a whole, or not at all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy import URL, Connection

from bot.domain.match_actions import expire
from bot.domain.refusals import DatabaseTimeoutError, RefusalReason, Refused, ShuttingDownError
from bot.domain.settings import GuildSettings, Setting
from bot.features import settings
from bot.features.counting import save_match
from bot.runtime.database_jobs import DatabaseJobs, DatabaseLimits
from bot.store.database import StoreError
from bot.store.matches import add, load_match
from bot.store.store import Store
from engine import Level
from tests.bot.backend import PATIENT_DATABASE, App
from tests.bot.databases import both_databases, call, load_settings
from tests.bot.example_matches import SERVER, make_match
from tests.bot.loop_clock import LoopClock
from tests.bot.store.test_database import BUSY
from tests.bot.store.test_matches import a_match

pytestmark = pytest.mark.logs_errors

LIMITS = DatabaseLimits()

A_MOMENT = 0.1
"""For how many seconds a caller waits."""


@pytest.fixture
def store(url: URL) -> Iterator[Store]:
    store = Store.at(url)
    yield store
    store.close()


@pytest.fixture
def jobs(store: Store) -> DatabaseJobs:
    return DatabaseJobs(store.database, LIMITS)


def be_busy(connection: Connection) -> None:
    connection.exec_driver_sql(BUSY[connection.dialect.name].format(3))


def wait(_connection: Connection, over: threading.Event) -> None:
    over.wait()


async def test_work_that_takes_too_long_is_not_waited_for_but_goes_on_in_its_thread(
    jobs: DatabaseJobs,
) -> None:
    go_on, done = threading.Event(), threading.Event()

    def take_long(_connection: Connection) -> None:
        go_on.wait()
        done.set()

    with pytest.raises(DatabaseTimeoutError):
        await jobs.read(take_long, seconds=A_MOMENT)
    go_on.set()
    await jobs.finish(set(), 5)
    assert done.is_set()


async def test_work_that_waits_for_a_thread_at_shutdown_fails_as_shutting_down(
    store: Store,
) -> None:
    jobs = DatabaseJobs(store.database, replace(LIMITS, threads=1))
    busy = threading.Event()
    holding, waiting = (asyncio.ensure_future(jobs.read(wait, busy)) for _ in range(2))
    await asyncio.sleep(0)
    await jobs.finish(set(), 0.05)
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


async def test_work_that_has_not_begun_in_time_never_begins(jobs: DatabaseJobs) -> None:
    busy, begun = threading.Event(), list[int]()
    holding = [asyncio.ensure_future(jobs.read(wait, busy)) for _ in range(LIMITS.threads)]
    await asyncio.sleep(0)  # all of them begin
    with pytest.raises(DatabaseTimeoutError):
        await jobs.read(lambda _: begun.append(1), seconds=A_MOMENT)
    busy.set()
    await asyncio.gather(*holding)
    await jobs.finish(set(), 5)
    assert begun == []


@both_databases
async def test_connections_to_a_silent_database_are_aborted(store: Store) -> None:
    jobs = DatabaseJobs(store.database, replace(LIMITS, silent_seconds=A_MOMENT))
    with pytest.raises(DatabaseTimeoutError):
        await jobs.read(be_busy)
    await jobs.finish((), 5)
    assert not store.database._busy_since


async def test_when_too_many_wait_for_the_database_the_next_is_refused_at_once(
    store: Store,
) -> None:
    jobs = DatabaseJobs(store.database, replace(LIMITS, max_jobs=10))
    over = threading.Event()
    waiting = [asyncio.ensure_future(jobs.read(wait, over)) for _ in range(15)]
    await asyncio.sleep(0)
    sent_away = sum(one.done() for one in waiting)
    over.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert sent_away == 5
    assert [type(answer) for answer in answers].count(DatabaseTimeoutError) == 5
    await jobs.finish(set(), 5)


async def test_a_database_error_becomes_unavailable_with_its_cause(jobs: DatabaseJobs) -> None:
    def fail(_connection: Connection) -> None:
        raise StoreError("no such table: matches")

    with pytest.raises(DatabaseTimeoutError, match="no such table"):
        await jobs.read(fail)
    await jobs.finish(set(), 5)


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (StoreError("the database is away"), []),
        (ZeroDivisionError(), [("ERROR", "A late job has failed.")]),
    ],
)
async def test_of_late_failures_only_those_of_the_code_are_errors(
    jobs: DatabaseJobs,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    logged: list[tuple[str, str]],
) -> None:
    failing = threading.Event()

    def fail(_connection: Connection) -> None:
        failing.wait()
        raise error

    with pytest.raises(DatabaseTimeoutError):
        await jobs.read(fail, seconds=A_MOMENT)
    failing.set()
    await jobs.finish((), 5)
    timed_out = ("ERROR", "The database does not answer: not within 0.1 seconds")
    assert [line for line in lines(caplog) if line[0] == "ERROR"] == [timed_out, *logged]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


async def test_an_outage_is_logged_at_its_beginning_and_counted_at_its_end(
    jobs: DatabaseJobs, caplog: pytest.LogCaptureFixture
) -> None:

    def lose_the_database(_connection: Connection) -> None:
        raise StoreError("the server has gone")

    for _ in range(2):
        caplog.clear()
        for _ in range(3):
            with pytest.raises(DatabaseTimeoutError):
                await jobs.read(lose_the_database)
        for _ in range(3):
            jobs.record_healthy()
        assert lines(caplog) == [
            ("ERROR", "The database does not answer: the server has gone"),
            ("WARNING", "The database is well again; 3 reads and 0 writes had failed."),
        ]
    await jobs.finish(set(), 5)


async def test_writes_that_fail_while_reads_succeed_are_one_outage(
    jobs: DatabaseJobs, caplog: pytest.LogCaptureFixture
) -> None:
    def execute(connection: Connection, pragma: str) -> None:
        connection.exec_driver_sql(pragma)

    async def read_and_write() -> None:
        await jobs.read(load_match, 1)
        await jobs.change(add, a_match())

    for _ in range(3):
        await jobs.read(execute, "PRAGMA query_only = on")
        with pytest.raises(DatabaseTimeoutError, match="attempt to write a readonly database"):
            await read_and_write()
        jobs.record_healthy()  # well, for a moment
    await jobs.read(execute, "PRAGMA query_only = off")
    await read_and_write()
    jobs.record_healthy()
    jobs.record_healthy()
    assert lines(caplog) == [
        ("ERROR", "The database takes no writes: attempt to write a readonly database"),
        ("WARNING", "The database is well again; 0 reads and 3 writes had failed."),
    ]
    await jobs.finish(set(), 5)


# Transactions

PATIENCE_SECONDS = int(PATIENT_DATABASE.answer_seconds)

CHOSEN = GuildSettings(level=Level.EASY, turn_minutes=5)


def choose_both(connection: Connection) -> str:
    settings.save(connection, SERVER, Setting.LEVEL, Level.EASY)
    settings.save(connection, SERVER, Setting.TURN, 5)
    return "chosen"


@both_databases
async def test_several_writes_are_one_transaction(app: App) -> None:
    assert await app.backend.database.change(choose_both) == "chosen"
    assert load_settings(app.other_store, SERVER) == CHOSEN


@both_databases
async def test_an_error_takes_back_all_of_a_transaction(app: App) -> None:
    def choose_and_fail(connection: Connection) -> None:
        choose_both(connection)
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it is ours
        await app.backend.database.change(choose_and_fail)
    assert load_settings(app.other_store, SERVER) == GuildSettings()


@both_databases
async def test_nothing_is_stored_once_the_caller_has_given_up(app: App, clock: LoopClock) -> None:
    begun, gave_up = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def choose_late(connection: Connection) -> None:
        choose_both(connection)
        loop.call_soon_threadsafe(begun.set)
        gave_up.wait()

    caller = asyncio.create_task(app.backend.database.change(choose_late))
    await begun.wait()
    await clock.turn(PATIENCE_SECONDS, step=PATIENCE_SECONDS)
    with pytest.raises(DatabaseTimeoutError):
        await caller
    gave_up.set()
    await app.backend.database.finish((), PATIENCE_SECONDS)
    assert load_settings(app.other_store, SERVER) == GuildSettings()


@both_databases
async def test_a_commit_under_way_is_waited_for(app: App, clock: LoopClock) -> None:
    is_committing, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def commit_slowly() -> None:
        loop.call_soon_threadsafe(is_committing.set)
        go_on.wait()

    app.before_sql("COMMIT", commit_slowly)
    caller = asyncio.create_task(app.backend.database.change(choose_both))
    await is_committing.wait()
    await clock.turn(PATIENCE_SECONDS, step=PATIENCE_SECONDS)
    assert not caller.done()
    go_on.set()
    assert await caller == "chosen"
    assert load_settings(app.other_store, SERVER) == CHOSEN


@both_databases
async def test_a_transaction_that_refuses_is_committed(app: App) -> None:
    """What it found on the way stays: such as that the time of a match was up."""
    match = app.add(make_match())

    def end_and_refuse(connection: Connection) -> None:
        raise Refused(
            RefusalReason.TIME_IS_UP, pressed=save_match(connection, match, expire(match))
        )

    with pytest.raises(Refused):
        await app.backend.database.change(end_and_refuse)
    assert not app.load(match).is_live


@both_databases
async def test_nothing_is_stored_for_a_caller_that_was_cancelled(app: App) -> None:
    begun, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def choose_late(connection: Connection) -> None:
        choose_both(connection)
        loop.call_soon_threadsafe(begun.set)
        go_on.wait()

    caller = asyncio.create_task(app.backend.database.change(choose_late))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go_on.set()
    await app.backend.database.finish((), PATIENCE_SECONDS)
    assert load_settings(app.other_store, SERVER) == GuildSettings()


async def test_readers_do_not_wait_for_a_writer(jobs: DatabaseJobs) -> None:
    begun, over = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def write_long(_connection: Connection) -> None:
        loop.call_soon_threadsafe(begun.set)
        over.wait()

    writing = asyncio.ensure_future(jobs.change(write_long))
    await begun.wait()
    try:
        assert await jobs.read(load_match, 1) is None
    finally:
        over.set()
    await writing
