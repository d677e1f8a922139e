"""Whether people are in a server, which only Discord knows: the bot keeps no lists of members."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection
from functools import partial
from typing import NamedTuple

import discord
from discord.ext import commands

from bot.messaging.errors import DISCORD_ERRORS, UNKNOWN_MEMBER, error_summary

_REMEMBER_SECONDS = 600

_MAX_ANSWERS = 10_000

_MAX_REQUESTS = 5
"""At once: Discord takes 50 requests a second of a bot, and those of presses come first."""

_MAX_WAITING = 200

_log = logging.getLogger(__name__)

_requests: set[asyncio.Task[bool | None]] = set()
"""Requests under way: the event loop itself keeps no task alive."""


async def is_member(
    bot: commands.AutoShardedBot, guild_id: int, user_id: int, timeout_seconds: float
) -> bool | None:
    """Whether a user is in a server that the bot is in.

    Returns:
        None if Discord does not say so in time. The request goes on: discord.py would hold up later
        ones if it were cancelled while Discord limits their rate.
    """
    request = asyncio.create_task(_request(bot, guild_id, user_id))
    _requests.add(request)
    request.add_done_callback(_requests.discard)
    done, _ = await asyncio.wait([request], timeout=timeout_seconds)
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


class _Key(NamedTuple):
    guild_id: int
    user_id: int


class Members:
    """Asks Discord who of the people that are shown has left, and remembers that for ten minutes.

    Only whether they are gone is kept, in memory. Where Discord does not say, they are not.
    """

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot
        self._answers: OrderedDict[_Key, tuple[bool, float]] = OrderedDict()  # the oldest first
        self._tasks: dict[_Key, asyncio.Task[bool | None]] = {}
        self._free = asyncio.Semaphore(_MAX_REQUESTS)

    async def gone(
        self, guild_id: int, user_ids: Collection[int], wait_seconds: float
    ) -> frozenset[int]:
        """Those of the people who have left a server, as far as Discord says so in time.

        What it says later is remembered: as in `is_member`, no request is cancelled.
        """
        self._forget_old_answers()
        keys = [_Key(guild_id, user_id) for user_id in user_ids]
        tasks = [self._ask(key) for key in keys if self._is_to_ask(key)]
        if tasks:
            await asyncio.wait(tasks, timeout=wait_seconds)
        return frozenset(key.user_id for key in keys if self._answers.get(key, (False, 0))[0])

    def _forget_old_answers(self) -> None:
        until = asyncio.get_running_loop().time() - _REMEMBER_SECONDS
        while self._answers and next(iter(self._answers.values()))[1] < until:
            self._answers.popitem(last=False)

    def _is_to_ask(self, key: _Key) -> bool:
        """Whether Discord was not asked lately, nor is asked about too many already."""
        return key not in self._answers and (key in self._tasks or len(self._tasks) < _MAX_WAITING)

    def _ask(self, key: _Key) -> asyncio.Task[bool | None]:
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._fetch(key))
            self._tasks[key].add_done_callback(partial(self._remember, key))
        return self._tasks[key]

    async def _fetch(self, key: _Key) -> bool | None:
        async with self._free:
            return await _request(self._bot, *key)

    def _remember(self, key: _Key, task: asyncio.Task[bool | None]) -> None:
        del self._tasks[key]
        if task.cancelled() or task.exception() is not None:  # the bot is closing
            return
        self._answers[key] = task.result() is False, asyncio.get_running_loop().time()
        if len(self._answers) > _MAX_ANSWERS:
            self._answers.popitem(last=False)
