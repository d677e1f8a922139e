"""The heartbeat: a file in which the bot states its health, and `python -m bot health` to read it.

The command runs often, so this module imports next to nothing. `health` has the checks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from bot.environment import HEARTBEAT_FILE, read_environment

BEAT_SECONDS = 10

UNWELL_BEAT_SECONDS = 1
"""The pause between beats while something is wrong: short, so that recovery shows soon."""

_MAX_AGE_SECONDS = 4 * BEAT_SECONDS

_WELL = "well"


def write_heartbeat(file: Path, problems: Sequence[str]) -> None:
    """Write the heartbeat atomically, so that nobody reads half of it.

    Raises:
        OSError: It cannot be written.
    """
    temporary = file.with_name(f"{file.name}.part")
    temporary.write_text("; ".join(problems) or _WELL, encoding="utf-8")
    temporary.replace(file)


def delete_heartbeat(file: Path) -> None:
    """Delete the heartbeat when the bot shuts down."""
    file.unlink(missing_ok=True)


def report_health() -> int:
    """Print whether the bot is well, and return the exit code: 0 if it is, else 1.

    Raises:
        SettingsError: The settings cannot be read.
    """
    problem = _problem(Path(read_environment().get("HEARTBEAT_FILE") or HEARTBEAT_FILE))
    print(f"unhealthy: {problem}" if problem else "healthy")
    return 1 if problem else 0


def _problem(file: Path) -> str | None:
    try:
        text = file.read_text(encoding="utf-8")
        written_at = file.stat().st_mtime
    except OSError as error:
        return f"there is no heartbeat: {file}: {error.strerror}"
    age_seconds = time.time() - written_at
    if age_seconds > _MAX_AGE_SECONDS:
        return f"the last heartbeat was {age_seconds:.0f} seconds ago"
    return None if text == _WELL else text
