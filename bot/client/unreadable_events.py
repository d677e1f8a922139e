"""Events of the gateway that discord.py cannot read.

An exception in one of its parsers ends the whole bot: a field that Discord no longer sends, in one
person's interaction, would be enough.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

import discord

_MAX_FRAMES = 4

_log = logging.getLogger(__name__)


def drop_unreadable_events(client: discord.Client) -> None:
    """Have events that discord.py cannot read logged and dropped, instead of ending the bot."""
    parsers = client._connection.parsers  # noqa: SLF001 - by event; there is no public hook
    for event, parse in parsers.items():
        parsers[event] = partial(_parse_or_drop, event, parse)


def _parse_or_drop(event: str, parse: Callable[[Any], None], data: Any) -> None:
    try:
        parse(data)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it
        log_unreadable(event, error)


def log_unreadable(event: str, error: Exception) -> None:
    """Log in a line what is wrong with an event, and where discord.py noticed it."""
    frames = extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    _log.error(
        "Dropped an event that cannot be read, %s: %s: %s (%s)",
        event,
        type(error).__name__,
        error,
        " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames),
    )
