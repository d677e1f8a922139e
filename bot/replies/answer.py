"""How an answer reaches Discord: in time, and by whichever way it takes one just now."""

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

from bot.replies.boards import DISCORD_SECONDS
from bot.replies.context import Interaction, is_on_page
from bot.replies.emojis import Emojis
from bot.replies.failures import DISCORD_FAILED, was_answered_elsewhere
from bot.views.board import note

NamedFile = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long people and Discord are kept waiting."""

    quiet_seconds: float = 0.8  # from the press until Discord is told to wait; it waits three
    defer_seconds: float = 2  # until it has taken that in
    discord_seconds: float = DISCORD_SECONDS  # until it has taken an answer


class Answer:
    """What Discord is sent in answer to one interaction."""

    def __init__(self, interaction: Interaction, emojis: Emojis, patience: Patience) -> None:
        self.interaction = interaction
        self._emojis = emojis
        self.patience = patience
        self.is_announced = False

    async def announce(self, *, in_place: bool) -> None:
        """Have Discord wait for what is shown later, in place of what was pressed or apart."""
        self.is_announced = True
        with suppress(*DISCORD_FAILED):  # the answer itself will meet the same, and see to it
            async with asyncio.timeout(self.patience.defer_seconds):
                await self.interaction.response.defer(ephemeral=not in_place, thinking=not in_place)

    async def change_nothing(self) -> None:
        """What was pressed stays as it is, unless there is an answer already."""
        if not self.interaction.response.is_done():
            await self.interaction.response.defer()

    async def say(self, sentence: str) -> None:
        """A sentence that only the person sees."""
        await self._send_alone(lambda: {"content": sentence})

    async def send_file(self, name: str, content: bytes) -> None:
        """A file that only the person gets."""
        await self._send_alone(lambda: {"files": _opened([(name, content)])})

    async def _send_alone(self, what: Callable[[], dict[str, Any]]) -> None:
        """A message of its own; `what` makes it anew for a second attempt, which a file needs."""
        interaction = self.interaction
        async with asyncio.timeout(self.patience.discord_seconds):
            if not interaction.response.is_done():
                try:
                    await interaction.response.send_message(**what(), ephemeral=True)
                except discord.HTTPException as error:
                    if not await self._waits_after_all(error):
                        raise
                else:
                    return
            await interaction.followup.send(**what(), ephemeral=True)

    async def say_done(self, sentence: str) -> None:
        """A sentence in place of the page that was pressed, or else like any other."""
        if not is_on_page(self.interaction):
            return await self.say(sentence)
        await self.show(note(sentence), in_place=True)

    async def show(
        self, view: ui.LayoutView, *, in_place: bool, files: Sequence[NamedFile] = ()
    ) -> None:
        """Show something in place of what was pressed, or as a new message that one person sees.

        Its files take the place of those that were shown before.
        """
        respond = partial(self._respond, view, files, in_place=in_place)
        async with asyncio.timeout(self.patience.discord_seconds):
            await self._emojis.show(view, respond)

    async def show_alone(self, view: ui.LayoutView, files: Sequence[NamedFile] = ()) -> None:
        """Show something to one person, in place of such a page if that was pressed."""
        await self.show(view, in_place=is_on_page(self.interaction), files=files)

    async def _respond(
        self, view: ui.LayoutView, files: Sequence[NamedFile], *, in_place: bool
    ) -> None:
        """Where Discord has been told to wait for an answer, this is it."""
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
            if not await self._waits_after_all(error):
                raise
            await original(view=view, attachments=_opened(files))

    async def _waits_after_all(self, error: Exception) -> bool:
        """Whether Discord took an announcement that it told us it did not.

        Or else another process has answered: then that is what Discord shows.
        """
        if not (self.is_announced and was_answered_elsewhere(error)):
            return False
        original, pressed = await self.original(), self.interaction.message
        if original is None:
            return False
        return original.flags.loading or (pressed is not None and original.id == pressed.id)

    async def original(self) -> discord.InteractionMessage | None:
        """What Discord shows as the answer, whoever gave it; None where that is gone."""
        try:
            async with asyncio.timeout(self.patience.discord_seconds):
                return await self.interaction.original_response()
        except discord.NotFound:
            return None

    async def post(self, view: ui.LayoutView, *, pings: int | None = None) -> int:
        """Answer with a new message for everybody, which may ping one person; returns its id."""
        pinged = [] if pings is None else [discord.Object(pings)]
        mentions = discord.AllowedMentions(users=pinged)
        send = self.interaction.response.send_message
        async with asyncio.timeout(self.patience.discord_seconds):
            response = await self._emojis.show(
                view, partial(send, view=view, allowed_mentions=mentions)
            )
        assert response.message_id is not None, "a message was sent"
        return response.message_id

    async def post_after(self, view: ui.LayoutView) -> int:
        """A message for everybody, after the answer; returns its id."""
        send = partial(self.interaction.followup.send, view=view, wait=True)
        return (await self._emojis.show(view, send)).id


def _opened(files: Sequence[NamedFile]) -> list[discord.File]:
    """Anew for each attempt: what was sent once is at its end."""
    return [discord.File(io.BytesIO(content), name) for name, content in files]
