"""Connecting to the database: an engine for either kind, and a pool of connections."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from bot.store.file import SqliteFile, open_existing

StoreError = SQLAlchemyError
"""Raised by any method of the store when the database fails."""


class SchemaError(StoreError):
    """The database's tables are not those of this release."""


def cause_of(error: Exception) -> str:
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
    BEGIN and COMMIT around it. `Connections.transaction` begins transactions explicitly.
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
            _log_ahead(cursor)
            cursor.execute("PRAGMA synchronous=NORMAL")
        else:  # cancel slow statements; poolers refuse this setting as a connection parameter
            cursor.execute(f"SET statement_timeout = '{_WAIT_SECONDS}s'")
        cursor.close()
        connection.commit()

    return engine


def _log_ahead(cursor: Any) -> None:
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


class Connections:
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

    def cut_busy(self, busy_seconds: float = 0) -> None:
        """Cut the connections that have been busy for at least `busy_seconds`.

        The threads that use them get an error; a silent server would block them for ever.
        """
        for connection, since in self._busy_since.copy().items():
            if time.perf_counter() - since >= busy_seconds:
                _cut(connection)

    def close(self) -> None:
        """Close idle connections and cut busy ones, which their threads then close."""
        self._is_closed = True
        self.cut_busy()
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


def _cut(connection: Connection) -> None:
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
