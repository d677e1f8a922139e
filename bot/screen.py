"""What people see: the board's message, and sentences that only one of them reads.

Discord may fail at any of it; what is stored is then shown by other means, or at the next press.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import aiohttp
import discord
from discord import ui
from discord.ext import commands

from bot.arena import Answer
from bot.board_view import match_view, moved_view
from bot.circumstances import Interaction, reader_of
from bot.match import Match, Place, Refusal
from bot.store import cause_of
from bot.texts import texts_for

ARRIVED_AT = "arrived at"
"""When an interaction reached us, among its extras, by the event loop's clock."""

DISCORD_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord may raise."""

Result = TypeVar("Result")

_ANNOUNCED = "announced"
"""That Discord was told to wait for the answer, among an interaction's extras."""

_DISCORD_SECONDS = 10
_PATIENCE_SECONDS = 0.8  # since the press: Discord waits three
_DEFER_SECONDS = 2
_ALREADY_ACKNOWLEDGED = 40060

_log = logging.getLogger(__name__)


class Screen:
    """Shows matches, in answer to an interaction and outside of any."""

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot

    async def post(self, interaction: Interaction, match: Match, *, pings: bool = False) -> Match:
        """Answer with a new message for a match; returns the match with that message noted.

        If it pings anybody, then the one who is challenged.
        """
        pinged = [discord.Object(match.challenged)] if pings else []
        async with asyncio.timeout(_DISCORD_SECONDS):
            response = await interaction.response.send_message(
                view=drawn(match), allowed_mentions=discord.AllowedMentions(users=pinged)
            )
        assert response.message_id is not None, "a message was sent"
        return replace(match, place=replace(match.place, message_id=response.message_id))

    async def update(self, interaction: Interaction, answer: Answer) -> None:
        """Redraw the message that was pressed, by its interaction or else by its id."""
        assert answer.match is not None
        if answer.refusal is Refusal.BOARD_MOVED:
            view = moved_view(answer.match, texts_for(answer.match.place.locale))
        else:
            view = drawn(answer.match)
        try:
            await answer_with(interaction, view, in_place=True)
        except DISCORD_FAILED as error:
            is_shown = await self.redraw(answer.match)
            if was_answered_elsewhere(error):
                raise
            cause = cause_of(error)
            _log.warning("Match %d could not be shown in answer: %s", answer.match.id, cause)
            if not is_shown:
                await apologize(interaction, Refusal.BOARD_GONE)

    async def redraw(self, match: Match) -> bool:
        """Draw a match on its message, outside any interaction."""
        return await self._edit(match.place, drawn(match))

    async def retire(self, old: Place, match: Match) -> None:
        """Have a message that showed a match point to the newer one."""
        await self._edit(old, moved_view(match, texts_for(old.locale)))

    async def _edit(self, place: Place, view: ui.LayoutView) -> bool:
        """Whether it was possible: the message may be gone, or in a channel the bot is not in."""
        if place.message_id is None:
            return False
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        message = channel.get_partial_message(place.message_id)
        try:
            async with asyncio.timeout(_DISCORD_SECONDS):
                await message.edit(view=view, allowed_mentions=discord.AllowedMentions.none())
        except DISCORD_FAILED as error:
            _log.info("Message %d could not be edited: %s", place.message_id, cause_of(error))
            return False
        return True


async def patiently(
    interaction: Interaction, task: asyncio.Task[Result], *, in_place: bool
) -> None:
    """Wait until a task is done; if it takes long, have Discord wait for the answer as well.

    Discord is told whether the answer takes the place of the message that was pressed, or is a
    new one that only the person sees.
    """
    waited = asyncio.get_running_loop().time() - interaction.extras[ARRIVED_AT]
    await asyncio.wait({task}, timeout=max(0, _PATIENCE_SECONDS - waited))
    if not task.done():
        interaction.extras[_ANNOUNCED] = True
        with suppress(*DISCORD_FAILED):  # the answer itself will meet the same, and see to it
            async with asyncio.timeout(_DEFER_SECONDS):
                await interaction.response.defer(ephemeral=not in_place, thinking=not in_place)
        await asyncio.wait({task})


async def answer_with(interaction: Interaction, view: ui.LayoutView, *, in_place: bool) -> None:
    """Show something in place of what was pressed, or as a new message that one person sees.

    Where Discord has been told to wait for an answer, this is it.
    """
    async with asyncio.timeout(_DISCORD_SECONDS):
        if interaction.response.is_done():
            await interaction.edit_original_response(view=view)
            return
        try:
            if in_place:
                await interaction.response.edit_message(view=view)
            else:
                await interaction.response.send_message(view=view, ephemeral=True)
        except discord.HTTPException as error:
            if not _waits_after_all(interaction, error):
                raise
            await interaction.edit_original_response(view=view)


def drawn(match: Match) -> ui.LayoutView:
    return match_view(match, texts_for(match.place.locale))


def was_answered_elsewhere(error: Exception) -> bool:
    """Whether Discord has an answer already: another process was faster, or a try succeeded."""
    return isinstance(error, discord.HTTPException) and error.code == _ALREADY_ACKNOWLEDGED


def _waits_after_all(interaction: Interaction, error: Exception) -> bool:
    """Whether Discord took an announcement that it told us it did not."""
    return _ANNOUNCED in interaction.extras and was_answered_elsewhere(error)


async def refuse(interaction: Interaction, answer: Answer) -> None:
    assert answer.refusal is not None
    await say(interaction, reader_of(interaction).refusal(answer.refusal, answer.match))


async def say(interaction: Interaction, sentence: str) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(sentence, ephemeral=True)
        return
    try:
        await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException as error:
        if not _waits_after_all(interaction, error):
            raise
        await interaction.followup.send(sentence, ephemeral=True)


async def apologize(interaction: Interaction, refusal: Refusal) -> None:
    with suppress(*DISCORD_FAILED):
        await refuse(interaction, Answer(refusal=refusal))
