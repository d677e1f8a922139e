"""Boards that are drawn outside interactions, by the ids of their channel and message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

import discord
from discord import ui
from discord.ext import commands

from bot.game.match import Match, Place
from bot.game.refusal import OutageError
from bot.replies.emojis import Emojis
from bot.replies.failures import DISCORD_FAILED, cause_of
from bot.views.board import match_view, moved_view

DISCORD_SECONDS = 10

Load = Callable[[int], Awaitable[Match | None]]
"""Finds a match as it stands."""

_log = logging.getLogger(__name__)


class Boards:
    """The messages that show matches. Discord may fail at any: the next press mends that."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        load: Load,
        emojis: Emojis,
        seconds: float = DISCORD_SECONDS,
    ) -> None:
        self._bot = bot
        self._emojis = emojis
        self._load = load
        self._seconds = seconds

    async def redraw(self, match: Match) -> bool:
        """Draw a match on its message; whether it was possible."""
        is_shown = await self._edit(match.place, match_view(match))
        if is_shown:
            await self.redraw_if_changed(match)
        return is_shown

    async def redraw_all(self, matches: Iterable[Match]) -> None:
        """One that cannot be drawn is logged, and disturbs none of the others."""
        for drawn in await asyncio.gather(*map(self.redraw, matches), return_exceptions=True):
            if isinstance(drawn, Exception):
                _log.error("A board could not be drawn.", exc_info=drawn)

    async def redraw_if_changed(self, shown: Match) -> None:
        """Discord may hold an edit up for long: what changed meanwhile is not to be covered.

        A board that was brought down meanwhile is not to be shown twice.
        """
        with suppress(OutageError):
            stands = await self._load(shown.id)
            if stands is None or stands.place.message_id is None:
                return
            if stands.place.message_id != shown.place.message_id:
                await self.retire(shown.place, stands)
            elif stands.version > shown.version:
                await self.redraw(stands)

    async def retire(self, old: Place, match: Match) -> None:
        """Have a message that showed a match point to the newer one."""
        await self._edit(old, moved_view(match))

    async def send(self, view: ui.LayoutView, place: Place, nonce: str) -> int:
        """A message for everybody, which pings nobody; returns its id.

        Of two with the same nonce within some minutes, Discord makes one.
        """
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        nobody = discord.AllowedMentions.none()
        send = partial(channel.send, view=view, nonce=nonce, allowed_mentions=nobody)
        async with asyncio.timeout(self._seconds):
            return (await self._emojis.show(view, send)).id

    async def _edit(self, place: Place, view: ui.LayoutView) -> bool:
        """Whether it was possible: the message may be gone, or in a channel the bot is not in."""
        if place.message_id is None:
            return False
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        message = channel.get_partial_message(place.message_id)
        try:
            async with asyncio.timeout(self._seconds):
                edit = partial(
                    message.edit, view=view, allowed_mentions=discord.AllowedMentions.none()
                )
                await self._emojis.show(view, edit)
        except DISCORD_FAILED as error:
            _log.info("Message %d could not be edited: %s", place.message_id, cause_of(error))
            return False
        return True
