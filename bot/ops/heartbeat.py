"""The heartbeat: a file to which the bot writes its health, and which `python -m bot health` reads.

Hosts run `python -m bot health` often, so this module imports as little as possible.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bot.environment import HEARTBEAT_FILE, read_environment

BEAT_SECONDS = 10

UNWELL_BEAT_SECONDS = 1
"""The pause between beats while there is a problem: short, so that recovery shows soon."""

_MAX_AGE_SECONDS = 4 * BEAT_SECONDS
_WELL = "well"


def write(file: Path, problems: Sequence[str], writer: str = "") -> None:
    """Write the heartbeat, and who writes it; without problems, it says that the bot is well."""
    line = f"{'; '.join(problems) or _WELL}\n{writer}\n".encode()
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        # In place, which a full disk allows; and in one call, so that no reader gets half of it.
        os.write(descriptor, line)
        os.ftruncate(descriptor, len(line))
    finally:
        os.close(descriptor)


def find_writer(file: Path) -> str:
    """Who has written the heartbeat last; empty if it is not known."""
    try:
        return file.read_text(encoding="utf-8").partition("\n")[2].strip()
    except OSError:
        return ""


def delete(file: Path) -> None:
    """Delete the heartbeat when the bot shuts down."""
    with suppress(OSError):
        file.unlink()


def report_health() -> int:
    """Print whether the bot is healthy; return the exit code: 0 if it is, else 1."""
    problem = find_problem(Path(read_environment().get("HEARTBEAT_FILE") or HEARTBEAT_FILE))
    print(f"unhealthy: {problem}" if problem else "healthy")
    return 1 if problem else 0


def find_problem(file: Path) -> str | None:
    """What keeps the bot that writes a heartbeat from answering people; None if nothing does."""
    try:
        text = file.read_text(encoding="utf-8")
        silent_seconds = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return f"no bot is running here: there is no heartbeat ({file.absolute()})"
    except OSError as error:
        return f"its heartbeat cannot be read: {file}: {error.strerror}"
    if silent_seconds > _MAX_AGE_SECONDS:
        return f"the last heartbeat was {silent_seconds:.0f} seconds ago"
    if silent_seconds < -BEAT_SECONDS:  # whoever runs would have written one since
        return f"the last heartbeat is {-silent_seconds:.0f} seconds ahead: the clock was set back"
    state = text.partition("\n")[0]
    return None if state == _WELL else state or "its heartbeat is empty"
