"""Whether people are in a server, which only Discord knows: the bot keeps no lists of members."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection

import discord
from discord.ext import commands

from bot.messaging.errors import DISCORD_ERRORS, UNKNOWN_MEMBER, error_summary
from bot.messaging.waiting import wait_for_discord

_Key = tuple[int, int]
"""The ids of a server and of a user."""

_REMEMBER_SECONDS = 600

_MAX_REQUESTS = 5
"""At once, and in each `_REQUEST_SECONDS`: Discord takes 50 requests a second of a bot, and those
of presses come first."""

_REQUEST_SECONDS = 0.25

_MAX_WAITING = 200

_log = logging.getLogger(__name__)


async def is_member(
    bot: commands.AutoShardedBot, guild_id: int, user_id: int, timeout_seconds: float
) -> bool | None:
    """Whether a user is in a server that the bot is in; None if Discord does not say so in time."""
    try:
        return await wait_for_discord(_request(bot, guild_id, user_id), timeout_seconds)
    except TimeoutError:
        return None


async def _request(bot: commands.AutoShardedBot, guild_id: int, user_id: int) -> bool | None:
    try:
        await bot.http.get_member(guild_id, user_id)
    except (*DISCORD_ERRORS, RuntimeError) as error:  # the last when the bot closes
        if isinstance(error, discord.NotFound) and error.code == UNKNOWN_MEMBER:
            return False
        _log.info("Discord did not say who is in server %d: %s", guild_id, error_summary(error))
        return None
    return True


class Members:
    """Asks Discord who of the people that are shown has left, and remembers that for ten minutes.

    Only whether they are gone is kept, in memory. Where Discord does not say, they are not.
    """

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot
        self._answers: dict[_Key, tuple[bool, float]] = {}  # the oldest first
        self._tasks: dict[_Key, asyncio.Task[None]] = {}
        self._free = asyncio.Semaphore(_MAX_REQUESTS)

    async def gone(
        self, guild_id: int, user_ids: Collection[int], wait_seconds: float
    ) -> frozenset[int]:
        """Those of the people who have left a server, as far as Discord says so in time.

        What it says later is remembered: as in `wait_for_discord`, no request is cancelled.
        """
        self._forget_old_answers()
        keys = [(guild_id, user_id) for user_id in user_ids]
        for key in keys:
            is_known = key in self._answers or key in self._tasks
            if not is_known and len(self._tasks) < _MAX_WAITING:
                self._tasks[key] = asyncio.create_task(self._ask(key))
        if tasks := [self._tasks[key] for key in keys if key in self._tasks]:
            await asyncio.wait(tasks, timeout=wait_seconds)
        return frozenset(key[1] for key in keys if self._answers.get(key, (False, 0))[0])

    def _forget_old_answers(self) -> None:
        until = asyncio.get_running_loop().time() - _REMEMBER_SECONDS
        while self._answers and next(iter(self._answers.values()))[1] < until:
            del self._answers[next(iter(self._answers))]

    async def _ask(self, key: _Key) -> None:
        loop = asyncio.get_running_loop()
        try:
            await self._free.acquire()
            free_at = loop.time() + _REQUEST_SECONDS
            try:
                answer = await _request(self._bot, *key)
            finally:
                loop.call_at(free_at, self._free.release)
            self._answers[key] = answer is False, loop.time()
        finally:
            del self._tasks[key]
