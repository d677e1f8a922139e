"""`python -m bot copy` and `python -m bot backup`: copies of the database."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import URL
from tqdm import tqdm

from bot.environment import SettingsError, read_environment
from bot.settings import read_database_url
from bot.store import Counts, DatabaseUrlError, StoreError, cause_of, copy, parse_url

_FAILED = 1
_BAD_URL = 2


def copy_database(source: str, target: str) -> int:
    """Copy one database into another, both named by their URLs; return the exit code."""
    try:
        source_url, target_url = _url("SOURCE", source), _url("TARGET", target)
    except SettingsError as problem:
        return _fail(str(problem), _BAD_URL)
    return _tell(lambda: _copy(source_url, target_url), "Copied")


def back_up(file: str) -> int:
    """Copy the database of DATABASE_URL, of either kind, into a new SQLite file.

    Raises:
        SettingsError: DATABASE_URL is malformed.
    """
    source = read_database_url(read_environment())
    return _tell(lambda: _copy_to_file(source, Path(file)), f"{file} has")


def _url(what: str, text: str) -> URL:
    try:
        return parse_url(text)
    except DatabaseUrlError as problem:
        raise SettingsError(f"{what}: {problem}") from None


def _tell(work: Callable[[], Counts], done: str) -> int:
    """Run a copy and print its result, or why it failed; return the exit code."""
    try:
        counts = work()
    except KeyboardInterrupt:
        return _fail("Interrupted: nothing is copied.")
    except (StoreError, OSError) as error:
        return _fail(f"Nothing is copied: {cause_of(error)}")
    by_table = ", ".join(f"{name} {rows:,}" for name, rows in counts.items())
    print(f"{done} {sum(counts.values()):,} rows, and counted them: {by_table}.")
    return 0


def _copy_to_file(source: URL, file: Path) -> Counts:
    """Write to a .part file, renamed once complete, so that no partial copy looks like a backup."""
    part = file.with_name(f"{file.name}.part")
    if file.exists():
        raise FileExistsError(f"{file} is there already")
    _remove(part)
    try:
        counts = _copy(source, URL.create("sqlite+pysqlite", database=str(part)))
        part.rename(file)
    finally:
        _remove(part)
    return counts


def _remove(part: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        part.with_name(f"{part.name}{suffix}").unlink(missing_ok=True)


def _copy(source: URL, target: URL) -> Counts:
    with tqdm(unit=" rows", unit_scale=True, leave=False, disable=None) as bar:

        def follow(copied: int, total: int) -> None:
            bar.total = total
            bar.update(copied - bar.n)

        return copy(source, target, follow)


def _fail(sentence: str, code: int = _FAILED) -> int:
    print(sentence, file=sys.stderr)
    return code
