"""Watches the statements that the bot sends to its database."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from bot.domain.refusals import Refused
from bot.store.database import Database

_WRITTEN_WITH_AN_END = ("matches", "tallies", "duels", "server_scores")


@contextmanager
def watched_reads() -> Iterator[list[str]]:
    """Yield the statements of `DatabaseJobs.read` that write, or lock rows."""
    found = list[str]()

    def look(connection: Connection, _cursor: object, sql: str, *_args: object) -> None:
        if sql.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
            connection.info["is_change"] = sql.startswith("BEGIN")
        elif threading.current_thread().name.startswith("database"):
            is_change = connection.info.get("is_change", False)
            if not is_change and (_table_written_by(sql) or "FOR UPDATE" in sql):
                found.append(sql)

    event.listen(Engine, "before_cursor_execute", look)
    yield found
    event.remove(Engine, "before_cursor_execute", look)


@contextmanager
def watched_refusals() -> Iterator[list[str]]:
    """Yield the statements that refusals commit, but for the end of the matches that they name."""
    found = list[str]()
    transaction = Database.transaction

    @contextmanager
    def watched(database: Database, *args: Callable[[], object]) -> Iterator[Connection]:
        with transaction(database, *args) as connection:
            sent = list[str]()

            def keep(_connection: object, cursor: Any, sql: str, *_args: object) -> None:
                if cursor.rowcount > 0:
                    sent.append(sql)

            event.listen(connection, "after_cursor_execute", keep)
            try:
                yield connection
            except Refused as refused:
                found.extend(sql for sql in sent if not _may_commit(refused, sql))
                raise
            finally:
                event.remove(connection, "after_cursor_execute", keep)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "transaction", watched)
        yield found


def _may_commit(refused: Refused, sql: str) -> bool:
    table = _table_written_by(sql)
    named = [match for match in (refused.pressed, *refused.also_changed) if match is not None]
    has_ended = any(not match.is_live for match in named)
    return not table or (has_ended and table in _WRITTEN_WITH_AN_END)


def _table_written_by(sql: str) -> str:
    """The table that a statement changes; empty if it only reads."""
    words = sql.split(maxsplit=3)
    match words[0]:
        case "UPDATE":
            return words[1]
        case "INSERT" | "DELETE":
            return words[2]
        case _:
            return ""
