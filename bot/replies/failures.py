"""Failures of requests to Discord."""

from __future__ import annotations

import aiohttp
import discord

DISCORD_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord may raise; OSError covers the TimeoutError of our own time limits."""

UNKNOWN_CHANNEL = 10003
MISSING_ACCESS = 50001
_ALREADY_ACKNOWLEDGED = 40060


def cause_of(error: Exception) -> str:
    """An error's message on one line; its type if it has no message."""
    return " ".join(str(error).split()) or type(error).__name__


def was_answered_elsewhere(error: Exception) -> bool:
    """Whether Discord has an answer already: from another process, or from an earlier attempt."""
    return isinstance(error, discord.HTTPException) and error.code == _ALREADY_ACKNOWLEDGED
