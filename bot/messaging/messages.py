"""Messages that are edited or sent outside interactions, by channel and message id."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

import discord
from discord import ui
from discord.ext import commands

from bot.domain.matches import Match, Place
from bot.domain.refusals import UnavailableError
from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, error_summary
from bot.views.matches import match_view, moved_view

DISCORD_SECONDS = 10

_log = logging.getLogger(__name__)


class BoardMessages:
    """The messages that show matches. If an edit fails, the next press makes up for it."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        load: Callable[[int], Awaitable[Match | None]],
        emojis: Emojis,
        seconds: float = DISCORD_SECONDS,
    ) -> None:
        self._bot = bot
        self._emojis = emojis
        self._load = load
        self._seconds = seconds

    async def redraw(self, match: Match) -> bool:
        """Redraw a match on its message; False if the message could not be edited."""
        is_shown = await self._edit(match.place, match_view(match))
        if is_shown:
            await self.redraw_if_changed(match)
        return is_shown

    async def redraw_all(self, matches: Iterable[Match]) -> None:
        """Redraw matches concurrently; one that cannot be drawn is logged and affects no other."""
        for drawn in await asyncio.gather(*map(self.redraw, matches), return_exceptions=True):
            if isinstance(drawn, Exception):
                _log.error("A board could not be drawn.", exc_info=drawn)

    async def redraw_if_changed(self, shown: Match) -> None:
        """Redraw a match that has changed since `shown`: a slow edit may have covered that.

        If the board was brought down meanwhile, its old message links to the new one again.
        """
        with suppress(UnavailableError):
            stands = await self._load(shown.id)
            if stands is None or stands.place.message_id is None:
                return
            if stands.place.message_id != shown.place.message_id:
                await self.replace_with_link(shown.place, stands)
            elif stands.version > shown.version:
                await self.redraw(stands)

    async def replace_with_link(self, old: Place, match: Match) -> None:
        """Replace a board by a link to the newer message of its match."""
        await self._edit(old, moved_view(match))

    async def send(self, view: ui.LayoutView, place: Place, nonce: str) -> int:
        """Send a message for everybody that pings nobody, and return its id.

        Discord deduplicates messages with the same nonce for a few minutes.
        """
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        nobody = discord.AllowedMentions.none()
        send = partial(channel.send, view=view, nonce=nonce, allowed_mentions=nobody)
        async with asyncio.timeout(self._seconds):
            return (await self._emojis.show(view, send)).id

    async def _edit(self, place: Place, view: ui.LayoutView) -> bool:
        """False if the edit failed: the message may be gone, or in a channel the bot is not in."""
        if place.message_id is None:
            return False
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        message = channel.get_partial_message(place.message_id)
        nobody = discord.AllowedMentions.none()
        edit = partial(message.edit, view=view, allowed_mentions=nobody)
        try:
            async with asyncio.timeout(self._seconds):
                await self._emojis.show(view, edit)
        except DISCORD_ERRORS as error:
            _log.info("Message %d could not be edited: %s", place.message_id, error_summary(error))
            return False
        return True
