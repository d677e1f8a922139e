"""How Discord fails us."""

from __future__ import annotations

import aiohttp
import discord

DISCORD_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord may raise; OSError, for one, is the end of our patience."""

_ALREADY_ACKNOWLEDGED = 40060


def cause_of(error: Exception) -> str:
    """What failed, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def was_answered_elsewhere(error: Exception) -> bool:
    """Whether Discord has an answer already: another process was faster, or a try succeeded."""
    return isinstance(error, discord.HTTPException) and error.code == _ALREADY_ACKNOWLEDGED
