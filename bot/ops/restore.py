"""`python -m bot restore`, while the bot is stopped."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL

from bot.config import describe_url, read_database_url
from bot.domain.privacy import COPIES_KEPT_FOR
from bot.environment import UsageError
from bot.features.forgetting import repeat_deletions
from bot.ops.backups import (
    BACKUPS,
    STANDARD_STREAM,
    add_copy,
    check_intact,
    database_files,
    delete_database,
    name_by_time,
    open_read_only,
    temporary_copy,
)
from bot.ops.database_copy import (
    replace_rows,
    run_and_report,
    snapshot_of,
    transaction_on,
)
from bot.store.database import StoreError, driver_message
from bot.store.deletion_records import read_deletions
from bot.store.migrations import (
    find_revision,
    has_tables,
    migrate,
)
from bot.store.processes import SEEN_FOR_SECONDS, running_processes
from bot.store.store import Store


def restore(file: str, *, keeps_replaced: bool = True) -> int:
    """Replace the database of DATABASE_URL by a copy of it; return the exit code.

    `file` may be `STANDARD_STREAM`. People whose data was deleted after the copy was made are
    deleted again. What is replaced is kept for a while: a SQLite file under another name, a
    PostgreSQL database as a copy.
    """
    target = read_database_url()
    if file == STANDARD_STREAM and sys.stdin.isatty():
        raise UsageError("A copy is not typed at a terminal: restore - < copy.db")

    def restore_backup() -> str:
        _check_stopped(target)
        replace = _replace_file if target.get_backend_name() == "sqlite" else _replace_rows
        copy = _received(target) if file == STANDARD_STREAM else nullcontext(Path(file))
        with copy as backup, temporary_copy(target) as part:
            deletions = _prepare(backup, part, target)
            kept = replace(target, part, keeps_replaced=keeps_replaced)
        sentence = f"{describe_url(target)} is as the copy was. {deletions}"
        if kept is not None:
            days = COPIES_KEPT_FOR.days
            sentence += f" What it was before is in {kept.absolute()}, for {days} days."
        return sentence

    return run_and_report(restore_backup, f"{describe_url(target)} is left as it is")


def _check_stopped(url: URL) -> None:
    """Check that no bot runs on a database; none does on one that is gone or cannot be read."""
    try:
        with snapshot_of(url) as connection:
            names = running_processes(connection)
    except StoreError:
        return
    if names:
        raise StoreError(
            f"the bot is running ({', '.join(names)}): stop it first;"
            f" one that was killed counts for {SEEN_FOR_SECONDS} seconds"
        )


@contextmanager
def _received(target: URL) -> Iterator[Path]:
    """Yield a file with the copy that comes in on standard input."""
    with temporary_copy(target) as part:
        part.touch(0o600)
        with part.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        if not part.stat().st_size:
            raise StoreError("nothing came in on standard input")
        yield part


def _replace_file(target: URL, part: Path, *, keeps_replaced: bool) -> Path | None:
    """Put a new file in the place of a SQLite file; return the name that the old one has now."""
    file = Path(str(target.database))
    kept = name_by_time(file.parent, f"{file.name}.replaced-", datetime.now(UTC), "")
    if keeps_replaced:
        for current_name, kept_name in zip(database_files(file), database_files(kept), strict=True):
            if current_name.exists():
                current_name.rename(kept_name)
    delete_database(file)
    part.rename(file)
    return kept if kept.exists() else None


def _replace_rows(target: URL, part: Path, *, keeps_replaced: bool) -> Path | None:
    """Replace all rows of a PostgreSQL database by those of a file; return a copy of the old."""
    kept = _copy_first(target) if keeps_replaced else None
    with snapshot_of(_url_of(part)) as source, transaction_on(target) as connection:
        migrate(connection)
        replace_rows(source, connection)
    return kept


def _copy_first(target: URL) -> Path | None:
    """Copy a database that is about to be replaced; None if there is nothing in it."""
    with snapshot_of(target) as connection:
        if not has_tables(connection):
            return None
    try:
        return add_copy(target, BACKUPS, datetime.now(UTC), "-before-restore.db")[0]
    except (StoreError, sqlite3.Error, OSError) as error:
        raise StoreError(
            f"it cannot be copied first: {driver_message(error)};"
            " with --without-copy it is replaced all the same"
        ) from error


def _prepare(backup: Path, part: Path, replaced: URL) -> str:
    """Write a file with the rows of a backup and the tables of this release.

    Deletions since the backup was made are repeated in it; the sentence returned says how many.
    """
    check_intact(backup)
    part.touch(0o600)
    with closing(open_read_only(backup)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
    with snapshot_of(_url_of(part)) as connection:
        # Raises an error if there are no tables: `Store.open` would make them.
        find_revision(connection)
    store = Store.open(_url_of(part))
    try:
        return _repeat_deletions(store, replaced)
    finally:
        store.close()


def _repeat_deletions(store: Store, replaced: URL) -> str:
    try:
        with snapshot_of(replaced) as connection:
            deletions = read_deletions(connection)
    except StoreError as error:
        return (
            f"Deletions since then are not repeated ({driver_message(error)}):"
            " who deleted their data has to do so again."
        )
    with store.database.transaction() as connection:
        count = repeat_deletions(connection, deletions)
    return f"Deletions since then that are repeated when the bot starts: {count}."


def _url_of(file: Path) -> URL:
    return URL.create("sqlite+pysqlite", database=str(file))
