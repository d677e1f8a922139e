"""Reminders: the button on a board, and the mentions of people whose turn it is."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.domain.match_actions import Press
from bot.domain.refusals import Refusal
from bot.domain.reminders import OutdatedReminder, Reminder
from bot.handlers.base import Handler
from bot.messaging.errors import error_summary, is_refusal, log_errors
from bot.messaging.interactions import Interaction, channel_id_of
from bot.views.reminders import ReminderTexts, reminder_view

_log = logging.getLogger(__name__)


class ReminderHandler(Handler):
    """Switches reminders on and off, posts those that are due, and deletes outdated ones."""

    async def toggle(self, interaction: Interaction, press: Press) -> None:
        """Switch reminders in one match on or off, for the player who pressed."""
        async with self._replies.to(interaction) as reply:
            is_on = await self._services.reminders.toggle(
                press.match_id,
                user_id=interaction.user.id,
                channel_id=channel_id_of(interaction),
            )
            if isinstance(is_on, Refusal):
                return await reply.refuse(is_on)
            await reply.send_text(ReminderTexts(reply.language).toggle_confirmation(is_on=is_on))

    async def post_due(self) -> None:
        """Delete the outdated reminders, then post those that are due."""
        outdated = await self._services.reminders.outdated()
        await asyncio.gather(*map(self._delete, outdated))
        while claimed := await self._services.reminders.claim():
            await asyncio.gather(*map(self._post, claimed))

    async def _delete(self, reminder: OutdatedReminder) -> None:
        """Delete the message of a reminder; if that fails, the next call tries again."""
        with log_errors("A reminder could not be deleted"):
            if await self._delete_message(reminder.channel_id, reminder.message_id):
                await self._services.reminders.remove(reminder)

    async def _delete_message(self, channel_id: int | None, message_id: int | None) -> bool:
        """Delete a message, if there is one; return whether none is left."""
        if channel_id is None or message_id is None:
            return True
        return await self._messages.delete(channel_id, message_id)

    async def _post(self, reminder: Reminder) -> None:
        """Post one reminder; unless the result gets recorded, any process soon tries again."""
        place = reminder.match.place
        with log_errors("A reminder could not be posted"):
            message_id = await self._send(reminder)
            is_wanted = await self._services.reminders.record_posted(reminder, message_id)
            if message_id is not None and not is_wanted:
                await self._messages.delete(place.channel_id, message_id)

    async def _send(self, reminder: Reminder) -> int | None:
        """Send a reminder and return the message's id; None if Discord refuses it."""
        place = reminder.match.place
        draw = partial(reminder_view, reminder)
        try:
            return await self._messages.send(
                place, draw, reminder.nonce, pinged_user_id=reminder.user_id
            )
        except discord.HTTPException as error:
            if not is_refusal(error):
                raise
            summary = error_summary(error)
            _log.info("No reminder for channel %d: %s", place.channel_id, summary)
            return None
