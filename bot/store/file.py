"""The file of a SQLite database: created once, readable by its owner only, and never again.

By default, SQLite would create an empty file in place of one that was moved away, and delete the
write-ahead log left behind, which holds the latest changes.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError


class MovedError(SQLAlchemyError):
    """The database file was moved away or replaced."""


def open_existing(_dialect: Any, _record: Any, given: list[Any], options: dict[str, Any]) -> None:
    """Make SQLite open existing files only: a listener for an engine's `do_connect`."""
    if given[0] != ":memory:" and not options.get("uri"):
        given[0] = f"{Path(given[0]).as_uri()}?mode=rw"
        options["uri"] = True


class SqliteFile:
    """A database file, recognized by its path, device and inode."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, url: URL) -> Self | None:
        """The file of a URL; None for a server, an in-memory database or a `file:` URI."""
        is_path = url.get_backend_name() == "sqlite" and "uri" not in url.query
        if not is_path or url.database in (None, "", ":memory:"):
            return None
        return cls(Path(str(url.database)).absolute())

    def check(self) -> None:
        """Check that the file is still the same; the first time, create it if it is missing.

        Raises:
            MovedError: It is missing, or another is in its place. Nothing should be opened now.
        """
        if self._identity is None:
            self._make()
            self._identity = self._look()
        elif (found := self._look()) != self._identity:
            what = "another file is in its place" if found else "it was moved away"
            raise MovedError(f"{self._path}: {what}")

    def _look(self) -> tuple[int, int] | None:
        with suppress(OSError):
            found = self._path.stat()
            return found.st_dev, found.st_ino
        return None

    def _make(self) -> None:
        """Create the file for its owner only; SQLite gives -wal and -shm files the same mode."""
        with suppress(OSError):  # it exists, or cannot be created: then SQLite says why
            file = self._path.resolve()
            journal = file.with_name(f"{file.name}-wal")
            if journal.exists() and not file.exists():
                raise MovedError(f"{journal} is there, but not the file to which it belongs")
            file.touch(0o600, exist_ok=False)
