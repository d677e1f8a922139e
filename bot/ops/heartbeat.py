"""The heartbeat: a file in which the bot states its health, and `python -m bot health` to read it.

The bot holds a lock on it, which ends with its process, however that ends. `python -m bot health`
reads it often while the bot runs, so this module imports next to nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bot.environment import HEARTBEAT_FILE, read_environment

if sys.platform != "win32":
    import fcntl

BEAT_SECONDS = 10

UNWELL_BEAT_SECONDS = 1
"""The pause between beats while something is wrong: short, so that recovery shows soon."""

_MAX_AGE_SECONDS = 4 * BEAT_SECONDS

_LOCKING_SECONDS = 1
"""For how long to try: `health` holds the lock for a moment."""

_WELL = "well"


class Heartbeat:
    """The heartbeat of this process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: int | None = None

    def write(self, problems: Sequence[str]) -> None:
        """Write the heartbeat.

        Raises:
            OSError: It cannot be written; a BlockingIOError if it is another process's.
        """
        if self._opened is None or not self._is_in_place(self._opened):
            self.close()
            self._opened = _open_locked(self._file)
        line = f"{'; '.join(problems) or _WELL}\n".encode()
        os.lseek(self._opened, 0, os.SEEK_SET)
        os.write(self._opened, line)  # one call, and readers take one line: nobody reads half of it
        os.ftruncate(self._opened, len(line))

    def _is_in_place(self, opened: int) -> bool:
        try:
            return os.path.samestat(os.fstat(opened), self._file.stat())
        except OSError:
            return False

    def delete(self) -> None:
        """Delete the heartbeat when the bot shuts down, unless it is another process's."""
        if self._opened is not None and self._is_in_place(self._opened):
            if sys.platform == "win32":  # which deletes no open file
                self.close()
            self._file.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None


def _open_locked(file: Path) -> int:
    opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _LOCKING_SECONDS
    while not _lock(opened):
        if time.monotonic() > deadline:
            os.close(opened)
            raise BlockingIOError(0, "another process uses it", str(file))
        time.sleep(0.05)
    with suppress(OSError, AttributeError):  # it may be an older release's; Windows has no rights
        os.fchmod(opened, 0o600)
    return opened


def _lock(opened: int) -> bool:
    """Try to lock a file until it is closed; on Windows, where others could not read it, do not."""
    if sys.platform != "win32":
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def is_running(file: Path) -> bool:
    """Whether a bot that beats in this file is running; as far as is known on Windows."""
    return _problem(file) not in {_MISSING, _GONE}


def report_health() -> int:
    """Print whether the bot is well, and return the exit code: 0 if it is, else 1.

    Raises:
        ConfigError: The settings cannot be read.
    """
    file = heartbeat_file()
    problem = _problem(file)
    where = f" ({file.absolute()})" if problem in {_MISSING, _GONE} else ""
    print(f"unhealthy: {problem}{where}" if problem else "healthy")
    return 1 if problem else 0


def heartbeat_file() -> Path:
    """Where the bot of these settings beats.

    Raises:
        ConfigError: The settings cannot be read.
    """
    return Path(read_environment().get("HEARTBEAT_FILE") or HEARTBEAT_FILE)


_MISSING = "no bot is running here: there is no heartbeat"

_GONE = "the bot that left this heartbeat is gone"


def _problem(file: Path) -> str | None:
    try:
        opened = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return _MISSING
    except OSError as error:
        return f"its heartbeat cannot be read: {file}: {error.strerror}"
    try:
        if sys.platform != "win32" and _lock(opened):
            return _GONE
        text = os.read(opened, 10_000).decode()
        silent_seconds = time.time() - os.fstat(opened).st_mtime
    finally:
        os.close(opened)
    if silent_seconds > _MAX_AGE_SECONDS:
        return f"the last heartbeat was {silent_seconds:.0f} seconds ago"
    state = text.partition("\n")[0]
    return None if state == _WELL else state
