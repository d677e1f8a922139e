"""What people see: the board's message, and sentences that only one of them reads.

Discord may fail at any of it; what is stored is then shown by other means, or at the next press.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
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

    async def post(
        self, interaction: Interaction, match: Match, *, pings: int | None = None
    ) -> int:
        """Answer with a new message for a match, which may ping one person; returns its id."""
        pinged = [] if pings is None else [discord.Object(pings)]
        async with asyncio.timeout(_DISCORD_SECONDS):
            response = await interaction.response.send_message(
                view=drawn(match), allowed_mentions=discord.AllowedMentions(users=pinged)
            )
        assert response.message_id is not None, "a message was sent"
        return response.message_id

    async def posted_elsewhere(self, interaction: Interaction, match: Match) -> int | None:
        """The id of the message that an interaction was answered with, if it shows the match."""
        try:
            async with asyncio.timeout(_DISCORD_SECONDS):
                original = await interaction.original_response()
        except discord.NotFound:
            return None
        components = str([component.to_dict() for component in original.components])
        return original.id if f"velha:{match.id}:" in components else None

    async def redraw(self, match: Match) -> bool:
        """Draw a match on its message, outside any interaction."""
        return await self._edit(match.place, drawn(match))

    async def retire(self, old: Place, match: Match) -> None:
        """Have a message that showed a match point to the newer one."""
        await self._edit(old, moved(match))

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
            if not await _waits_after_all(interaction, error):
                raise
            await interaction.edit_original_response(view=view)


def drawn(match: Match) -> ui.LayoutView:
    return match_view(match, texts_for(match.place.locale))


def moved(match: Match) -> ui.LayoutView:
    return moved_view(match, texts_for(match.place.locale))


def was_answered_elsewhere(error: Exception) -> bool:
    """Whether Discord has an answer already: another process was faster, or a try succeeded."""
    return isinstance(error, discord.HTTPException) and error.code == _ALREADY_ACKNOWLEDGED


async def _waits_after_all(interaction: Interaction, error: Exception) -> bool:
    """Whether Discord took an announcement that it told us it did not.

    Or else another process has answered: then that is what Discord shows.
    """
    if not (was_announced(interaction) and was_answered_elsewhere(error)):
        return False
    original = await interaction.original_response()
    is_pressed = interaction.message is not None and interaction.message.id == original.id
    return original.flags.loading or is_pressed


def was_announced(interaction: Interaction) -> bool:
    return _ANNOUNCED in interaction.extras


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
        if not await _waits_after_all(interaction, error):
            raise
        await interaction.followup.send(sentence, ephemeral=True)


async def apologize(interaction: Interaction, refusal: Refusal) -> None:
    with suppress(*DISCORD_FAILED):
        await refuse(interaction, Answer(refusal=refusal))
