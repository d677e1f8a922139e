"""The background tasks: sweeps, judging matches, puzzles, reminders, emojis, and memberships."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from discord.ext import commands, tasks

from bot.features import counting, forgetting, match_messages, matches, posts, pruning, reminders
from bot.messaging.emojis import Emojis
from bot.messaging.errors import log_errors
from bot.runtime.runtime import Runtime

_SWEEP_SECONDS = 15

_MAX_BATCHES = 100
"""Of matches to end, and of those to forget, in one sweep; the next sweep continues."""

_EXPIRING_PAUSE_SECONDS = 1
"""Between batches, whose boards are drawn: Discord takes 50 requests a second of a bot."""

_EMOJI_MINUTES = 10
"""How soon an upload that Discord refused is tried again, and a deleted emoji replaced."""

_MEMBERSHIPS_DELAY_SECONDS = 10 * 60  # so that a bot in a restart loop does not ask each time


class BackgroundTasks(commands.Cog):
    """What the bot does without being asked, every few seconds."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        runtime: Runtime,
        emojis: Emojis,
    ) -> None:
        self._bot = bot
        self._runtime = runtime
        self._emojis = emojis
        self._clock = runtime.clock
        self._completed_at = runtime.clock.now()
        self._loops = (
            self.sweep,
            self._judge,
            self._post,
            self._remind,
            self._upload_emojis,
            self._refresh_memberships,
        )

    @property
    def idle_for(self) -> timedelta:
        """How long ago the last sweep was completed, or the bot started."""
        return self._clock.now() - self._completed_at

    async def cog_load(self) -> None:
        for loop in self._loops:
            loop.start()

    async def cog_unload(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Cancel the loops, also in the middle of their work."""
        for loop in self._loops:
            loop.cancel()

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def sweep(self) -> None:
        """End and redraw matches whose time is up, and delete what need not be kept any longer."""
        with log_errors("A sweep failed"):
            for _ in range(_MAX_BATCHES):
                if (ended := await matches.expire_overdue(self._runtime)) is None:
                    break
                await match_messages.redraw_all(self._runtime, ended)
                await asyncio.sleep(_EXPIRING_PAUSE_SECONDS)
            for _ in range(_MAX_BATCHES):
                if (forgotten := await forgetting.forget_next(self._runtime)) is None:
                    break
                await match_messages.redraw_all(self._runtime, forgotten)
            await pruning.prune(self._runtime)
            self._completed_at = self._clock.now()

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _judge(self) -> None:
        await counting.judge(self._runtime)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _post(self) -> None:
        with log_errors("The puzzle of the day could not be posted"):
            await posts.post_due(self._runtime)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _remind(self) -> None:
        with log_errors("Reminders could not be posted"):
            await reminders.post_due(self._runtime)

    @tasks.loop(minutes=_EMOJI_MINUTES)
    async def _upload_emojis(self) -> None:
        with log_errors("The emojis could not be uploaded"):
            await self._emojis.load(self._bot, uploads=True)

    @tasks.loop(hours=24)
    async def _refresh_memberships(self) -> None:
        """Record which servers the bot is in: without intents, no event tells it."""
        with log_errors("The bot's servers could not be fetched"):
            guild_ids = {guild.id async for guild in self._bot.fetch_guilds(limit=None)}
            await forgetting.record_memberships(self._runtime, guild_ids)

    @_refresh_memberships.before_loop
    async def _delay_first_fetch(self) -> None:
        await asyncio.sleep(_MEMBERSHIPS_DELAY_SECONDS)

    @sweep.before_loop
    @_judge.before_loop
    @_post.before_loop
    @_remind.before_loop
    @_upload_emojis.before_loop
    async def _wait_until_ready(self) -> None:
        await self._bot.wait_until_ready()
