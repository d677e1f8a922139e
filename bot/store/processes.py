"""The processes that run on a database: each health check of theirs writes to it."""

from __future__ import annotations

from sqlalchemy import Connection, delete, extract, func, select

from bot.store.database import upsert
from bot.store.schema import processes

SEEN_FOR_SECONDS = 40
"""How long after its last health check a process is taken to be running."""

_NOW = extract("epoch", func.now())
"""Unix seconds by the database's clock, which is the same for all processes."""


def record_seen(connection: Connection, name: str) -> dict[str, int]:
    """Store that a process is running, and delete those that have not been seen for long.

    Returns:
        The other processes that are running, as `running_processes`.
    """
    upsert(connection, processes.c.name, name, seen_at=_NOW)
    connection.execute(delete(processes).where(processes.c.seen_at < _NOW - SEEN_FOR_SECONDS))
    others = running_processes(connection)
    others.pop(name, None)
    return others


def forget(connection: Connection, name: str) -> None:
    """Store that a process has ended."""
    connection.execute(delete(processes).where(processes.c.name == name))


def running_processes(connection: Connection) -> dict[str, int]:
    """The processes that are running, or were killed a moment ago: when each was last seen."""
    was_seen = processes.c.seen_at > _NOW - SEEN_FOR_SECONDS
    rows = connection.execute(select(processes.c.name, processes.c.seen_at).where(was_seen))
    return {row.name: row.seen_at for row in rows}
