"""The heartbeat: a file to which the bot writes its health, and which `python -m bot health` reads.

The bot holds a lock on the file, which the system releases when the process ends. Hosts run
`python -m bot health` often, so this module imports as little as possible.
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
"""The pause between beats while there is a problem: short, so that recovery shows soon."""

_MAX_AGE_SECONDS = 4 * BEAT_SECONDS

_LOCK_TIMEOUT_SECONDS = 1
"""How long to wait for the lock, which `python -m bot health` may hold for a moment."""

_WELL = "well"

_MISSING = "no bot is running here: there is no heartbeat"

_GONE = "the bot that left this heartbeat is gone"


class Heartbeat:
    """The heartbeat of this process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def write(self, problems: Sequence[str]) -> None:
        """Write the heartbeat; without problems, it says that the bot is well.

        Raises:
            OSError: It cannot be written; a BlockingIOError if another process has locked it.
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
    deadline = time.monotonic() + _LOCK_TIMEOUT_SECONDS
    while not _lock(descriptor):
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise BlockingIOError(0, "another process uses it", str(file))
        time.sleep(0.05)
    with suppress(OSError, AttributeError):  # AttributeError: Windows has no fchmod
        os.fchmod(descriptor, 0o600)
    return descriptor


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed; return whether that succeeded.

    On Windows this does nothing, as nobody could read a locked file there.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def is_running(file: Path) -> bool:
    """Whether the bot that writes this heartbeat is running; on Windows, whether it may be."""
    return _find_problem(file) not in {_MISSING, _GONE}


def report_health() -> int:
    """Print whether the bot is healthy; return the exit code: 0 if it is, else 1.

    Raises:
        ConfigError: The settings cannot be read.
    """
    file = heartbeat_file()
    problem = _find_problem(file)
    if problem is None:
        print("healthy")
        return 0
    path = f" ({file.absolute()})" if problem in {_MISSING, _GONE} else ""
    print(f"unhealthy: {problem}{path}")
    return 1


def heartbeat_file() -> Path:
    """The path of the heartbeat, by the setting HEARTBEAT_FILE.

    Raises:
        ConfigError: The settings cannot be read.
    """
    return Path(read_environment().get("HEARTBEAT_FILE") or HEARTBEAT_FILE)


def _find_problem(file: Path) -> str | None:
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
