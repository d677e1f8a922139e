"""The Discord client: what it asks of Discord, how it starts, and how it closes."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

import discord
from discord.ext import commands
from discord.http import Route
from yarl import URL

from bot.client.cog import Velha, context_menus, tictactoe_command
from bot.client.command_sync import CommandSync
from bot.client.reconnect import ReconnectingBot
from bot.client.responses import http_trace
from bot.client.tasks import BackgroundTasks
from bot.client.unreadable_events import drop_unreadable_events
from bot.config import Config, describe_url
from bot.features.matches import redraw_refused
from bot.messaging.emojis import Emojis
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.messaging.reply import ReplyTimeouts
from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.clock import Clock
from bot.runtime.database_jobs import DatabaseJobs, DatabaseLimits
from bot.runtime.deadlines import Deadlines, TimeLimits
from bot.runtime.engine_pool import LESSONS, MOVES, EnginePool, warm_up
from bot.runtime.frame import Frame
from bot.runtime.runtime import Runtime
from bot.runtime.worker_process import WorkerProcess
from bot.store.store import Store

REQUIRED_PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True
)

_MAX_RATE_LIMIT_SECONDS = 60
"""If Discord wants a longer pause, a request fails: discord.py would wait for hours, deaf."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BotLimits:
    """Time-outs and queue limits."""

    reply: ReplyTimeouts = ReplyTimeouts()
    database: DatabaseLimits = DatabaseLimits()
    moves: QueueLimits = MOVES
    lessons: QueueLimits = LESSONS
    shutdown_grace_seconds: float = 3
    notify_waiters_seconds: float = 0.5
    closing_seconds: float = 4


def invite_link(application_id: int) -> str:
    """The address where an application can be added to a server."""
    return discord.utils.oauth_url(application_id, permissions=REQUIRED_PERMISSIONS)


class VelhaBot(ReconnectingBot):
    """The Discord client: no intents, no caches, and no pings by default.

    `invalid_responses` counts the responses of Discord for which it bans addresses, by status.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random | None = None,
        limits: BotLimits = BotLimits(),
        worker_class: type[WorkerProcess] = WorkerProcess,
        clock: Clock | None = None,
    ) -> None:
        self._limits = limits
        self.clock = clock or Clock(discord.utils.utcnow)
        self.invalid_responses = Counter[int]()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents.none(),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=_MAX_RATE_LIMIT_SECONDS,
            proxy=config.proxy_to(URL(Route.BASE).host or ""),
            shard_count=config.shard_count,
            http_trace=http_trace(self.clock, self.invalid_responses),
            shard_ids=cast("list[int]", config.shard_ids),  # None is fine, despite its annotation
        )
        drop_unreadable_events(self)
        self._config = config
        self._emojis = Emojis()
        self.store = Store.at(config.database_url)
        self.database = DatabaseJobs(self.store.database, limits.database)
        rng = rng or random.Random()
        self.engine = EnginePool(
            rng, moves=limits.moves, lessons=limits.lessons, worker_class=worker_class
        )
        time_limits = TimeLimits(
            turn=timedelta(minutes=config.turn_minutes),
            challenge=timedelta(minutes=config.challenge_minutes),
            keep=timedelta(days=config.keep_days),
        )
        self.runtime = Runtime(
            database=self.database,
            engine=self.engine,
            clock=self.clock,
            rng=rng,
            deadlines=Deadlines(self.clock, time_limits),
            emojis=self._emojis,
            messages=Messages(self, self._emojis, limits.reply.discord_seconds),
            members=Members(self),
            source_url=config.source_url,
        )
        self.frame = Frame(self.runtime, limits.reply, redraw_refused)
        self.background_tasks = BackgroundTasks(self, self.runtime, self._emojis)

    async def login(self, token: str) -> None:
        """Open the database, and log in at Discord only if it can be used."""
        await asyncio.to_thread(self.store.check_tables)
        await super().login(token)

    async def setup_hook(self) -> None:
        assert self.application_id is not None, "known since login"
        if await asyncio.to_thread(self.store.migrate):
            _log.info("The database is new: %s", describe_url(self._config.database_url))
        await asyncio.to_thread(warm_up)
        await self.add_commands()
        await self._emojis.load(self, uploads=False)
        await self.add_cog(self.background_tasks)
        await self.add_cog(CommandSync(self, self.database, self._config.dev_guild_id))
        gc.collect()
        gc.freeze()  # keep the garbage collector from scanning long-lived objects
        _log.info("Ready. Invite me: %s", invite_link(self.application_id))

    async def add_commands(self) -> None:
        """Fill the tree of commands; nothing is sent to Discord."""
        cog = Velha(self.runtime, self.frame)
        self.tree.error(cog.answer_error)
        await self.add_cog(cog)
        self.tree.add_command(tictactoe_command(self.frame))
        for menu in context_menus(self.frame):
            self.tree.add_command(menu)

    async def close(self) -> None:
        """Take no more presses, finish the answers under way, and close within a few seconds."""
        try:
            async with asyncio.timeout(self._limits.closing_seconds):
                for shard in self.shards.values():
                    await shard.disconnect()
                await self._finish()
                await super().close()
        except TimeoutError:
            _log.warning(
                "Discord did not close the connection within %g seconds.",
                self._limits.closing_seconds,
            )
        finally:
            self.store.close()

    async def _finish(self) -> None:
        """Wait a few seconds for the answers under way, then stop the threads and processes."""
        await self.database.finish(self.frame.tasks, self._limits.shutdown_grace_seconds)
        self.engine.close()
        # Closing the engine fails the requests that wait for it: let them be answered.
        await self.database.finish(self.frame.tasks, self._limits.notify_waiters_seconds)
