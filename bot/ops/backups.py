"""`python -m bot backup`: copies of the database that can be restored."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL

from bot.config import describe_url, read_database_url
from bot.domain.privacy import COPIES_KEPT_FOR
from bot.environment import read_environment
from bot.ops.database_copy import RowCounts, copy_with_progress_bar, describe_counts, run_and_report
from bot.store.database import StoreError

BACKUPS = "backups"
"""The default folder of the copies."""

_DAILY_COPIES = 7

_NAME_FORMAT = "velha-%Y%m%d-%H%M%S.db"
"""Names a copy by the time when it was made, in UTC."""

_NAME_PATTERN = re.compile(r"velha-\d{8}-\d{6}\.db")


def back_up(target: str) -> int:
    """Copy the database of DATABASE_URL, of either kind, into a new SQLite file.

    `target` is the file, or a folder. In a folder, the copy is named by its time, and older copies
    are deleted, except those of seven days and three weeks. Returns the exit code.

    Raises:
        ConfigError: DATABASE_URL is malformed.
    """
    source = read_database_url(read_environment())
    path = Path(target)
    is_folder = path.suffix != ".db" and not path.is_file()

    def make_copy() -> str:
        if not is_folder:
            return f"{path} has {describe_counts(copy_to_file(source, path))}."
        file, counts = add_backup(source, path, datetime.now(UTC))
        return f"{file} has {describe_counts(counts)}."

    return run_and_report(make_copy, f"Nothing is copied from {describe_url(source)}")


def add_backup(source: URL, folder: Path, now: datetime) -> tuple[Path, RowCounts]:
    """Copy a database into a folder, and delete the copies there that need not be kept.

    Raises:
        StoreError, OSError: No copy was made, and no older one deleted.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    while (file := folder / now.strftime(_NAME_FORMAT)).exists():
        now += timedelta(seconds=1)
    counts = copy_to_file(source, file)
    copies = [path for path in folder.iterdir() if _NAME_PATTERN.fullmatch(path.name)]
    kept = copies_to_keep((_time_of(path) for path in copies), now)
    for path in copies:
        if path != file and _time_of(path) not in kept:
            path.unlink()
    return file, counts


def _time_of(copy: Path) -> datetime:
    return datetime.strptime(copy.name, _NAME_FORMAT).replace(tzinfo=UTC)


def copies_to_keep(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Choose the copies to keep, by their times: the last of each day, and one of each week.

    Those of a day are kept for a week, those of a week for less than `COPIES_KEPT_FOR`. So there
    are at most seven and three.
    """
    recent = sorted(time for time in times if now - time < COPIES_KEPT_FOR)
    last_of_day = {time.date(): time for time in recent}
    first_of_week: dict[tuple[int, int], datetime] = {}
    for day, time in last_of_day.items():
        year, week, _weekday = day.isocalendar()
        first_of_week.setdefault((year, week), time)
    week_ago = (now - timedelta(days=_DAILY_COPIES)).date()
    daily = {time for day, time in last_of_day.items() if day > week_ago}
    return daily | set(first_of_week.values())


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
        counts = copy_with_progress_bar(source, URL.create("sqlite+pysqlite", database=str(part)))
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
        FileNotFoundError: There is no such file.
    """
    if not file.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(file))
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            problem = opened.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        problem = str(error)
    if problem != "ok":
        raise StoreError(f"{file} is damaged: {problem}")


def delete_database(file: Path) -> None:
    """Delete a SQLite file, if it exists, and the files that SQLite keeps beside it."""
    for path in database_files(file):
        path.unlink(missing_ok=True)


def database_files(file: Path) -> list[Path]:
    """List a SQLite file and those that SQLite keeps beside it."""
    return [file.with_name(f"{file.name}{suffix}") for suffix in ("", "-wal", "-shm")]
