"""Messages that are edited or sent outside interactions, by channel and message id."""

from __future__ import annotations

import logging

import discord
from discord import ui
from discord.ext import commands

from bot.domain.matches import Place
from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, error_summary, is_refusal
from bot.messaging.waiting import WhenLate, wait_for_discord

DISCORD_SECONDS = 10
"""How long to wait for Discord's response to a request."""

_log = logging.getLogger(__name__)


class Messages:
    """Public messages: an edit pings nobody, a new message may ping one user."""

    def __init__(
        self, bot: commands.AutoShardedBot, emojis: Emojis, discord_seconds: float = DISCORD_SECONDS
    ) -> None:
        self._bot = bot
        self._emojis = emojis
        self._discord_seconds = discord_seconds

    async def send(
        self,
        place: Place,
        view: ui.LayoutView,
        nonce: str,
        *,
        pinged_user_id: int | None = None,
        when_late: WhenLate[int] | None = None,
    ) -> int:
        """Send a message to a channel, which may ping one person, and return its id.

        Discord deduplicates messages with the same nonce for a few minutes. If it is sent after a
        time-out, `when_late` is called with its id.
        """
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        mentions = allowed_mentions(pinged_user_id)

        async def send() -> int:
            return (await channel.send(view=view, nonce=nonce, allowed_mentions=mentions)).id

        try:
            return await wait_for_discord(send(), self._discord_seconds, when_late)
        except discord.HTTPException as error:
            self._emojis.check(error)
            raise

    async def delete(self, channel_id: int, message_id: int) -> bool:
        """Delete a message of the bot's own.

        Returns:
            False if that failed and may be tried again; True also if there is nothing to be done,
            as the message is gone, or Discord refuses to delete it.
        """
        message = self._bot.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            await wait_for_discord(message.delete(), self._discord_seconds)
        except DISCORD_ERRORS as error:
            _log.info("Message %d could not be deleted: %s", message_id, error_summary(error))
            return is_refusal(error)
        return True

    async def edit(
        self, place: Place, view: ui.LayoutView, when_late: WhenLate[object] | None = None
    ) -> bool:
        """Edit the message of a place.

        Returns:
            False if that failed: it may be gone, or in a channel that the bot is not in. It may
            also be edited later; `when_late` is then called.
        """
        if place.message_id is None:
            return False
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        message = channel.get_partial_message(place.message_id)
        request = message.edit(view=view, allowed_mentions=discord.AllowedMentions.none())
        try:
            await wait_for_discord(request, self._discord_seconds, when_late)
        except DISCORD_ERRORS as error:
            self._emojis.check(error)
            _log.info("Message %d could not be edited: %s", place.message_id, error_summary(error))
            return False
        return True


def allowed_mentions(pinged_user_id: int | None) -> discord.AllowedMentions:
    """Allow a message to mention one user; with None, none."""
    pinged = [] if pinged_user_id is None else [discord.Object(pinged_user_id)]
    return discord.AllowedMentions(everyone=False, roles=False, users=pinged)
