"""The database: its engine, a pool of connections, and upserts."""

from __future__ import annotations

import logging
import shutil
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Column, Connection, Engine, Executable, Table, case, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from bot.domain.refusals import DatabaseTimeoutError, Refused
from bot.store.sqlite_file import create_missing, open_existing

_TIMEOUT_SECONDS = 2

_FRESH_SECONDS = 0.1
"""A connection used this recently is assumed to work."""

_MIN_FREE_BYTES = 1_000_000

_SQLITE_ARGUMENTS = {"timeout": _TIMEOUT_SECONDS, "check_same_thread": False}

_POSTGRESQL_ARGUMENTS = {
    "connect_timeout": _TIMEOUT_SECONDS,
    "prepare_threshold": None,
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "tcp_user_timeout": 1000 * _TIMEOUT_SECONDS,
}
"""Prepared statements and time-outs would be kept in a session, which poolers share."""

_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}

_log = logging.getLogger(__name__)

_HARMLESS_ERRORS = (IntegrityError, Refused, DatabaseTimeoutError)
"""A constraint or a rule was violated, or nobody waits any longer: the connection is fine."""

StoreError = SQLAlchemyError
"""Raised by any method of the store when the database fails."""


class SchemaError(StoreError):
    """The database's tables are not those of this release."""


def driver_message(error: Exception) -> str:
    """The first line of the driver's message, without the statement and link SQLAlchemy adds."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def full_disk_hint(folder: Path) -> str:
    """What to add to an error where a disk is full: SQLite may call that an I/O error."""
    try:
        is_full = shutil.disk_usage(folder).free < _MIN_FREE_BYTES
    except OSError:
        return ""
    return " (the disk is full)" if is_full else ""


def create_engine(url: URL, *, keeps_journal: bool = False) -> Engine:
    """Create an engine that waits at most a few seconds for its database.

    It is in autocommit mode, as what only reads needs no BEGIN and COMMIT around it.
    `Database.transaction` begins transactions explicitly. With `keeps_journal`, an SQLite file is
    not switched to write-ahead logging, which would change it.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    engine = sqlalchemy.create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        poolclass=QueuePool,
        hide_parameters=True,  # errors are logged: keep user ids out of them
        max_overflow=-1,  # each thread uses one at most, and the caller limits the threads
        connect_args=_SQLITE_ARGUMENTS if is_sqlite else _POSTGRESQL_ARGUMENTS,
    )
    if is_sqlite:
        event.listen(engine, "do_connect", open_existing)
    if is_sqlite and not keeps_journal:
        event.listen(engine, "first_connect", _warn_without_wal)
        event.listen(engine, "connect", _configure_sqlite)
    return engine


def _configure_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    # In the other modes, a power cut could damage a file that is not synchronized at each commit.
    synchronous = "NORMAL" if _journal_mode(cursor) == "wal" else "FULL"
    cursor.execute(f"PRAGMA synchronous={synchronous}")
    cursor.close()
    connection.commit()


def _journal_mode(cursor: Any) -> str:
    """Ask for write-ahead logging; return the mode that SQLite uses."""
    (mode,) = cursor.execute("PRAGMA journal_mode=WAL").fetchone()
    return str(mode)


def _warn_without_wal(connection: Any, _record: object) -> None:
    mode = _journal_mode(connection.cursor())
    if mode != "wal":
        _log.warning(
            "SQLite keeps no write-ahead log here (journal_mode=%s): the file system has no shared"
            " memory, as on a network. Each move takes longer.",
            mode,
        )


def _nothing() -> None:
    pass


class Database:
    """A pool of connections that are kept until they fail.

    Getting one from SQLAlchemy's pool each time would cost as much as running a statement. Only
    the thread that took a connection uses it; other threads may cut it off.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._idle: deque[tuple[Connection, float]] = deque()
        self._busy_since: dict[Connection, float] = {}
        self._abort_lock = threading.Lock()  # held to abort connections, or to end their use
        self._has_connected = False
        self._is_closed = False
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._write_lock = threading.Lock() if self._is_sqlite else nullcontext()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Yield a connection in autocommit mode, to read: no statement waits for a writer."""
        connection = self._acquire()
        try:
            yield connection
        except _HARMLESS_ERRORS:
            self._release(connection)
            raise
        except BaseException:
            self._discard(connection)
            raise
        self._release(connection)

    @contextmanager
    def transaction(self, before_commit: Callable[[], object] = _nothing) -> Iterator[Connection]:
        """Yield a connection in a transaction, which any exception but `Refused` rolls back.

        SQLite has one writer at a time; others poll it, up to 25 ms apart. So the threads of this
        process queue for a lock, and BEGIN takes that of the file: if it was taken at the first
        write, that would fail with "database is locked" while another process writes.

        An exception in `before_commit` rolls it back, too.
        """
        with self._write_lock, self.connection() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if self._is_sqlite else "BEGIN")
            refused = None
            try:
                try:
                    yield connection
                except Refused as error:
                    refused = error
                before_commit()
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                with suppress(StoreError):
                    connection.exec_driver_sql("ROLLBACK")
                raise
            if refused is not None:
                raise refused

    def _acquire(self) -> Connection:
        while not self._is_closed:
            try:
                connection, idle_since = self._idle.pop()
            except IndexError:
                connection = self._connect()
                idle_since = time.perf_counter()
            self._busy_since[connection] = time.perf_counter()
            if self._is_usable(connection, idle_since):
                return connection
            self._discard(connection)
        raise StoreError("the store is closed")

    def _connect(self) -> Connection:
        if self._is_sqlite and not self._has_connected:
            create_missing(self.engine.url)
        connection = self.engine.connect()
        self._has_connected = True
        return connection

    def _is_usable(self, connection: Connection, idle_since: float) -> bool:
        """Whether a connection still works; if it was in use a moment ago, assume so."""
        is_fresh = time.perf_counter() - idle_since < _FRESH_SECONDS
        if is_fresh or self._is_sqlite:
            return True
        try:
            connection.exec_driver_sql("SELECT 1")
        except StoreError:
            return False
        return True

    def _release(self, connection: Connection) -> None:
        if connection.invalidated:
            return self._discard(connection)
        with self._abort_lock:
            del self._busy_since[connection]
        self._idle.append((connection, time.perf_counter()))
        if self._is_closed:
            self._close_idle()

    def _discard(self, connection: Connection) -> None:
        with self._abort_lock:
            del self._busy_since[connection]
        if connection.invalidated:  # the server has closed it, and so the idle ones
            self._close_idle()
        _close(connection)

    def abort_stuck(self, busy_seconds: float = 0) -> None:
        """Cut the connections that have been busy for at least `busy_seconds`.

        The threads that use them get an error; a silent server would block them forever.
        """
        with self._abort_lock:
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
        with suppress(IndexError):  # other threads may take from it meanwhile
            while True:
                connection, _idle_since = self._idle.pop()
                _close(connection)


def _close(connection: Connection) -> None:
    """Close a connection for good, instead of returning it to SQLAlchemy's pool."""
    with suppress(StoreError):
        connection.invalidate()
        connection.close()


def _abort(connection: Connection) -> None:
    """Make the statement that runs on another thread's connection fail at once."""
    driver_error = connection.dialect.loaded_dbapi.Error
    # The server may close it at the same moment.
    with suppress(StoreError, OSError, AttributeError, driver_error):
        driver: Any = connection.connection.dbapi_connection
        if connection.dialect.name == "sqlite":
            driver.interrupt()
            return
        _cancel_statement(driver, driver_error)
        server = socket.socket(fileno=driver.pgconn.socket)
        try:
            server.shutdown(socket.SHUT_RDWR)
        finally:
            server.detach()  # psycopg closes the socket itself


def _cancel_statement(driver: Any, driver_error: type[Exception]) -> None:
    """Have a PostgreSQL server end a statement, which would go on without its client.

    It is told by another connection, which a thread waits for.
    """

    def cancel() -> None:
        with suppress(driver_error):  # the server is out of reach
            cancellation.blocking()

    with suppress(driver_error):  # libpq is older than 17
        cancellation = driver.pgconn.cancel_conn()
        threading.Thread(target=cancel, daemon=True).start()


def insert_new(connection: Connection, table: Table, **values: object) -> bool:
    """Insert a row; return False if a primary key or a unique index has its values already."""
    return connection.execute(_insert_new(connection.dialect.name, table), values).rowcount == 1


@cache
def _insert_new(dialect: str, table: Table) -> Executable:
    statement = _INSERTS[dialect](table).on_conflict_do_nothing()
    # Else SQLAlchemy does not know whether there is a row more.
    return statement.execution_options(preserve_rowcount=True)


def replace_rows(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert whole rows, replacing those with the same primary keys."""
    connection.execute(_replace_rows(connection.dialect.name, table), rows)


@cache
def _replace_rows(dialect: str, table: Table) -> Executable:
    statement = _INSERTS[dialect](table)
    values = {column.name: statement.excluded[column.name] for column in table.c}
    return statement.on_conflict_do_update(index_elements=table.primary_key, set_=values)


def upsert(connection: Connection, key: Column[Any], key_value: object, **values: object) -> None:
    """Set values in the row whose primary key is `key_value`, or insert it."""
    _upsert(connection, key, {key.name: key_value, **values}, values)


def upsert_latest(
    connection: Connection, column: Column[Any], value: int, *, key_value: int, **values: object
) -> None:
    """Like `upsert`, but the number in `column` stays if it is larger than `value`."""
    (key,) = column.table.primary_key
    latest = case((column > value, column), else_=value)
    row = {key.name: key_value, column.name: value, **values}
    _upsert(connection, key, row, {column.name: latest, **values})


def _upsert(
    connection: Connection, key: Column[Any], row: dict[str, Any], changes: dict[str, Any]
) -> None:
    insert = _INSERTS[connection.dialect.name]
    statement = insert(key.table).values(row)
    connection.execute(statement.on_conflict_do_update(index_elements=[key], set_=changes))
