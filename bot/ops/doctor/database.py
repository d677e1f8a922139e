"""The database, as the doctor finds it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection

from bot.config import describe_url
from bot.exits import CANNOT_START, WRONG_SETTING
from bot.ops.backups import database_files
from bot.ops.doctor.findings import Finding, because_of, look, wrong
from bot.ops.notes import load_notes
from bot.store.database import Database, StoreError, create_engine
from bot.store.facts import save_fact
from bot.store.migrations import current_revision, is_newer, known_revisions
from bot.store.processes import running_processes
from bot.store.sqlite_file import is_missing

Result = TypeVar("Result")

_SECONDS = 10
_READING_SECONDS = 60
"""For reading a SQLite file from beginning to end: half a gigabyte a second, from a fast disk."""

_MIN_FREE_BYTES = 100_000_000
_RECENTLY = timedelta(days=1)


async def check_database(url: URL) -> list[Finding]:
    """Whether it can be read and written to, what is in it, and whether a file is damaged."""
    name = describe_url(url)
    is_sqlite = url.get_backend_name() == "sqlite"
    try:
        if is_sqlite and is_missing(url):
            sentence = f"{name} is new: there is no such file, and the start makes it."
            another = (
                "If there were matches, DATABASE_URL, the folder or the volume is another one."
            )
            return [Finding("database", f"{sentence} {another}")]
    except StoreError as error:
        return [because_of("database", error, url)]
    database = Database(create_engine(url, keeps_journal=True))
    try:
        findings = await _in_time(database, _SECONDS, lambda: _read(database, url))
        if is_sqlite:
            findings += await _read_through(database, url)
    except TimeoutError:
        sentence = f"DATABASE_URL: {name} did not answer within {_SECONDS} seconds."
        return [wrong("database", sentence, CANNOT_START)]
    except StoreError as error:
        return [because_of("database", error, url)]
    finally:
        database.close()
    return findings


async def _in_time(database: Database, seconds: float, work: Callable[[], Result]) -> Result:
    """Run a function in a thread.

    Raises:
        TimeoutError: The database has not answered in time; the function was cut off.
    """
    job = asyncio.create_task(asyncio.to_thread(work))
    done, _ = await asyncio.wait({job}, timeout=seconds)
    if not done:
        database.abort_stuck()
        with suppress(StoreError):
            await job
        raise TimeoutError
    return await job


def _read(database: Database, url: URL) -> list[Finding]:
    """Read what is in a database, and try to write to it."""
    with database.connection() as connection:
        revision = current_revision(connection)
        findings = [_describe(connection, url, revision)]
        if revision is not None:
            findings += [_processes(connection), *_notes(connection)]
    _try_to_write(database, is_new=revision is None)
    return findings


class _UndoneError(Exception):
    """Rolls a transaction back that was only to be tried."""


def _try_to_write(database: Database, *, is_new: bool) -> None:
    """Write, as a start does, and roll it back.

    Raises:
        StoreError: The database takes no writes.
    """

    def undo() -> None:
        raise _UndoneError

    with suppress(_UndoneError), database.transaction(undo) as connection:
        if is_new:
            connection.exec_driver_sql("CREATE TABLE velha_doctor (id INTEGER)")
        else:
            save_fact(connection, "doctor", "")


def _describe(connection: Connection, url: URL, revision: str | None) -> Finding:
    if revision is None:
        tables = "new: it has no tables, and the start makes them"
    elif is_newer(revision):
        tables = f"of a newer release ({revision}), on which this one runs"
    elif revision == known_revisions()[-1]:
        tables = "of this release"
    else:
        tables = f"of an older release ({revision}), which the start brings up to date"
    sentence = f"{describe_url(url)} can be read and written to. It is {tables}"
    if url.get_backend_name() == "postgresql":
        query = "SELECT pg_database_size(current_database())"
        size = connection.exec_driver_sql(query).scalar_one()
        return Finding("database", f"{sentence}. It has {_size(size)}.")
    file = Path(str(url.database))
    size = sum(part.stat().st_size for part in database_files(file) if part.exists())
    free = shutil.disk_usage(file.absolute().parent).free
    sentence = f"{sentence}. It has {_size(size)}, and {_size(free)} are free."
    if free < _MIN_FREE_BYTES:
        return look("database", f"{sentence} Make room.")
    return Finding("database", sentence)


def _processes(connection: Connection) -> Finding:
    names = sorted(running_processes(connection))
    if not names:
        return Finding("processes", "None runs on this database.")
    sentence = f"On this database: {', '.join(names)}."
    if len(names) > 1:
        hint = "Stop all but one, unless it is a deploy or each has its shards."
        return look("processes", f"{sentence} {hint}")
    return Finding("processes", sentence)


def _notes(connection: Connection) -> Iterator[Finding]:
    """What a running bot has noted."""
    for time, sentence in load_notes(connection):
        said = f"{time:%Y-%m-%d %H:%M} UTC: {sentence}"
        yield Finding("noted", said, needs_you=datetime.now(UTC) - time < _RECENTLY)


async def _read_through(database: Database, url: URL) -> list[Finding]:
    """Read a SQLite file from beginning to end, as damage shows only where it is."""

    def check() -> str:
        with database.connection() as connection:
            return str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())

    try:
        said = await _in_time(database, _READING_SECONDS, check)
    except TimeoutError:
        return [Finding("damage", "It takes long to look for any: `backup` does, too.")]
    except StoreError as error:
        return [because_of("damage", error, url)]
    if said == "ok":
        return [Finding("damage", "There is none.")]
    sentence = f"{describe_url(url)} is damaged: {' '.join(said.split())}. Restore a copy."
    return [wrong("damage", sentence, WRONG_SETTING)]


def _size(count: float) -> str:
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"
