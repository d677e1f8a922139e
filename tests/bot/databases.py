"""Databases for tests and benchmarks."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, TypeVar

import pytest
from sqlalchemy import URL, Connection, create_engine, delete, make_url, text
from sqlalchemy.exc import OperationalError

from bot.config import parse_url
from bot.domain.matches import Match
from bot.domain.privacy import PrivacyChoices
from bot.domain.puzzles import Attempt
from bot.domain.settings import GuildSettings, Setting, SettingValue
from bot.features import choices, forgetting, puzzles, settings
from bot.store import matches
from bot.store.database import Database
from bot.store.schema import metadata
from bot.store.store import Store
from engine import Cell

Params = ParamSpec("Params")

Result = TypeVar("Result")

SERVER_VARIABLE = "TEST_DATABASE_URL"

both_databases = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"])
"""Marks a test that depends on how the database locks, or on which index it uses."""

on_sqlite = pytest.mark.parametrize("database_kind", ["sqlite"])
on_new_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_new_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
on_postgresql = pytest.mark.parametrize("database_kind", ["postgresql"])
"""On SQLite the writers of such a test would wait for each other."""


def has_server() -> bool:
    """Whether the environment names a PostgreSQL to use."""
    return bool(os.environ.get(SERVER_VARIABLE))


def skip_without_server() -> None:
    if not has_server():
        pytest.skip(f"{SERVER_VARIABLE} names no PostgreSQL")


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of a new SQLite file, or of a new schema on the PostgreSQL server."""
    name = f"velha_{secrets.token_hex(8)}"
    if kind == "sqlite":
        yield f"sqlite:///{(folder / name).as_posix()}.db"
        return
    server_url = os.environ[SERVER_VARIABLE]
    admin = create_engine(parse_url(server_url), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
        url = make_url(server_url).update_query_dict({"options": f"-csearch_path={name}"})
        try:
            yield url.render_as_string(hide_password=False)
        finally:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    admin.dispose()


def sqlite_with_tables(folder: Path) -> URL:
    """Create a database with this release's tables, by copying one: that is faster."""
    file = folder / "velha.db"
    write_sqlite_file(file)
    return parse_url(f"sqlite:///{file.as_posix()}")


def write_sqlite_file(file: Path) -> None:
    """Make a database with this release's tables."""
    file.touch(0o600)
    file.write_bytes(_sqlite_file())


@cache
def _sqlite_file() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "velha.db"
        Store.open(parse_url(f"sqlite:///{file.as_posix()}")).close()
        return file.read_bytes()


def delete_all_rows(url: URL) -> None:
    """Make the tables of a database as they are after all migrations."""
    database = Database(create_engine(url))
    with database.transaction() as connection:
        for table in metadata.sorted_tables:
            connection.execute(delete(table))
    database.close()


def stored_text(url: URL) -> str:
    """All that the tables hold, as text."""
    database = Database(create_engine(url))
    with database.connection() as connection:
        rows = [connection.execute(table.select()).all() for table in metadata.sorted_tables]
    database.close()
    return str(rows)


@contextmanager
def locked_by_another_program(url: URL) -> Iterator[None]:
    """Have another program hold the locks that a change needs; on PostgreSQL, reading, too."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            while not _try_to_lock_tables(connection):
                time.sleep(0.01)
        yield
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


def _try_to_lock_tables(connection: Connection) -> bool:
    """Lock all tables and return True; if one is in use, lock none.

    To wait for it with the others locked could be a deadlock.
    """
    connection.exec_driver_sql("BEGIN")
    try:
        tables = ", ".join(metadata.tables)
        connection.exec_driver_sql(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE NOWAIT")
    except OperationalError:
        connection.exec_driver_sql("ROLLBACK")
        return False
    return True


def wait_for_waiters(waiters: int, connection: Connection) -> None:
    """Wait until so many transactions wait for that of this connection, on PostgreSQL."""
    waiting = text(
        "SELECT count(*) FROM pg_locks"
        " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    give_up_at = time.monotonic() + 30
    while connection.execute(waiting).scalar_one() < waiters:
        assert time.monotonic() < give_up_at, "nobody waits"
        time.sleep(0.01)


def plan_of(connection: Connection, sql: str, parameters: Any) -> list[str]:
    """The lines of the query plan of a statement."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", parameters)
        return [row[3] for row in rows]
    rows = connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {sql}", parameters)
    return [row[0] for row in rows]


def call(
    store: Store,
    work: Callable[Concatenate[Connection, Params], Result],
    *args: Params.args,
    **kwargs: Params.kwargs,
) -> Result:
    """Call a function of a connection, as one transaction."""
    with store.database.transaction() as connection:
        return work(connection, *args, **kwargs)


def load_settings(store: Store, guild_id: int) -> GuildSettings:
    with store.database.connection() as connection:
        return settings.load(connection, guild_id)


def save_settings(store: Store, guild_id: int, **values: SettingValue) -> None:
    """Set some of a server's settings, by the names of fields of `GuildSettings`."""
    with store.database.transaction() as connection:
        for name, value in values.items():
            settings.save(connection, guild_id, Setting(name), value)


def save_attempt(
    store: Store,
    key: puzzles.AttemptKey,
    attempt: Attempt,
    guild_id: int | None = None,
    expected_tries: tuple[Cell, ...] = (),
) -> bool:
    return call(
        store,
        puzzles.save_attempt,
        key,
        attempt,
        expected_tries=expected_tries,
        guild_id=guild_id,
    )


def load_choices(store: Store, user_id: int) -> PrivacyChoices:
    return call(store, choices.load, user_id)


def save_choices(store: Store, user_id: int, **changes: bool) -> None:
    """Set some of a person's choices, by the names of fields of `PrivacyChoices`."""
    call(store, choices.choose, user_id, changes)


def forget_person(store: Store, user_id: int, before_id: int) -> list[Match]:
    """Have a person forgotten, as a press does; the matches that this ended."""
    return call(store, forgetting.forget, forgetting.PEOPLE, user_id, before_id)


def forget_server(store: Store, guild_id: int, before_id: int) -> list[Match]:
    """Have a server forgotten, as a press does; the matches that this ended."""
    return call(store, forgetting.forget, forgetting.SERVERS, guild_id, before_id)


def choose_puzzle_channel(store: Store, guild_id: int, channel_id: int, locale: str) -> None:
    """Have the daily puzzle posted in a channel, as a select of the form does."""
    with store.database.transaction() as connection:
        settings.choose(connection, guild_id, Setting.PUZZLE_CHANNEL, channel_id, locale)


def count_hint(store: Store, match: Match) -> bool:
    """Have a hint counted, as another process does."""
    with store.database.transaction() as connection:
        return matches.count_hint(connection, match)
