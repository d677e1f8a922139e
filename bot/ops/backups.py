"""`python -m bot backup`: copies of the database that can be restored."""

from __future__ import annotations

import errno
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL

from bot.config import describe_url, read_database_url
from bot.domain.privacy import COPIES_KEPT_FOR
from bot.environment import UsageError
from bot.ops.database_copy import RowCounts, copy, describe_counts, run_and_report
from bot.store.database import StoreError

BACKUPS = Path("backups")
"""The default folder of the copies."""

STANDARD_STREAM = "-"
"""In place of a file: standard output for `backup`, standard input for `restore`."""

_BEFORE_UPDATE = "-before-update"
_DAILY_COPIES_FOR = timedelta(days=7)
_TIME_FORMAT = "%Y%m%d-%H%M%S"
_TIME = r"(\d{8}-\d{6})"
_COPY_NAME = rf"velha-{_TIME}\.db"

_PART_NAME = rf"velha-{_TIME}\.db(\.part)+(-wal|-shm)?"
"""A copy that is being made or sent, or was interrupted."""

_ANY_COPY_NAME = rf"velha-{_TIME}(-before-(?:restore|update))?\.db(\.part)?(-wal|-shm)?"
"""Also matches safety copies, and those interrupted."""


def back_up(target: str, *, before_update: bool = False) -> int:
    """Copy the database of DATABASE_URL, of either kind, into a new SQLite file.

    `target` is the file, a folder, or `STANDARD_STREAM`. In a folder, the copy is named by its
    time, and older copies are deleted, except those of `copies_to_keep` and those made before an
    update, whose names say so. Returns the exit code.
    """
    source = read_database_url()
    path = Path(target)
    if target == STANDARD_STREAM and sys.stdout.isatty():
        raise UsageError("A copy is no text for a terminal: backup - > copy.db")

    def make_copy() -> str:
        if target == STANDARD_STREAM:
            return f"The copy has {describe_counts(_send(source))}."
        if path.suffix == ".db" or path.is_file():
            return f"{path} has {describe_counts(copy_to_file(source, path))}."
        now = datetime.now(UTC)
        add = add_copy_before_update if before_update else add_backup
        file, counts = add(source, path, now)
        delete_expired(source, now, path)
        return f"{file} has {describe_counts(counts)}."

    failure = f"Nothing is copied from {describe_url(source)}"
    report = sys.stderr if target == STANDARD_STREAM else sys.stdout
    return run_and_report(make_copy, failure, report)


def _send(source: URL) -> RowCounts:
    """Copy a database to standard output, by way of a file."""
    with temporary_copy(source) as part:
        counts = copy_to_file(source, part)
        with part.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return counts


@contextmanager
def temporary_copy(database: URL) -> Iterator[Path]:
    """Yield the path of a file to make near a database; it is deleted at the end.

    Not in the system's folder for such files: that may be in memory, and open to others.
    """
    part = name_by_time(_folder_of(database), "velha-", datetime.now(UTC), ".db.part")
    try:
        yield part
    finally:
        delete_database(part)


def _folder_of(database: URL) -> Path:
    """The folder of a SQLite file; for PostgreSQL, the current one."""
    is_file = database.get_backend_name() == "sqlite"
    return Path(str(database.database)).parent if is_file else Path()


def add_backup(source: URL, folder: Path, now: datetime) -> tuple[Path, RowCounts]:
    """Copy a database into a folder, and delete the copies there that need not be kept."""
    file, counts = add_copy(source, folder, now, ".db")
    times = _times_of_files(folder, _COPY_NAME)
    kept = copies_to_keep(times.values(), now)
    for path, time in times.items():
        if time not in kept and path != file:
            path.unlink()
    return file, counts


def add_copy_before_update(source: URL, folder: Path, now: datetime) -> tuple[Path, RowCounts]:
    """Copy a database into a folder, as a file that stays there for `COPIES_KEPT_FOR`."""
    return add_copy(source, folder, now, f"{_BEFORE_UPDATE}.db")


def add_copy(source: URL, folder: Path, now: datetime, suffix: str) -> tuple[Path, RowCounts]:
    """Copy a database into a folder, as a file that is named by its time."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = name_by_time(folder, "velha-", now, suffix)
    return file, copy_to_file(source, file)


def name_by_time(folder: Path, prefix: str, now: datetime, suffix: str) -> Path:
    """The path of a file that does not exist yet, whose name says when it is made, in UTC."""
    while (file := folder / f"{prefix}{now.strftime(_TIME_FORMAT)}{suffix}").exists():
        now += timedelta(seconds=1)
    return file


def delete_expired(database: URL, now: datetime, backups: Path = BACKUPS) -> None:
    """Delete what is too old of the copies in a folder, and of the files beside a database."""
    name = re.escape(Path(str(database.database)).name)
    replaced = rf"{name}\.replaced-{_TIME}(-wal|-shm)?"
    beside = _folder_of(database)
    for folder, pattern in (backups, _ANY_COPY_NAME), (beside, _PART_NAME), (beside, replaced):
        for path, time in _times_of_files(folder, pattern).items():
            if now - time >= COPIES_KEPT_FOR:
                path.unlink(missing_ok=True)


def newest_backup() -> datetime | None:
    """When the newest copy in the default folder was made; None if there is none."""
    return max(_times_of_files(BACKUPS, _COPY_NAME).values(), default=None)


def _times_of_files(folder: Path, pattern: str) -> dict[Path, datetime]:
    """The files whose names match a pattern, with the times that those say."""
    times = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        if found := re.fullmatch(pattern, path.name):
            with suppress(ValueError):  # such as the 99th of a month
                times[path] = datetime.strptime(found[1], _TIME_FORMAT).replace(tzinfo=UTC)
    return times


def copies_to_keep(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Choose the copies to keep, by their times: of each day the first and the last, of each week
    the first.

    Those of a day are kept for a week, those of a week for less than `COPIES_KEPT_FOR`. The first
    ones are kept because the last may be of a database that was lost and begun anew.
    """
    recent = sorted(time for time in times if now - time < COPIES_KEPT_FOR)
    daily = [time for time in recent if time.date() > (now - _DAILY_COPIES_FOR).date()]
    last_of_day = {time.date(): time for time in daily}
    first_of_day = {time.date(): time for time in reversed(daily)}
    first_of_week = {time.isocalendar()[:2]: time for time in reversed(recent)}
    return {*last_of_day.values(), *first_of_day.values(), *first_of_week.values()}


def copy_to_file(source: URL, file: Path) -> RowCounts:
    """Copy a database into a new SQLite file, which only its owner may read, and verify it.

    The file gets its name only once it is complete.

    Raises:
        StoreError, OSError: No file was made.
    """
    part = file.with_name(f"{file.name}.part")
    if file.exists():
        raise FileExistsError(errno.EEXIST, "it is there already", str(file))
    delete_database(part)
    try:
        counts = copy(source, URL.create("sqlite+pysqlite", database=str(part)))
        with closing(sqlite3.connect(part)) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")  # so that the file is complete by itself
        check_intact(part)
        part.rename(file)
    finally:
        delete_database(part)
    return counts


def check_intact(file: Path) -> None:
    """Check that a SQLite file can be read, from beginning to end.

    Raises:
        StoreError: It is damaged, or not a database.
        OSError: There is no such file, or it may not be read, which SQLite would not say.
    """
    file.open("rb").close()
    try:
        with closing(open_read_only(file)) as opened:
            problem = opened.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        problem = str(error)
    if problem != "ok":
        raise StoreError(f"{file} is damaged: {problem}")


def open_read_only(file: Path) -> sqlite3.Connection:
    """Open a SQLite file that exists."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def delete_database(file: Path) -> None:
    """Delete a SQLite file, if it exists, and the files that SQLite keeps beside it."""
    for path in database_files(file):
        path.unlink(missing_ok=True)


def database_files(file: Path) -> list[Path]:
    """List a SQLite file and those that SQLite keeps beside it."""
    return [file.with_name(f"{file.name}{suffix}") for suffix in ("", "-wal", "-shm")]
