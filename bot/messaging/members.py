"""Whether people are in a server, which only Discord knows: the bot keeps no lists of members."""

from __future__ import annotations

import asyncio
import logging

import discord
from discord.ext import commands

from bot.messaging.errors import DISCORD_ERRORS, UNKNOWN_MEMBER, error_summary

_ANSWER_SECONDS = 1

_log = logging.getLogger(__name__)

_requests: set[asyncio.Task[bool | None]] = set()
"""Requests under way: the event loop itself keeps no task alive."""


async def is_member(bot: commands.AutoShardedBot, guild_id: int, user_id: int) -> bool | None:
    """Whether a user is in a server that the bot is in.

    Returns:
        None if Discord does not say so within a second. The request goes on: discord.py would hold
        up later ones if it were cancelled while Discord limits their rate.
    """
    request = asyncio.create_task(_request(bot, guild_id, user_id))
    _requests.add(request)
    request.add_done_callback(_requests.discard)
    done, _ = await asyncio.wait([request], timeout=_ANSWER_SECONDS)
    return request.result() if done else None


async def _request(bot: commands.AutoShardedBot, guild_id: int, user_id: int) -> bool | None:
    try:
        await bot.http.get_member(guild_id, user_id)
    except DISCORD_ERRORS as error:
        if isinstance(error, discord.NotFound) and error.code == UNKNOWN_MEMBER:
            return False
        _log.info("Discord did not say who is in server %d: %s", guild_id, error_summary(error))
        return None
    return True
