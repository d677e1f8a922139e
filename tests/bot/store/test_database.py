"""Connections: how they are set up, and what becomes of them when the store is closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import URL, Connection, event, insert, select, text

from bot.domain.refusals import DatabaseTimeoutError
from bot.runtime.database_jobs import DatabaseJobs, DatabaseLimits
from bot.store.database import Database, StoreError, create_engine
from bot.store.match_rows import to_row
from bot.store.matches import add, load_match
from bot.store.schema import matches
from bot.store.store import Store
from tests.bot.databases import call, locked_by_another_program, on_postgresql, on_sqlite
from tests.bot.store.test_matches import a_match


@pytest.fixture
def database(url: URL) -> Iterator[Database]:
    database = Database(create_engine(url))
    yield database
    database.close()


@on_sqlite
def test_every_connection_uses_write_ahead_logging(database: Database) -> None:
    with database.connection() as first, database.connection() as second:
        for connection in (first, second):
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
            normal = 1
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == normal


@on_sqlite
def test_threads_that_write_wait_for_each_other_without_polling(url: URL) -> None:
    engine = create_engine(url)
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA busy_timeout=0"))
    database = Database(engine)
    with database.transaction() as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (number INTEGER)")

    def insert(number: int) -> None:
        with database.transaction() as connection:
            connection.exec_driver_sql("INSERT INTO numbers VALUES (?)", (number,))
            time.sleep(0.001)  # give the others a turn

    with ThreadPoolExecutor(max_workers=4) as threads:
        list(threads.map(insert, range(40)))
    with database.connection() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM numbers").scalar_one() == 40
    database.close()


@on_postgresql
def test_connections_keep_nothing_in_their_sessions(database: Database) -> None:
    """Poolers hand those to other programs between two transactions."""
    for _ in range(10):
        with database.transaction() as connection:
            connection.execute(text("SELECT :number"), {"number": 1})
    with database.connection() as connection:
        for number in range(10):
            connection.execute(text("SELECT :number"), {"number": number})
        for kept in (
            "SELECT name FROM pg_settings WHERE source = 'session'",
            "SELECT name FROM pg_prepared_statements",
            "SELECT 'a lock' FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
        ):
            assert connection.exec_driver_sql(kept).all() == []


def test_a_closed_store_cannot_be_used(url: URL) -> None:
    store = Store.at(url)
    call(store, add, a_match())
    store.close()
    for _ in range(2):
        with pytest.raises(StoreError, match="closed"):
            call(store, load_match, 1)


def test_a_refusal_by_the_tables_costs_no_connection(url: URL) -> None:
    """Whoever is refused by a rule of the tables gives the connection back all the same."""
    store, made = Store.at(url), list[object]()
    event.listen(store.database.engine, "connect", lambda *_: made.append(1))
    assert [call(store, add, a_match(number)) for number in range(1, 5)] == [
        True,
        False,
        False,
        False,
    ]
    assert made == [1], "the first"
    store.close()


@pytest.mark.logs_errors
async def test_a_late_transaction_stores_nothing_and_costs_no_connection(url: URL) -> None:
    """Else, under overload, PostgreSQL would be asked to log in anew for each."""
    store, made, go_on = Store.at(url), list[object](), threading.Event()
    event.listen(store.database.engine, "connect", lambda *_: made.append(1))
    jobs = DatabaseJobs(store.database, DatabaseLimits(threads=1))

    def be_late(connection: Connection) -> None:
        add(connection, a_match())
        go_on.wait()

    for _ in range(3):
        go_on.clear()
        with pytest.raises(DatabaseTimeoutError):
            await jobs.change(be_late, seconds=0.1)
        go_on.set()
        assert await jobs.read(load_match, 1) is None
    assert made == [1], "the first"
    await jobs.finish((), 5)
    store.close()


def test_a_connection_in_use_is_closed_after_the_store(url: URL) -> None:
    database = Database(create_engine(url))
    with database.connection() as connection:
        database.close()
    assert connection.closed


BUSY = {
    "sqlite": (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {} * 5000000) "
        "SELECT max(x) FROM n"
    ),
    "postgresql": "SELECT pg_sleep({} * 1.5)",
}
"""What keeps a connection busy for some seconds, or for a part of that."""


def be_busy(database: Database, part: float) -> None:
    with database.connection() as connection:
        connection.exec_driver_sql(BUSY[connection.dialect.name].format(part))


@pytest.mark.parametrize("cut", [Database.abort_stuck, Database.close])
def test_waiting_for_a_silent_database_can_be_aborted(
    database: Database, cut: Callable[[Database], None]
) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(be_busy, database, 1)
        while not database._busy_since:
            time.sleep(0.001)
        while not waiting.done():
            cut(database)
            time.sleep(0.01)
        assert isinstance(waiting.exception(), StoreError)


def wait_for_lock(database: Database) -> None:
    with database.connection() as connection:
        connection.exec_driver_sql("UPDATE matches SET hints = 9")


@on_postgresql
def test_a_statement_that_was_cut_off_is_not_executed_later(url: URL, database: Database) -> None:
    """Nor does the server keep its session until then: it has only so many."""
    with database.transaction() as connection:
        connection.execute(insert(matches).values(to_row(a_match())))
    with database.connection() as connection:
        session = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    is_there = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
    waits = text(f"{is_there} AND wait_event_type = 'Lock'")
    with locked_by_another_program(url), ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait_for_lock, database)
        while not database._busy_since:
            time.sleep(0.001)
        with database.connection() as connection:
            while not connection.execute(waits, {"pid": session}).scalar_one():
                time.sleep(0.001)
        database.abort_stuck()
        assert isinstance(waiting.exception(), StoreError)
        with database.connection() as connection:
            while connection.execute(is_there, {"pid": session}).scalar_one():
                time.sleep(0.01)
    with database.connection() as connection:
        assert connection.execute(select(matches.c.hints)).scalar_one() == 0


def test_a_connection_that_has_not_waited_as_long_is_left_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its idle time does not count."""
    be_busy(database, 0)
    hour_later = time.perf_counter() + 3600
    monkeypatch.setattr(time, "perf_counter", lambda: hour_later)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(be_busy, database, 0.05)
        while not waiting.done():
            database.abort_stuck(1000)
            time.sleep(0.01)
        assert waiting.exception() is None


def close(connection: Connection) -> None:
    connection.close()


def close_beneath(connection: Connection) -> None:
    driver = connection.connection.dbapi_connection
    assert driver is not None
    driver.close()


@pytest.mark.parametrize("reason", [close, close_beneath])
def test_aborting_a_connection_that_was_just_closed_does_nothing(
    database: Database, reason: Callable[[Connection], None]
) -> None:
    with database.connection() as connection:
        reason(connection)
        database.abort_stuck()
