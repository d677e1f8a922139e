"""Reaching the database: engines as each kind needs them, and connections that are kept."""

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
"""What every method of the store raises when the database fails it."""


class SchemaError(StoreError):
    """The database's tables are not those of this release."""


class ClosedError(StoreError):
    """The store was closed while somebody still worked with it."""


def cause_of(error: Exception) -> str:
    """What failed, in the driver's own first line: without SQLAlchemy's statement and links."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


_WAIT_SECONDS = 2
_FRESH_SECONDS = 0.1
_SQLITE = {"timeout": _WAIT_SECONDS, "check_same_thread": False}
_SETTLE_SQLITE = ("PRAGMA synchronous=NORMAL",)
_POSTGRESQL = {
    "connect_timeout": _WAIT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "tcp_user_timeout": 1000 * _WAIT_SECONDS,
}
# The server gives up a statement by itself. Poolers refuse to be told so while connecting.
_SETTLE_POSTGRESQL = (f"SET statement_timeout = '{_WAIT_SECONDS}s'",)


def create_engine(url: URL) -> Engine:
    """An engine that waits at most a few seconds for its database.

    Each statement stands alone unless it is part of a transaction: most of what the store does is
    one statement, and needs no other to begin and to end it.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    engine = sqlalchemy.create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        poolclass=QueuePool,
        hide_parameters=True,  # an error that is logged names nobody
        max_overflow=-1,  # each thread has one at most, and how many there are is not ours to say
        connect_args=_SQLITE if is_sqlite else _POSTGRESQL,
    )
    if is_sqlite:
        event.listen(engine, "do_connect", open_existing)

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        if is_sqlite:
            _log_ahead(cursor)
        for statement in _SETTLE_SQLITE if is_sqlite else _SETTLE_POSTGRESQL:
            cursor.execute(statement)
        cursor.close()
        connection.commit()

    return engine


def _log_ahead(cursor: Any) -> None:
    """Have the file keep a write-ahead log.

    SQLite lets nobody wait for that: of those who ask at the same moment it refuses some.
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
    """Connections that are kept until they fail: fetching one anew costs as much as using it.

    Any thread may take one; while it has it, nobody else touches it but to cut it off.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._file = SqliteFile.of(engine.url)
        self._idle: deque[tuple[Connection, float]] = deque()
        self._busy_since: dict[Connection, float] = {}
        self._is_closed = False

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection whose statements each stand alone."""
        connection = self._take()
        try:
            yield connection
        except IntegrityError:
            self._give_back(connection)
            raise  # that is a rule of the tables, and no fault of the connection
        except BaseException:
            self._discard(connection)
            raise
        self._give_back(connection)

    @contextmanager
    def whole(self) -> Iterator[Connection]:
        """A connection whose statements all happen or, if an exception leaves it, none does.

        SQLite has one writer at a time: taking the write lock at BEGIN makes transactions queue.
        Taken later, at the first write, they fail with "database is locked" instead.
        """
        with self.one() as connection:
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
        raise ClosedError("the store is closed")

    def _stands(self, connection: Connection, idle_since: float) -> bool:
        """Whether it is still connected; one that was in use a moment ago is taken to be."""
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

    def break_off(self, busy_seconds: float = 0) -> None:
        """Cut the connections that have been busy for longer: whoever waits for one gets an error.

        A server that is there but says nothing would keep its callers waiting for ever.
        """
        for connection, since in self._busy_since.copy().items():
            if time.perf_counter() - since >= busy_seconds:
                _cut(connection)

    def close(self) -> None:
        """Close what is idle and cut what is busy; its thread then closes it."""
        self._is_closed = True
        self.break_off()
        self._close_idle()
        self.engine.dispose()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                _close(self._idle.pop()[0])


def _close(connection: Connection) -> None:
    """Close it for good, instead of giving it back to SQLAlchemy's pool."""
    with suppress(StoreError):
        connection.invalidate()
        connection.close()


def _cut(connection: Connection) -> None:
    drivers_own = connection.dialect.loaded_dbapi.Error
    # It may be done and closed this moment.
    with suppress(StoreError, OSError, AttributeError, drivers_own):
        driver: Any = connection.connection.dbapi_connection
        if connection.dialect.name == "sqlite":
            driver.interrupt()
            return
        wire = socket.socket(fileno=driver.pgconn.socket)
        try:
            wire.shutdown(socket.SHUT_RDWR)
        finally:
            wire.detach()  # it is psycopg's to close
