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
        self._descriptor: int | None = None

    def write(self, problems: Sequence[str]) -> None:
        """Write the heartbeat.

        Raises:
            OSError: It cannot be written; a BlockingIOError if it is another process's.
        """
        if self._descriptor is None or not self._is_in_place(self._descriptor):
            self.close()
            self._descriptor = _open_locked(self._file)
        line = f"{'; '.join(problems) or _WELL}\n".encode()
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, line)  # in one call, so that no reader gets half a line
        os.ftruncate(self._descriptor, len(line))

    def _is_in_place(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._file.stat())
        except OSError:
            return False

    def delete(self) -> None:
        """Delete the heartbeat when the bot shuts down, unless it is another process's."""
        if self._descriptor is not None and self._is_in_place(self._descriptor):
            if sys.platform == "win32":  # which deletes no open file
                self.close()
            self._file.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _open_locked(file: Path) -> int:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _LOCKING_SECONDS
    while not _lock(descriptor):
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise BlockingIOError(0, "another process uses it", str(file))
        time.sleep(0.05)
    with suppress(OSError, AttributeError):  # it may be an older release's; Windows has no rights
        os.fchmod(descriptor, 0o600)
    return descriptor


def _lock(descriptor: int) -> bool:
    """Try to lock a file until it is closed; on Windows, where others could not read it, do not."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
        descriptor = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return _MISSING
    except OSError as error:
        return f"its heartbeat cannot be read: {file}: {error.strerror}"
    try:
        if sys.platform != "win32" and _lock(descriptor):
            return _GONE
        text = os.read(descriptor, 10_000).decode()
        silent_seconds = time.time() - os.fstat(descriptor).st_mtime
    finally:
        os.close(descriptor)
    if silent_seconds > _MAX_AGE_SECONDS:
        return f"the last heartbeat was {silent_seconds:.0f} seconds ago"
    state = text.partition("\n")[0]
    return None if state == _WELL else state
