"""Sending an answer to Discord: in time, by the request that the interaction's state allows."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, is_already_answered
from bot.messaging.interactions import Interaction, is_ephemeral
from bot.messaging.messages import DISCORD_SECONDS
from bot.views.components import notice_view

NamedFile = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class ReplyTimeouts:
    """How long people wait for the bot, and the bot for Discord."""

    defer_after_seconds: float = 0.8  # from arrival to deferring the response; Discord waits three
    defer_seconds: float = 2  # for Discord to accept the deferral
    discord_seconds: float = DISCORD_SECONDS  # for Discord to accept an answer


class Answer:
    """What Discord is sent in answer to one interaction."""

    def __init__(self, interaction: Interaction, emojis: Emojis, patience: ReplyTimeouts) -> None:
        self.interaction = interaction
        self._emojis = emojis
        self.patience = patience
        self.is_deferred = False

    async def defer(self, *, in_place: bool) -> None:
        """Defer the response, once: an update of what was pressed, or a new ephemeral message."""
        if self.interaction.response.is_done():
            return
        self.is_deferred = True
        with suppress(*DISCORD_ERRORS):  # sending the answer deals with it
            async with asyncio.timeout(self.patience.defer_seconds):
                await self.interaction.response.defer(ephemeral=not in_place, thinking=not in_place)

    async def acknowledge(self) -> None:
        """Acknowledge a press without changing its message, unless there is a response already."""
        if not self.interaction.response.is_done():
            async with asyncio.timeout(self.patience.discord_seconds):
                await self.interaction.response.defer()

    async def say(self, sentence: str) -> None:
        """Send a sentence that only the person sees."""
        await self._send_alone(lambda: {"content": sentence})

    async def send_file(self, name: str, content: bytes) -> None:
        """Send a file that only the person gets."""
        await self._send_alone(lambda: {"files": _opened([(name, content)])})

    async def _send_alone(self, what: Callable[[], dict[str, Any]]) -> None:
        """Send an ephemeral message; `what` builds it anew for each attempt, as files require."""
        interaction = self.interaction
        async with asyncio.timeout(self.patience.discord_seconds):
            if not interaction.response.is_done():
                try:
                    await interaction.response.send_message(**what(), ephemeral=True)
                except discord.HTTPException as error:
                    if not await self._was_deferral_accepted(error):
                        raise
                else:
                    return
            await interaction.followup.send(**what(), ephemeral=True)

    async def replace_with_text(self, sentence: str) -> None:
        """Show a sentence in place of the page that was pressed; without a page, say it."""
        if not is_ephemeral(self.interaction):
            return await self.say(sentence)
        await self.show(notice_view(sentence), in_place=True)

    async def show(
        self, view: ui.LayoutView, *, in_place: bool, files: Sequence[NamedFile] = ()
    ) -> None:
        """Show a view in place of the message that was pressed, or as a new ephemeral message.

        In place, its files replace those that the message had before.
        """
        respond = partial(self._respond, view, files, in_place=in_place)
        async with asyncio.timeout(self.patience.discord_seconds):
            await self._emojis.show(view, respond)

    async def show_ephemeral(self, view: ui.LayoutView, files: Sequence[NamedFile] = ()) -> None:
        """Show a view to one person: in place of the page that was pressed, or as a new message."""
        await self.show(view, in_place=is_ephemeral(self.interaction), files=files)

    async def _respond(
        self, view: ui.LayoutView, files: Sequence[NamedFile], *, in_place: bool
    ) -> None:
        """Send the initial response, or edit it if it was deferred."""
        response, original = self.interaction.response, self.interaction.edit_original_response
        if response.is_done():
            await original(view=view, attachments=_opened(files))
            return
        try:
            if in_place:
                await response.edit_message(view=view, attachments=_opened(files))
            else:
                await response.send_message(view=view, files=_opened(files), ephemeral=True)
        except discord.HTTPException as error:
            if not await self._was_deferral_accepted(error):
                raise
            await original(view=view, attachments=_opened(files))

    async def _was_deferral_accepted(self, error: Exception) -> bool:
        """Whether our deferral reached Discord after all, although the request failed.

        Otherwise another process has answered, and Discord shows its answer.
        """
        if not (self.is_deferred and is_already_answered(error)):
            return False
        original, pressed = await self.original(), self.interaction.message
        if original is None:
            return False
        return original.flags.loading or (pressed is not None and original.id == pressed.id)

    async def original(self) -> discord.InteractionMessage | None:
        """The message that Discord shows as the answer, whichever process gave it; None if gone."""
        try:
            async with asyncio.timeout(self.patience.discord_seconds):
                return await self.interaction.original_response()
        except discord.NotFound:
            return None

    async def post(self, view: ui.LayoutView, *, pings: int | None = None) -> int:
        """Send a message for everybody, which may ping one person, and return its id.

        It is the answer, or follows what was answered already.
        """
        pinged = [] if pings is None else [discord.Object(pings)]
        mentions = discord.AllowedMentions(users=pinged)
        async with asyncio.timeout(self.patience.discord_seconds):
            return await self._emojis.show(view, partial(self._post, view, mentions))

    async def _post(self, view: ui.LayoutView, mentions: discord.AllowedMentions) -> int:
        response, followup = self.interaction.response, self.interaction.followup
        if response.is_done():
            message = await followup.send(view=view, allowed_mentions=mentions, wait=True)
            return message.id
        posted = await response.send_message(view=view, allowed_mentions=mentions)
        assert posted.message_id is not None, "a message was sent"
        return posted.message_id


def _opened(files: Sequence[NamedFile]) -> list[discord.File]:
    """Open the files, anew for each attempt: a stream that was sent is at its end."""
    return [discord.File(io.BytesIO(content), name) for name, content in files]
