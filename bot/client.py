"""The client: what it asks of Discord, what it starts with, and how it closes."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
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
from discord import app_commands
from discord.app_commands import TranslationContextLocation
from discord.ext import commands

from bot.commands.family import Services
from bot.commands.menus import menus
from bot.commands.velha import Velha
from bot.replies.answer import Patience
from bot.replies.boards import Boards
from bot.replies.emojis import Emojis
from bot.replies.posts import Posts
from bot.replies.replies import Replies
from bot.service.clock import Clock
from bot.service.engine_pool import LESSONS, MOVES, EnginePool
from bot.service.executor import Executor, ExecutorLimits
from bot.service.lessons import Lessons
from bot.service.matches import Matches
from bot.service.people import People
from bot.service.pool import Limits as PoolLimits
from bot.service.presses import Presses
from bot.service.puzzles import Puzzles
from bot.service.servers import Servers
from bot.service.sweeps import Sweeps
from bot.service.tallies import Tallies
from bot.service.umpire import Umpire
from bot.settings import Settings
from bot.store import Store
from bot.texts import translate
from bot.views.buttons import PressButton

NEEDED = discord.Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True)
_COMMAND_NAMES = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long anything may take, and how much may wait."""

    patience: Patience = Patience()
    executor: ExecutorLimits = ExecutorLimits()
    moves: PoolLimits = MOVES
    lessons: PoolLimits = LESSONS
    finishing_seconds: float = 3
    taking_leave_seconds: float = 0.5
    closing_seconds: float = 4


class VelhaBot(commands.AutoShardedBot):
    """Velha as Discord sees it: no intents, no caches, nobody pinged unless asked."""

    def __init__(
        self,
        settings: Settings,
        rng: random.Random | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._limits = limits or Limits()
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
            shard_ids=cast("list[int]", settings.shard_ids),  # None is fine; its type forgets that
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
        self.add_dynamic_items(PressButton)
        await self.add_cog(self._cog)
        for menu in menus(self._cog):
            self.tree.add_command(menu)
        await self.tree.set_translator(_Translator())
        await self._sync_commands(self._store)
        await self._emojis.load(self)
        gc.collect()
        gc.freeze()  # what is here to stay need not be looked through for garbage, press by press
        _log.info("Ready. Invite me: %s", self._invite())

    def _cog_on(self, store: Store) -> Velha:
        """All that answers people, made and joined."""
        assert self.user is not None, "known since login"
        settings, limits = self._settings, self._limits
        umpire = Umpire(
            store,
            self._clock,
            self._rng,
            turn_limit=timedelta(minutes=settings.turn_minutes),
            challenge_limit=timedelta(minutes=settings.challenge_minutes),
        )
        keep = timedelta(days=settings.keep_days)
        self._executor = executor = Executor(limits.executor, self._show_late, store.break_off)
        matches = Matches(store, executor, umpire, self._rng, self.user.id)
        services = Services(
            matches=matches,
            presses=Presses(store, executor, umpire, self.engine),
            lessons=Lessons(self.engine, matches.count_hint),
            puzzles=Puzzles(store, executor, self.engine),
            people=People(store, executor),
            tallies=Tallies(store, executor, self.engine, self._clock),
            servers=Servers(store, executor, self._clock),
            sweeps=Sweeps(store, executor, self._clock, keep),
        )
        boards = Boards(self, matches.load, self._emojis, limits.patience.discord_seconds)
        posts = Posts(boards, matches)
        self.replies = Replies(boards, posts, self._emojis, self._clock.observe, limits.patience)
        return Velha(self, services, self.replies)

    async def _show_late(self, late: Awaitable[object]) -> None:
        await self.replies.posts.show_late(late)

    def _invite(self) -> str:
        assert self.application_id is not None, "known since login"
        scopes = ("bot", "applications.commands")
        return discord.utils.oauth_url(self.application_id, permissions=NEEDED, scopes=scopes)

    async def _sync_commands(self, store: Store) -> None:
        """Tell Discord of our commands if they differ from those it was last told of."""
        guild_id = self._settings.dev_guild_id
        guild = discord.Object(guild_id) if guild_id else None
        if guild:
            self.tree.copy_global_to(guild=guild)
        told = f"commands of {self.application_id} in {guild_id or 'every server'}"
        digest = await self._digest_of_commands(guild)
        if await asyncio.to_thread(store.facts.get, told) == digest:
            return
        try:
            await self.tree.sync(guild=guild)
        except discord.Forbidden:
            _log.error("DEV_GUILD_ID: I am not in server %s, so it gets no commands.", guild_id)
            return
        await asyncio.to_thread(store.facts.put, told, digest)
        _log.info("Told Discord of the %s.", told)

    async def _digest_of_commands(self, guild: discord.Object | None) -> str:
        translator = self.tree.translator
        assert translator is not None, "set before the commands are synced"
        payloads = [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands(guild=guild)
        ]
        return hashlib.sha256(json.dumps(payloads, sort_keys=True).encode()).hexdigest()

    async def close(self) -> None:
        """Take no more presses, finish the answers under way, and leave within a few seconds."""
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
        """Wait for the answers under way, and begin no more."""
        under_way = self.replies.under_way
        await self._executor.finish(under_way, self._limits.finishing_seconds)
        self.engine.close()
        # Who still waited is told.
        await self._executor.finish(under_way, self._limits.taking_leave_seconds)


def _dates_for(clock: Clock) -> aiohttp.TraceConfig:
    """Have a clock know what time it is at Discord, which says so with every answer."""

    async def note(_session: Any, _context: Any, ended: aiohttp.TraceRequestEndParams) -> None:
        with suppress(KeyError, ValueError):
            clock.observe(parsedate_to_datetime(ended.response.headers["Date"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(note)
    return trace


class _Translator(app_commands.Translator):
    """All but the names of what people type is translated: `/velha start` is so everywhere."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        is_typed = not isinstance(context.data, app_commands.ContextMenu)
        if is_typed and context.location in _COMMAND_NAMES:
            return None
        translated = translate(string.message, str(locale))
        return translated if translated != string.message else None
