"""The client: what it asks of Discord, what it starts with, and how it closes."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import logging
import random
from contextlib import suppress
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any, cast

import aiohttp
import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation
from discord.ext import commands

from bot.arena import Arena
from bot.buttons import PressButton
from bot.clock import Clock
from bot.cog import Velha
from bot.settings import Settings
from bot.store import Store
from bot.texts import translate

_FINISHING_SECONDS = 3
_CLOSING_SECONDS = 4
NEEDED = discord.Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True)
_COMMAND_NAMES = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)

_log = logging.getLogger(__name__)


class VelhaBot(commands.AutoShardedBot):
    """Velha as Discord sees it: no intents, no caches, nobody pinged unless asked."""

    def __init__(self, settings: Settings, rng: random.Random | None = None) -> None:
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
        self._cog: Velha | None = None

    async def setup_hook(self) -> None:
        self._store = Store.at(self._settings.database_url)
        await asyncio.to_thread(self._store.migrate)
        arena = Arena(
            self._store,
            clock=self._clock,
            rng=self._rng,
            turn_limit=timedelta(minutes=self._settings.turn_minutes),
            challenge_limit=timedelta(minutes=self._settings.challenge_minutes),
        )
        self.add_dynamic_items(PressButton)
        days = self._settings.keep_days
        keep = None if days is None else timedelta(days=days)
        self._cog = Velha(self, arena, self._clock, self._rng, keep=keep)
        await self.add_cog(self._cog)
        await self.tree.set_translator(_Translator())
        await self._sync_commands(self._store)
        gc.collect()
        gc.freeze()  # what is here to stay need not be looked through for garbage, press by press
        _log.info("Ready. Invite me: %s", self._invite())

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
        if await asyncio.to_thread(store.fact, told) == digest:
            return
        try:
            await self.tree.sync(guild=guild)
        except discord.Forbidden:
            _log.error("DEV_GUILD_ID: I am not in server %s, so it gets no commands.", guild_id)
            return
        await asyncio.to_thread(store.remember, told, digest)
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
            async with asyncio.timeout(_CLOSING_SECONDS):
                for shard in self.shards.values():
                    await shard.disconnect()
                if self._cog is not None:
                    await self._cog.finish(_FINISHING_SECONDS)
                await super().close()
        except TimeoutError:
            _log.warning("Discord did not let go within %d seconds.", _CLOSING_SECONDS)
        finally:
            if self._store is not None:
                self._store.close()
                self._store = None


def _dates_for(clock: Clock) -> aiohttp.TraceConfig:
    """Have a clock know what time it is at Discord, which says so with every answer."""

    async def note(_session: Any, _context: Any, ended: aiohttp.TraceRequestEndParams) -> None:
        with suppress(KeyError, ValueError):
            clock.observe(parsedate_to_datetime(ended.response.headers["Date"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(note)
    return trace


class _Translator(app_commands.Translator):
    """Everything in a command but its name is translated: `/velha start` is the same everywhere."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        if context.location in _COMMAND_NAMES:
            return None
        translated = translate(string.message, str(locale))
        return translated if translated != string.message else None
