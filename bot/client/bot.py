"""The Discord client: what it asks of Discord, how it starts, and how it closes."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any, cast

import aiohttp
import discord
from discord.ext import commands

from bot.client.cog import Velha
from bot.client.command_sync import sync_commands
from bot.client.menus import menus
from bot.client.reconnect import ReconnectingBot
from bot.config import Config
from bot.handlers.base import Services
from bot.messaging.answer import ReplyTimeouts
from bot.messaging.emojis import Emojis
from bot.messaging.messages import BoardMessages
from bot.messaging.reply import Posts, Replies
from bot.ops.health import RunningBot
from bot.services.analysis import Lessons
from bot.services.clock import Clock
from bot.services.engine import LESSONS, MOVES, EnginePool
from bot.services.executor import Executor, ExecutorLimits
from bot.services.match_actions import Presses
from bot.services.matches import Matches, Starts, Umpire
from bot.services.privacy import People, Sweeps
from bot.services.puzzles import PuzzlePosting, Puzzles
from bot.services.settings import SettingsService
from bot.services.stats import Tallies
from bot.services.worker import QueueLimits as PoolLimits
from bot.store.store import Store
from bot.views.i18n import LANGUAGES

NEEDED = discord.Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BotLimits:
    """Time-outs and queue limits."""

    patience: ReplyTimeouts = ReplyTimeouts()
    executor: ExecutorLimits = ExecutorLimits()
    moves: PoolLimits = MOVES
    lessons: PoolLimits = LESSONS
    counted_together_seconds: float = 0.5
    finishing_seconds: float = 3
    taking_leave_seconds: float = 0.5
    closing_seconds: float = 4


class VelhaBot(ReconnectingBot):
    """The Discord client: no intents, no caches, and no pings by default."""

    def __init__(
        self,
        settings: Config,
        rng: random.Random | None = None,
        limits: BotLimits | None = None,
    ) -> None:
        self._limits = limits or BotLimits()
        self._clock = Clock(discord.utils.utcnow)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=settings.shard_count,
            http_trace=_dates_for(self._clock),
            shard_ids=cast("list[int]", settings.shard_ids),  # None is fine, despite its annotation
        )
        self._settings = settings
        self._rng = rng or random.Random()
        self._store: Store | None = None
        self._emojis = Emojis()
        self.engine = EnginePool(self._rng, moves=self._limits.moves, lessons=self._limits.lessons)

    async def setup_hook(self) -> None:
        self._store = Store.at(self._settings.database_url)
        self._cog = self._cog_on(self._store)
        await asyncio.to_thread(self._store.migrate)
        await self.add_cog(self._cog)
        for menu in menus(self._cog):
            self.tree.add_command(menu)
        facts, guild_id = self._store.key_values, self._settings.dev_guild_id
        self._cog.command_id = await sync_commands(self.tree, facts, self.application_id, guild_id)
        await self._emojis.load(self)
        gc.collect()
        gc.freeze()  # keep the garbage collector from scanning long-lived objects
        _log.info("Ready. Invite me: %s", self._invite())

    def _cog_on(self, store: Store) -> Velha:
        """Create the cog, with the services and replies that it uses."""
        assert self.user is not None, "known since login"
        settings, limits = self._settings, self._limits
        turn_limit = timedelta(minutes=settings.turn_minutes)
        umpire = Umpire(
            store,
            self._clock,
            self._rng,
            turn_limit=turn_limit,
            challenge_limit=timedelta(minutes=settings.challenge_minutes),
        )
        keep = timedelta(days=settings.keep_days)
        self._executor = executor = Executor(limits.executor, self._show_late, store.abort_stuck)
        matches = Matches(store, executor, umpire)
        services = Services(
            starts=Starts(store, executor, umpire, self._rng, self.user.id),
            matches=matches,
            presses=Presses(store, executor, umpire, self.engine),
            lessons=Lessons(self.engine, matches.count_hint),
            puzzles=Puzzles(store, executor, self.engine),
            puzzle_posting=PuzzlePosting(store, executor, self.engine, self._clock),
            people=People(store, executor),
            tallies=Tallies(store, executor, self.engine, self._clock),
            servers=SettingsService(store, executor, LANGUAGES, turn_limit),
            sweeps=Sweeps(store, executor, self._clock, keep),
        )
        boards = BoardMessages(self, matches.load, self._emojis, limits.patience.discord_seconds)
        posts = Posts(boards, matches)
        self.replies = Replies(boards, posts, self._emojis, self._clock.observe, limits.patience)
        return Velha(self, services, self.replies, limits.counted_together_seconds)

    @property
    def running(self) -> RunningBot:
        """The parts for monitoring to look at; available after `login`."""
        assert self._store is not None, "made by login"
        return RunningBot(
            bot=self,
            store=self._store,
            executor=self._executor,
            engine=self.engine,
            clock=self._clock,
            sweeps=self._cog.services.sweeps,
            replies=self.replies,
        )

    async def _show_late(self, late: Awaitable[object]) -> None:
        await self.replies.posts.show_late(late)

    def _invite(self) -> str:
        assert self.application_id is not None, "known since login"
        scopes = ("bot", "applications.commands")
        return discord.utils.oauth_url(self.application_id, permissions=NEEDED, scopes=scopes)

    async def close(self) -> None:
        """Take no more presses, finish the answers under way, and close within a few seconds."""
        try:
            async with asyncio.timeout(self._limits.closing_seconds):
                for shard in self.shards.values():
                    await shard.disconnect()
                if self._store is not None:
                    await self._finish()
                await super().close()
        except TimeoutError:
            _log.warning("Discord did not let go within %g seconds.", self._limits.closing_seconds)
        finally:
            if self._store is not None:
                self._store.close()
                self._store = None

    async def _finish(self) -> None:
        """Wait a few seconds for the answers under way, then stop the threads and processes."""
        under_way = self.replies.under_way
        await self._executor.finish(under_way, self._limits.finishing_seconds)
        self.engine.close()
        # Closing the engine fails those who wait for it: give them time to be told.
        await self._executor.finish(under_way, self._limits.taking_leave_seconds)


def _dates_for(clock: Clock) -> aiohttp.TraceConfig:
    """Set a clock by the Date header of each of Discord's HTTP responses."""

    async def note(_session: Any, _context: Any, ended: aiohttp.TraceRequestEndParams) -> None:
        with suppress(KeyError, ValueError):
            clock.observe(parsedate_to_datetime(ended.response.headers["Date"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(note)
    return trace
