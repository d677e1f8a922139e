"""The file of a SQLite database: made once, for its owner alone, and from then on only found again.

Left to itself, SQLite makes an empty file where one was moved away, and deletes the journal of the
other, in which the latest changes stand.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError


class MovedError(SQLAlchemyError):
    """The file is not where it was."""


def open_existing(_dialect: Any, _record: Any, given: list[Any], options: dict[str, Any]) -> None:
    """Have SQLite open a file that is there and make none: an engine's `do_connect`."""
    if given[0] != ":memory:" and not options.get("uri"):
        given[0] = f"{Path(given[0]).as_uri()}?mode=rw"
        options["uri"] = True


class SqliteFile:
    """A database's file, by its path and by what tells it from any other at that path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, url: URL) -> Self | None:
        """The file of a URL; None for a server, for memory and for SQLite's own kind of URI."""
        is_path = url.get_backend_name() == "sqlite" and "uri" not in url.query
        if not is_path or url.database in (None, "", ":memory:"):
            return None
        return cls(Path(str(url.database)).absolute())

    def check(self) -> None:
        """See that it is there and the same as ever; the first time it may be made.

        Raises:
            MovedError: It is not. Nothing should be opened now.
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
        """Make it readable by its owner only: SQLite gives its companions the same rights."""
        with suppress(OSError):  # it is there; or it cannot be made, and SQLite will say so
            file = self._path.resolve()
            journal = file.with_name(f"{file.name}-wal")
            if journal.exists() and not file.exists():
                raise MovedError(f"{journal} is there, but not the file to which it belongs")
            file.touch(0o600, exist_ok=False)
