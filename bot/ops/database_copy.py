"""`python -m bot copy` and `python -m bot backup`: copies of the database."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, delete, func, insert, inspect, select
from tqdm import tqdm

from bot.config import DatabaseUrlError, parse_url, read_database_url
from bot.environment import SettingsError, read_environment
from bot.store.database import Database, SchemaError, StoreError, create_engine, error_summary
from bot.store.migrations import migrate, revision
from bot.store.schema import metadata

ROWS_AT_ONCE = 1_000

_FAILED = 1

_BAD_URL = 2

RowCounts = dict[str, int]
"""Numbers of rows, by table."""

ProgressCallback = Callable[[int, int], None]
"""Receives the number of rows copied so far, and the total."""


def copy_database(source: str, target: str) -> int:
    """Copy one database into another, both given as URLs; return the exit code."""
    try:
        source_url = _parse_argument("SOURCE", source)
        target_url = _parse_argument("TARGET", target)
    except SettingsError as error:
        return _fail(str(error), _BAD_URL)

    def copy_and_describe() -> str:
        counts = _copy_with_progress_bar(source_url, target_url)
        return f"Copied {_describe(counts)}."

    return _run(copy_and_describe)


def back_up(file: str) -> int:
    """Copy the database of DATABASE_URL, of either kind, into a new SQLite file.

    Raises:
        SettingsError: DATABASE_URL is malformed.
    """
    source = read_database_url(read_environment())

    def copy_and_describe() -> str:
        counts = _copy_to_file(source, Path(file))
        return f"{file} has {_describe(counts)}."

    return _run(copy_and_describe)


def _parse_argument(name: str, text: str) -> URL:
    try:
        return parse_url(text)
    except DatabaseUrlError as error:
        raise SettingsError(f"{name}: {error}") from None


def _run(copy_and_describe: Callable[[], str]) -> int:
    """Print the sentence returned, or why the copy failed; return the exit code."""
    try:
        sentence = copy_and_describe()
    except KeyboardInterrupt:
        return _fail("Interrupted: nothing is copied.")
    except (StoreError, OSError) as error:
        return _fail(f"Nothing is copied: {error_summary(error)}")
    print(sentence)
    return 0


def _describe(counts: RowCounts) -> str:
    by_table = ", ".join(f"{name} {rows:,}" for name, rows in counts.items())
    return f"{sum(counts.values()):,} rows, and counted them: {by_table}"


def _copy_to_file(source: URL, file: Path) -> RowCounts:
    """Write to a .part file, renamed once complete, so that no partial copy looks like a backup."""
    part = file.with_name(f"{file.name}.part")
    if file.exists():
        raise FileExistsError(f"{file} is there already")
    _remove(part)
    try:
        counts = _copy_with_progress_bar(source, URL.create("sqlite+pysqlite", database=str(part)))
        part.rename(file)
    finally:
        _remove(part)
    return counts


def _remove(part: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        part.with_name(f"{part.name}{suffix}").unlink(missing_ok=True)


def _copy_with_progress_bar(source: URL, target: URL) -> RowCounts:
    with tqdm(unit=" rows", unit_scale=True, leave=False, disable=None) as bar:

        def show_progress(copied: int, total: int) -> None:
            bar.total = total
            bar.update(copied - bar.n)

        return copy(source, target, show_progress)


def _fail(sentence: str, code: int = _FAILED) -> int:
    print(sentence, file=sys.stderr)
    return code


def copy(source: URL, target: URL, on_progress: ProgressCallback) -> RowCounts:
    """Copy a snapshot of a database into an empty one, which may be of the other kind.

    The source may be in use; later changes are not copied. Returns the numbers of rows.

    Raises:
        StoreError: Nothing was copied: the transaction on the target was rolled back.
    """
    database = Database(create_engine(target))
    try:
        with _snapshot_of(source) as read, database.transaction() as write:
            _check_release(read)
            _check_empty(write)
            migrate(write)
            _delete_rows(write)
            expected = _count_rows(read)
            total = sum(expected.values())
            _copy_rows(read, write, lambda copied: on_progress(copied, total))
            actual = _count_rows(write)
            if actual != expected:
                raise StoreError(f"{actual} rows were copied, not {expected}: they are rolled back")
    finally:
        database.close()
    return expected


@contextmanager
def _snapshot_of(url: URL) -> Iterator[Connection]:
    """Yield a connection whose reads all see the same snapshot of the database."""
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


def _check_release(source: Connection) -> None:
    found, head = revision(source)
    if found is None:
        raise SchemaError("there is nothing of Velha's in the source")
    if found != head:
        raise SchemaError(
            f"the source's tables are of another release ({found}, not {head}):"
            " start this release on it once, or copy with that one"
        )


def _check_empty(target: Connection) -> None:
    existing = inspect(target).get_table_names()
    for table in metadata.sorted_tables:
        if table.name not in existing:
            continue
        if target.execute(select(1).select_from(table).limit(1)).first():
            raise StoreError(f"the target is not empty: there are rows in its table {table.name!r}")


def _delete_rows(target: Connection) -> None:
    """Delete the rows that migrations inserted: the source has its own."""
    for table in reversed(metadata.sorted_tables):
        target.execute(delete(table))


def _copy_rows(source: Connection, target: Connection, on_progress: Callable[[int], None]) -> None:
    copied = 0
    for table in metadata.sorted_tables:
        query = select(table).execution_options(yield_per=ROWS_AT_ONCE)
        for rows in source.execute(query).mappings().partitions():
            target.execute(insert(table), [dict(row) for row in rows])
            copied += len(rows)
            on_progress(copied)


def _count_rows(connection: Connection) -> RowCounts:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    }
