"""The file of an SQLite database: opened only if it exists, and only while it is the same file."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError


class MovedError(SQLAlchemyError):
    """The database file was moved away or replaced."""


class UnopenableError(SQLAlchemyError):
    """The database file cannot be opened or created; SQLite itself would not say why."""


class SqliteFile:
    """A database file, recognized by its path, device and inode."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, url: URL) -> Self | None:
        """The file of a URL; None for a server or a `file:` URI."""
        is_path = url.get_backend_name() == "sqlite" and "uri" not in url.query
        if not is_path:
            return None
        return cls(Path(str(url.database)).absolute())

    def check(self) -> None:
        """Check that the file is still the same; the first time, create it if it is missing.

        Raises:
            MovedError: It is missing, or another is in its place. Do not open it now.
        """
        if self._identity is None:
            self._create()
            self._identity = self._current_identity()
            return
        current = self._current_identity()
        if current is None:
            raise MovedError(f"{self._path}: it was moved away")
        if current != self._identity:
            raise MovedError(f"{self._path}: another file is in its place")

    def _current_identity(self) -> tuple[int, int] | None:
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _create(self) -> None:
        """Create the file for its owner only; SQLite gives -wal and -shm files the same mode."""
        file = self._path.resolve()
        journal = file.with_name(f"{file.name}-wal")
        try:
            if file.exists():
                return
            if journal.exists():  # SQLite would delete it, with its data
                raise MovedError(f"{journal} is there, but not the file to which it belongs")
            file.touch(0o600)
        except FileNotFoundError:
            _check_openable(file)
        except OSError as error:
            raise _unopenable(file, error.errno or errno.EIO) from None


def open_existing(
    _dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]
) -> None:
    """Make SQLite open existing files only, instead of creating missing ones."""
    if options.get("uri"):
        return
    path = Path(arguments[0])
    _check_openable(path)
    arguments[0] = f"{path.as_uri()}?mode=rw"
    options["uri"] = True


def _check_openable(path: Path) -> None:
    """Check that SQLite can open a file: of any failure it says "unable to open database file".

    Raises:
        UnopenableError: It says which file, and why.
    """
    if not path.parent.is_dir():
        raise UnopenableError(f"{path} cannot be opened: there is no folder {path.parent}")
    # Not by opening it: closing it again would release the locks that this process holds on it.
    if path.is_dir():
        raise _unopenable(path, errno.EISDIR)
    if not path.exists():
        raise _unopenable(path, errno.ENOENT)
    if not os.access(path, os.R_OK | os.W_OK):
        raise _unopenable(path, errno.EACCES)
    if not os.access(path.parent, os.W_OK):
        raise UnopenableError(
            f"{path} cannot be opened: {_user()} may not write to its folder, as SQLite has to"
        )


def _unopenable(path: Path, error_number: int) -> UnopenableError:
    user = f" ({_user()})" if error_number == errno.EACCES else ""
    return UnopenableError(f"{path} cannot be opened: {os.strerror(error_number)}{user}")


def _user() -> str:
    return f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"
