"""Reaching the database: URLs as hosts hand them out, engines as each database needs them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

StoreError = SQLAlchemyError
"""What every method of the store raises when the database fails it."""


class SchemaError(StoreError):
    """The database's tables are not those of this release."""


def cause_of(error: Exception) -> str:
    """What failed, in the driver's own first line: without SQLAlchemy's statement and links."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}
_WAIT_SECONDS = 2


class DatabaseUrlError(ValueError):
    """A database URL that is malformed, or names a database we do not speak to."""


def async_url(text: str) -> URL:
    """The URL as SQLAlchemy needs it; which driver speaks to the database is our business.

    Raises:
        DatabaseUrlError: The message is safe to show: it never holds the password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise DatabaseUrlError("it is not a well-formed URL, such as sqlite:///velha.db") from None
    if url.drivername not in _DRIVERS:
        known = ", ".join(f"{scheme}://" for scheme in _DRIVERS)
        raise DatabaseUrlError(f"it begins with {url.drivername}://, not with one of {known}")
    if "@" in (url.host or ""):
        raise DatabaseUrlError("write an @ in its password as %40")
    return _with_known_password(url).set(drivername=_DRIVERS[url.drivername])


def _with_known_password(url: URL) -> URL:
    """The URL with its password where it is known for one, and hidden wherever the URL is shown."""
    if "password" not in url.query:
        return url
    return url.difference_update_query(["password"]).set(password=str(url.query["password"]))


def create_engine(url: URL) -> AsyncEngine:
    """An engine that waits at most a few seconds for its database."""
    if url.get_backend_name() == "sqlite":
        return _create_sqlite_engine(url)
    return create_async_engine(
        url,
        pool_pre_ping=True,
        pool_timeout=_WAIT_SECONDS,
        connect_args={"connect_timeout": _WAIT_SECONDS},
    )


def _create_sqlite_engine(url: URL) -> AsyncEngine:
    # SQLite has one writer at a time. Taking the write lock at BEGIN makes transactions queue;
    # taken later, at the first write, they fail with "database is locked" instead.
    engine = create_async_engine(
        url,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=_WAIT_SECONDS,
        connect_args={"timeout": _WAIT_SECONDS, "isolation_level": None},
    )

    @event.listens_for(engine.sync_engine, "connect")
    def use_write_ahead_log(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin_immediate(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
