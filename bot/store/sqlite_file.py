"""The file of an SQLite database: who may read it, and why it cannot be opened."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

_PERMANENT_ERRORS = (errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EROFS)


class UnopenableError(SQLAlchemyError):
    """The database file cannot be opened or created; SQLite itself would not say why.

    `is_permanent` says whether waiting cannot help.
    """

    def __init__(self, sentence: str, *, is_permanent: bool) -> None:
        super().__init__(sentence)
        self.is_permanent = is_permanent


def create_missing(url: URL) -> None:
    """Create the file of a URL for its owner only; SQLite gives -wal and -shm files the same mode.

    Raises:
        UnopenableError: It cannot be created.
    """
    if "uri" in url.query:
        return
    file = _file_of(url)
    try:
        if not _is_there(file):
            file.touch(0o600)
    except FileNotFoundError:
        _check_openable(file)
    except OSError as error:
        raise _unopenable(file, error.errno or errno.EIO) from None


def is_missing(url: URL) -> bool:
    """Whether the file of a URL is yet to be created; nothing is.

    Raises:
        UnopenableError: It cannot be created.
    """
    if "uri" in url.query:
        return False
    file = _file_of(url)
    try:
        if _is_there(file):
            return False
    except OSError as error:
        raise _unopenable(file, error.errno or errno.EIO) from None
    if not file.parent.is_dir():
        _check_openable(file)
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise _unopenable(file, errno.EACCES)
    return True


def _file_of(url: URL) -> Path:
    return Path(str(url.database)).absolute().resolve()


def _is_there(file: Path) -> bool:
    """Whether there is a file.

    Raises:
        UnopenableError: There is only its journal, which SQLite would delete, with its data.
    """
    if file.exists():
        return True
    journal = file.with_name(f"{file.name}-wal")
    if journal.exists():
        sentence = f"{journal} is there, but not the file to which it belongs"
        raise UnopenableError(sentence, is_permanent=True)
    return False


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
    # Not by opening it: closing it again would release the locks that this process holds on it.
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        if error.errno == errno.ENOENT and not path.parent.exists():
            folder = path.parent
            sentence = f"{path} cannot be opened: there is no folder {folder}"
            raise UnopenableError(sentence, is_permanent=False) from None  # to be mounted, maybe
        raise _unopenable(path, error.errno or errno.EIO) from None
    if is_folder:
        raise _unopenable(path, errno.EISDIR)
    if not os.access(path, os.R_OK | os.W_OK):
        raise _unopenable(path, errno.EACCES)
    if not os.access(path.parent, os.W_OK):
        raise UnopenableError(
            f"{path} cannot be opened: {_user()} may not write to its folder, as SQLite has to",
            is_permanent=True,
        )


def _unopenable(path: Path, error_number: int) -> UnopenableError:
    user = f" ({_user()})" if error_number == errno.EACCES else ""
    sentence = f"{path} cannot be opened: {os.strerror(error_number)}{user}"
    return UnopenableError(sentence, is_permanent=error_number in _PERMANENT_ERRORS)


def _user() -> str:
    return f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"
