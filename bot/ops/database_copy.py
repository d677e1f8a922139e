"""`python -m bot copy`: copies of a database, also between SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sqlalchemy import URL, Connection, MetaData, Table, func, insert, inspect, select

from bot.config import describe_url, parse_url
from bot.environment import UsageError
from bot.store.database import (
    Database,
    StoreError,
    create_engine,
    driver_message,
    full_disk_hint,
)
from bot.store.migrations import find_revision, is_newer, migrate
from bot.store.schema import metadata, processes

BATCH_SIZE = 1_000
"""How many rows are read and written at once."""

RowCounts = dict[str, int]
"""Numbers of rows, by table."""


def run_copy_command(source: str, target: str) -> int:
    """Run `python -m bot copy`, with the databases given as URLs; return the exit code."""
    urls = []
    for name, text in ("SOURCE", source), ("TARGET", target):
        try:
            urls.append(parse_url(text))
        except ValueError as error:
            raise UsageError(f"{name}: {error}") from None

    def copy_and_describe() -> str:
        rows = describe_counts(copy(*urls))
        return f"{describe_url(urls[1])} has {rows}, as {describe_url(urls[0])}."

    return run_and_report(copy_and_describe, "Nothing is copied")


def run_and_report(command: Callable[[], str], failure: str, report: TextIO | None = None) -> int:
    """Run a command, and print the sentence that it returns; return the exit code.

    The sentence goes to `report`, by default standard output. If the command raises an error,
    `failure` and the reason go to standard error.
    """
    try:
        print(command(), file=report)
    except KeyboardInterrupt:
        reason = "interrupted."
    except (StoreError, sqlite3.Error) as error:
        reason = f"{driver_message(error)}{full_disk_hint(Path())}"
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    else:
        return 0
    print(f"{failure}: {reason}", file=sys.stderr)
    return 1


def describe_counts(counts: RowCounts) -> str:
    """Write numbers of rows as text, such as "3 rows, counted: matches 2, facts 1"."""
    by_table = ", ".join(f"{name} {rows:,}" for name, rows in counts.items())
    return f"{sum(counts.values()):,} rows, counted: {by_table}"


def copy(source: URL, target: URL) -> RowCounts:
    """Copy a snapshot of a database into an empty one, which may be of the other kind.

    The source may be in use. If its tables are those of an older release, so are the copy's; of a
    newer one's, only what this release knows is copied. Returns the numbers of rows.
    """
    with snapshot_of(source) as source_connection, transaction_on(target) as target_connection:
        revision = find_revision(source_connection)
        for table in _tables_of(target_connection):
            if target_connection.execute(select(1).select_from(table).limit(1)).first():
                raise StoreError(
                    f"the target is not empty: there are rows in its table {table.name!r}"
                )
        migrate(target_connection, "head" if is_newer(revision) else revision)
        return replace_rows(source_connection, target_connection)


def replace_rows(source: Connection, target: Connection) -> RowCounts:
    """Replace all rows, in the columns that both databases have.

    Returns the numbers of rows.
    """
    # TRUNCATE, which SQLite does not have, empties a table also if it is damaged.
    empty = "TRUNCATE" if target.dialect.name == "postgresql" else "DELETE FROM"
    for table in _tables_of(target):
        target.exec_driver_sql(f"{empty} {table.name}")
    source_tables = {table.name: table for table in _tables_of(source)}
    tables = [table for table in _tables_of(target) if table.name in source_tables]
    counts = {
        table.name: source.execute(select(func.count()).select_from(table)).scalar_one()
        for table in tables
    }
    for table in tables:
        columns = [column for column in source_tables[table.name].c if column.name in table.c]
        query = select(*columns).execution_options(yield_per=BATCH_SIZE)
        with source.execute(query) as result:
            for rows in result.mappings().partitions():
                target.execute(insert(table), [dict(row) for row in rows])
    return counts


def _tables_of(connection: Connection) -> Sequence[Table]:
    """Read our tables from a database: those of an older release have fewer columns.

    `processes` is left out: what runs on one database does not run on its copy.
    """
    reflected = MetaData()
    names = metadata.tables.keys() & set(inspect(connection).get_table_names())
    reflected.reflect(connection, only=sorted(names - {processes.name}))
    return reflected.sorted_tables


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


@contextmanager
def transaction_on(url: URL) -> Iterator[Connection]:
    """Yield a connection on which all that is written becomes one transaction."""
    database = Database(create_engine(url))
    try:
        with database.transaction() as connection:
            yield connection
    finally:
        database.close()
