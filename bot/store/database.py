"""The database: its engine, a pool of connections, and upserts."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import sqlalchemy
from sqlalchemy import URL, Column, Connection, Engine, case, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool


class MovedError(SQLAlchemyError):
    """The database file was moved away or replaced."""


def open_existing(_dialect: Any, _record: Any, given: list[Any], options: dict[str, Any]) -> None:
    """Make SQLite open existing files only: a listener for an engine's `do_connect`."""
    if given[0] != ":memory:" and not options.get("uri"):
        given[0] = f"{Path(given[0]).as_uri()}?mode=rw"
        options["uri"] = True


class SqliteFile:
    """A database file, recognized by its path, device and inode."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, url: URL) -> Self | None:
        """The file of a URL; None for a server, an in-memory database or a `file:` URI."""
        is_path = url.get_backend_name() == "sqlite" and "uri" not in url.query
        if not is_path or url.database in (None, "", ":memory:"):
            return None
        return cls(Path(str(url.database)).absolute())

    def check(self) -> None:
        """Check that the file is still the same; the first time, create it if it is missing.

        Raises:
            MovedError: It is missing, or another is in its place. Nothing should be opened now.
        """
        if self._identity is None:
            self._make()
            self._identity = self._look()
        elif (found := self._look()) != self._identity:
            what = "another file is in its place" if found else "it was moved away"
            raise MovedError(f"{self._path}: {what}")

    def _look(self) -> tuple[int, int] | None:
        with suppress(OSError):
            found = self._path.stat()
            return found.st_dev, found.st_ino
        return None

    def _make(self) -> None:
        """Create the file for its owner only; SQLite gives -wal and -shm files the same mode."""
        with suppress(OSError):  # it exists, or cannot be created: then SQLite says why
            file = self._path.resolve()
            journal = file.with_name(f"{file.name}-wal")
            if journal.exists() and not file.exists():
                raise MovedError(f"{journal} is there, but not the file to which it belongs")
            file.touch(0o600, exist_ok=False)


StoreError = SQLAlchemyError
"""Raised by any method of the store when the database fails."""


class SchemaError(StoreError):
    """The database's tables are not those of this release."""


def error_summary(error: Exception) -> str:
    """The first line of the driver's message, without the statement and link SQLAlchemy adds."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


_WAIT_SECONDS = 2

_FRESH_SECONDS = 0.1

_SQLITE = {"timeout": _WAIT_SECONDS, "check_same_thread": False}

_POSTGRESQL = {
    "connect_timeout": _WAIT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "tcp_user_timeout": 1000 * _WAIT_SECONDS,
}


def create_engine(url: URL) -> Engine:
    """Create an engine that waits at most a few seconds for its database.

    It is in autocommit mode, as most methods of the store run a single statement, which needs no
    BEGIN and COMMIT around it. `Database.transaction` begins transactions explicitly.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    engine = sqlalchemy.create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        poolclass=QueuePool,
        hide_parameters=True,  # errors are logged: keep user ids out of them
        max_overflow=-1,  # each thread uses one at most, and the caller limits the threads
        connect_args=_SQLITE if is_sqlite else _POSTGRESQL,
    )
    if is_sqlite:
        event.listen(engine, "do_connect", open_existing)

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        if is_sqlite:
            _use_write_ahead_log(cursor)
            cursor.execute("PRAGMA synchronous=NORMAL")
        else:  # cancel slow statements; poolers refuse this setting as a connection parameter
            cursor.execute(f"SET statement_timeout = '{_WAIT_SECONDS}s'")
        cursor.close()
        connection.commit()

    return engine


def _use_write_ahead_log(cursor: Any) -> None:
    """Switch the file to write-ahead logging, with retries.

    SQLite's timeout does not apply here: of several simultaneous attempts, some fail at once.
    """
    give_up = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


class Database:
    """A pool of connections that are kept until they fail.

    Getting one from SQLAlchemy's pool each time would cost as much as running a statement. A
    connection belongs to the thread that took it; others touch it only to cut it off.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._file = SqliteFile.of(engine.url)
        self._idle: deque[tuple[Connection, float]] = deque()
        self._busy_since: dict[Connection, float] = {}
        self._is_closed = False

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Yield a connection in autocommit mode: each statement is a transaction of its own."""
        connection = self._take()
        try:
            yield connection
        except IntegrityError:
            self._give_back(connection)
            raise  # a constraint was violated: the connection is fine
        except BaseException:
            self._discard(connection)
            raise
        self._give_back(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a connection in a transaction, which an exception rolls back.

        SQLite has one writer at a time: taking the write lock at BEGIN makes transactions queue.
        If they took it at their first write, they would fail with "database is locked" instead.
        """
        with self.autocommit() as connection:
            is_sqlite = self.engine.dialect.name == "sqlite"
            connection.exec_driver_sql("BEGIN IMMEDIATE" if is_sqlite else "BEGIN")
            try:
                yield connection
            except BaseException:
                with suppress(StoreError):
                    connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    def _take(self) -> Connection:
        while not self._is_closed:
            if self._file is not None:
                self._file.check()
            try:
                connection, idle_since = self._idle.pop()
            except IndexError:
                connection, idle_since = self.engine.connect(), time.perf_counter()
            self._busy_since[connection] = time.perf_counter()
            if self._stands(connection, idle_since):
                return connection
            self._discard(connection)
        raise StoreError("the store is closed")

    def _stands(self, connection: Connection, idle_since: float) -> bool:
        """Whether a connection still works; it is assumed to if it was in use a moment ago."""
        is_fresh = time.perf_counter() - idle_since < _FRESH_SECONDS
        if is_fresh or self.engine.dialect.name == "sqlite":
            return True
        try:
            connection.exec_driver_sql("SELECT 1")
        except StoreError:
            return False
        return True

    def _give_back(self, connection: Connection) -> None:
        del self._busy_since[connection]
        self._idle.append((connection, time.perf_counter()))
        if self._is_closed:
            self._close_idle()

    def _discard(self, connection: Connection) -> None:
        del self._busy_since[connection]
        _close(connection)

    def abort_stuck(self, busy_seconds: float = 0) -> None:
        """Cut the connections that have been busy for at least `busy_seconds`.

        The threads that use them get an error; a silent server would block them for ever.
        """
        for connection, since in self._busy_since.copy().items():
            if time.perf_counter() - since >= busy_seconds:
                _abort(connection)

    def close(self) -> None:
        """Close idle connections and cut busy ones, which their threads then close."""
        self._is_closed = True
        self.abort_stuck()
        self._close_idle()
        self.engine.dispose()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                _close(self._idle.pop()[0])


def _close(connection: Connection) -> None:
    """Close a connection for good, instead of returning it to SQLAlchemy's pool."""
    with suppress(StoreError):
        connection.invalidate()
        connection.close()


def _abort(connection: Connection) -> None:
    drivers_own = connection.dialect.loaded_dbapi.Error
    # Its thread may close it at the same moment.
    with suppress(StoreError, OSError, AttributeError, drivers_own):
        driver: Any = connection.connection.dbapi_connection
        if connection.dialect.name == "sqlite":
            driver.interrupt()
            return
        wire = socket.socket(fileno=driver.pgconn.socket)
        try:
            wire.shutdown(socket.SHUT_RDWR)
        finally:
            wire.detach()  # psycopg closes the socket itself


_INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def upsert(connection: Connection, key: Column[Any], key_value: object, **values: object) -> None:
    """Set values in the row whose primary key is `key_value`, or insert it."""
    _upsert(connection, key, {key.name: key_value, **values}, values)


def upsert_latest(
    connection: Connection, column: Column[Any], key_value: int, value: int, **values: str | int
) -> None:
    """Like `upsert`, but the number in `column` stays if it is larger than `value`."""
    (key,) = column.table.primary_key
    latest = case((column > value, column), else_=value)
    row = {key.name: key_value, column.name: value, **values}
    _upsert(connection, key, row, {column.name: latest, **values})


def _upsert(
    connection: Connection, key: Column[Any], row: dict[str, Any], change: dict[str, Any]
) -> None:
    inserted = _INSERTS[connection.dialect.name](key.table).values(row)
    connection.execute(inserted.on_conflict_do_update(index_elements=[key], set_=change))
