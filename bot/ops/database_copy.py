"""`python -m bot copy`: copies of a database, also between SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sqlalchemy import URL, Connection, MetaData, Table, delete, func, insert, inspect, select
from tqdm import tqdm

from bot.config import DatabaseUrlError, describe_url, parse_url
from bot.environment import UsageError
from bot.store.database import (
    Database,
    StoreError,
    create_engine,
    error_summary,
    full_disk_hint,
)
from bot.store.migrations import find_revision, is_newer, migrate
from bot.store.schema import metadata, processes

BATCH_SIZE = 1_000
"""How many rows are read and written at once."""

RowCounts = dict[str, int]
"""Numbers of rows, by table."""

ProgressCallback = Callable[[int, int], None]
"""Receives the number of rows copied so far, and the total."""


def run_copy_command(source: str, target: str) -> int:
    """Run `python -m bot copy`, with the databases given as URLs; return the exit code.

    Raises:
        UsageError: A URL is malformed; the message is safe to show.
    """
    source_url = _parse_argument("SOURCE", source)
    target_url = _parse_argument("TARGET", target)

    def copy_and_describe() -> str:
        counts = copy_with_progress_bar(source_url, target_url)
        rows = describe_counts(counts)
        return f"{describe_url(target_url)} has {rows}, as {describe_url(source_url)}."

    return run_and_report(copy_and_describe, "Nothing is copied")


def _parse_argument(name: str, text: str) -> URL:
    try:
        return parse_url(text)
    except DatabaseUrlError as error:
        raise UsageError(f"{name}: {error}") from None


def run_and_report(command: Callable[[], str], failure: str, report: TextIO | None = None) -> int:
    """Run a command, and print the sentence that it returns; return the exit code.

    The sentence goes to `report`, by default standard output. If the command raises an error,
    `failure` and the reason go to standard error.
    """
    try:
        print(command(), file=report)
    except KeyboardInterrupt:
        print(f"{failure}: interrupted.", file=sys.stderr)
        return 1
    except (StoreError, sqlite3.Error) as error:
        hint = full_disk_hint(Path())
        print(f"{failure}: {error_summary(error)}{hint}", file=sys.stderr)
        return 1
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        print(f"{failure}: {file}{error.strerror}", file=sys.stderr)
        return 1
    return 0


def describe_counts(counts: RowCounts) -> str:
    """Write numbers of rows as text, such as "3 rows, counted: matches 2, facts 1"."""
    by_table = ", ".join(f"{name} {rows:,}" for name, rows in counts.items())
    return f"{sum(counts.values()):,} rows, counted: {by_table}"


def copy_with_progress_bar(source: URL, target: URL) -> RowCounts:
    """Copy a database into an empty one, as `copy` does, and show the progress."""
    with tqdm(unit=" rows", unit_scale=True, leave=False, disable=None) as bar:

        def show_progress(copied: int, total: int) -> None:
            bar.total = total
            bar.update(copied - bar.n)

        return copy(source, target, show_progress)


def copy(source: URL, target: URL, on_progress: ProgressCallback) -> RowCounts:
    """Copy a snapshot of a database into an empty one, which may be of the other kind.

    The source may be in use. If its tables are those of an older release, so are the copy's; of a
    newer one's, only what this release knows is copied. Returns the numbers of rows.

    Raises:
        StoreError: Nothing was copied: the transaction on the target was rolled back.
    """
    database = Database(create_engine(target))
    try:
        with (
            snapshot_of(source) as source_connection,
            database.transaction() as target_connection,
        ):
            revision = find_revision(source_connection)
            _check_empty(target_connection)
            migrate(target_connection, "head" if is_newer(revision) else revision)
            return replace_rows(source_connection, target_connection, on_progress)
    finally:
        database.close()


def replace_rows(
    source: Connection, target: Connection, on_progress: ProgressCallback | None = None
) -> RowCounts:
    """Replace all rows of the target by those of the source, in the columns that both have.

    Returns the numbers of rows.

    Raises:
        StoreError: The numbers of rows written and read differ.
    """
    for table in reversed(_tables_of(target)):
        _delete_all(target, table)
    source_tables = {table.name: table for table in _tables_of(source)}
    tables = [table for table in _tables_of(target) if table.name in source_tables]
    expected = _count_rows(source, tables)
    total = sum(expected.values())
    copied = 0
    for table in tables:
        columns = [column for column in source_tables[table.name].c if column.name in table.c]
        query = select(*columns).execution_options(yield_per=BATCH_SIZE)
        with source.execute(query) as result:
            for rows in result.mappings().partitions():
                target.execute(insert(table), [dict(row) for row in rows])
                copied += len(rows)
                if on_progress is not None:
                    on_progress(copied, total)
    actual = _count_rows(target, tables)
    if actual != expected:
        raise StoreError(f"{actual} rows were copied, not {expected}: they are rolled back")
    return expected


def _delete_all(target: Connection, table: Table) -> None:
    """Delete all rows of a table; on PostgreSQL without reading it, as it may be damaged."""
    if target.dialect.name == "postgresql":
        target.exec_driver_sql(f"TRUNCATE {table.name}")
    else:
        target.execute(delete(table))


def _tables_of(connection: Connection) -> Sequence[Table]:
    """Read our tables from a database: those of an older release have fewer columns.

    Who runs on it is nobody else's.
    """
    reflected = MetaData()
    names = metadata.tables.keys() & set(inspect(connection).get_table_names())
    reflected.reflect(connection, only=sorted(names - {processes.name}))
    return reflected.sorted_tables


def _count_rows(connection: Connection, tables: Sequence[Table]) -> RowCounts:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in tables
    }


def _check_empty(target: Connection) -> None:
    for table in _tables_of(target):
        if target.execute(select(1).select_from(table).limit(1)).first():
            raise StoreError(f"the target is not empty: there are rows in its table {table.name!r}")


@contextmanager
def snapshot_of(url: URL) -> Iterator[Connection]:
    """Yield a connection whose reads all see the same snapshot of an existing database."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            yield connection
    finally:
        engine.dispose()
