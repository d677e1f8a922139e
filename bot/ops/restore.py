"""`python -m bot restore` and `python -m bot downgrade`, while the bot is stopped."""

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
    STANDARD_STREAM,
    add_safety_copy,
    check_intact,
    database_files,
    delete_database,
    name_by_time,
    open_read_only,
    temporary_copy,
)
from bot.ops.database_copy import (
    describe_counts,
    replace_rows,
    run_and_report,
    snapshot_of,
    transaction_on,
)
from bot.store.database import StoreError, error_summary
from bot.store.deletion_records import read_deletions
from bot.store.migrations import (
    RELEASE_1_1_0,
    find_revision,
    has_tables,
    migrate,
    set_revision,
)
from bot.store.processes import SEEN_FOR_SECONDS, running_processes
from bot.store.store import Store

_RELEASE = "1.1.0"


def restore(file: str, *, keeps_replaced: bool = True) -> int:
    """Replace the database of DATABASE_URL by a copy of it; return the exit code.

    `file` may be `STANDARD_STREAM`. People whose data was deleted after the copy was made are
    deleted again. What is replaced is kept for a while: a SQLite file under another name, a
    PostgreSQL database as a copy.

    Raises:
        ConfigError: The settings cannot be read.
        UsageError: The copy would be read from a terminal.
    """
    target = read_database_url()
    if file == STANDARD_STREAM and sys.stdin.isatty():
        raise UsageError("A copy is not typed at a terminal: restore - < copy.db")

    def restore_backup() -> str:
        _check_stopped(target)
        is_sqlite = target.get_backend_name() == "sqlite"
        restore_to = _restore_file if is_sqlite else _restore_server
        with _received(target) if file == STANDARD_STREAM else nullcontext(Path(file)) as backup:
            sentence, kept = restore_to(backup, target, keeps_replaced=keeps_replaced)
        if kept is not None:
            days = COPIES_KEPT_FOR.days
            sentence += f" What it was before is in {kept.absolute()}, for {days} days."
        return sentence

    return run_and_report(restore_backup, f"{describe_url(target)} is left as it is")


def downgrade(release: str) -> int:
    """Have release 1.1.0 take the database of DATABASE_URL for its own; return the exit code.

    Only the revision's number changes: any release runs on the tables of a later one, and none but
    1.1.0 refuses them.

    Raises:
        ConfigError: The settings cannot be read.
        UsageError: It is for another release.
    """
    if release != _RELEASE:
        raise UsageError(f"RELEASE: only {_RELEASE} needs this; just start a later one")
    url = read_database_url()

    def downgrade_database() -> str:
        _check_stopped(url)
        with snapshot_of(url) as connection:
            find_revision(connection)
        with transaction_on(url) as connection:
            set_revision(connection, RELEASE_1_1_0)
        return f"{describe_url(url)} is as {release} knows it: start that release now."

    return run_and_report(downgrade_database, f"{describe_url(url)} is left as it is")


def _check_stopped(url: URL) -> None:
    """Check that no bot runs on a database; none does on one that is gone or cannot be read.

    Raises:
        StoreError: One does.
    """
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
    """Yield a file with the copy that comes in on standard input.

    Raises:
        StoreError: Nothing came in.
    """
    with temporary_copy(target) as part:
        part.touch(0o600)
        with part.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        if not part.stat().st_size:
            raise StoreError("nothing came in on standard input")
        yield part


def _restore_file(backup: Path, target: URL, *, keeps_replaced: bool) -> tuple[str, Path | None]:
    """Restore a SQLite file: prepare the new one beside the old one, then rename both."""
    file = Path(str(target.database))
    part = file.with_name(f"{file.name}.part")
    delete_database(part)
    try:
        deletions = _prepare(backup, part, target)
        kept = _rename(file) if keeps_replaced else None
        delete_database(file)
        part.rename(file)
    finally:
        delete_database(part)
    return f"{describe_url(target)} is as the copy was. {deletions}", kept


def _rename(file: Path) -> Path | None:
    """Give a SQLite file a name that says when it was replaced; None if there is no such file."""
    replaced = name_by_time(file.parent, f"{file.name}.replaced-", datetime.now(UTC))
    names = zip(database_files(file), database_files(replaced), strict=True)
    for current_name, replaced_name in names:
        if current_name.exists():
            current_name.rename(replaced_name)
    return replaced if replaced.exists() else None


def _restore_server(backup: Path, target: URL, *, keeps_replaced: bool) -> tuple[str, Path | None]:
    """Restore a PostgreSQL database: replace all rows in one transaction."""
    with temporary_copy(target) as part:
        deletions = _prepare(backup, part, target)
        kept = _copy_first(target) if keeps_replaced else None
        with (
            snapshot_of(_url_of(part)) as source_connection,
            transaction_on(target) as target_connection,
        ):
            migrate(target_connection)
            counts = replace_rows(source_connection, target_connection)
    rows = describe_counts(counts)
    return f"{describe_url(target)} is as the copy was, with {rows}. {deletions}", kept


def _copy_first(target: URL) -> Path | None:
    """Copy a database that is about to be replaced; None if there is nothing in it.

    Raises:
        StoreError: It cannot be copied.
    """
    with snapshot_of(target) as connection:
        if not has_tables(connection):
            return None
    try:
        return add_safety_copy(target, "restore")
    except (StoreError, sqlite3.Error, OSError) as error:
        raise StoreError(
            f"it cannot be copied first: {error_summary(error)};"
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
            f"Deletions since then are not repeated ({error_summary(error)}):"
            " who deleted their data has to do so again."
        )
    with store.database.transaction() as connection:
        count = repeat_deletions(connection, deletions)
    return f"Deletions since then that are repeated when the bot starts: {count}."


def _url_of(file: Path) -> URL:
    return URL.create("sqlite+pysqlite", database=str(file))
