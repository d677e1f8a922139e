"""What a person gets for an interaction: one answer, in time, or a sentence that says why not."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import discord
from discord import ui

from bot.game.lesson import Hint, Lesson
from bot.game.outcome import (
    BroughtDown,
    DeletionQuestioned,
    Download,
    Followed,
    Forgotten,
    Kept,
    Opened,
    Questioned,
    Refused,
    Showable,
    Shown,
    Stopped,
)
from bot.game.page import SharePage
from bot.game.refusal import Refusal
from bot.replies.boards import DISCORD_SECONDS, Boards
from bot.replies.context import Interaction, is_on_page, place_of
from bot.replies.emojis import Emojis
from bot.replies.failures import DISCORD_FAILED, cause_of, was_answered_elsewhere
from bot.replies.personal import show_personal
from bot.replies.posts import Posts
from bot.texts import Texts, lesson_texts_for, texts_for
from bot.views.board import match_message, moved_message, note, resign_question
from bot.views.lesson import lesson_view
from bot.views.puzzle import share_view

Result = TypeVar("Result")

_ENDS_A_PAGE = (Refusal.HINT_OLD, Refusal.MATCH_OVER, Refusal.TIME_IS_UP)
"""After these, a hint and the question of who wants to resign are of no more use."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long people and Discord are kept waiting."""

    quiet_seconds: float = 0.8  # from the press until Discord is told to wait; it waits three
    defer_seconds: float = 2  # until it has taken that in
    discord_seconds: float = DISCORD_SECONDS  # until it has taken an answer


class Reply:
    """The answer to one interaction, from its arrival on."""

    def __init__(
        self,
        interaction: Interaction,
        boards: Boards,
        posts: Posts,
        emojis: Emojis,
        patience: Patience,
    ) -> None:
        self._interaction = interaction
        self._boards = boards
        self._posts = posts
        self._emojis = emojis
        self._patience = patience
        self._arrived_at = asyncio.get_running_loop().time()
        self._is_announced = False
        self.gave_hint = False

    @property
    def texts(self) -> Texts:
        """The sentences in the reader's language."""
        return texts_for(str(self._interaction.locale))

    @property
    def locale(self) -> str:
        """The reader's language."""
        return str(self._interaction.locale)

    @property
    def is_to_a_page(self) -> bool:
        return is_on_page(self._interaction)

    async def wait(self, work: Awaitable[Result], *, in_place: bool) -> Result:
        """Wait for something; if it takes long, have Discord wait for the answer as well.

        Discord is told whether the answer takes the place of the message that was pressed, or is
        a new one that only the person sees.
        """
        task = asyncio.ensure_future(work)
        waited = asyncio.get_running_loop().time() - self._arrived_at
        await asyncio.wait({task}, timeout=max(0, self._patience.quiet_seconds - waited))
        if not task.done():
            self._is_announced = True
            with suppress(*DISCORD_FAILED):  # the answer itself will meet the same, and see to it
                async with asyncio.timeout(self._patience.defer_seconds):
                    await self._interaction.response.defer(
                        ephemeral=not in_place, thinking=not in_place
                    )
        return await task

    async def give(self, outcome: Showable) -> None:
        """Show what something came to, and draw anew what else has changed by it."""
        try:
            match outcome:
                case Refused():
                    await self.refuse(outcome)
                case Shown():
                    await self._show(outcome)
                case Opened():
                    await self._posts.open(self, outcome)
                case BroughtDown(match):
                    await self._posts.bring_down(self, match)
                case Stopped():
                    await self._posts.stop(self, outcome)
                case Followed():
                    await self._posts.follow(self, outcome)
                case Questioned(match):
                    await self._answer(resign_question(match, self.texts), in_place=False)
                case Kept() | DeletionQuestioned() | Download() | Forgotten():
                    await show_personal(self, outcome)
        finally:  # what has changed is stored, whatever becomes of the answer
            if isinstance(outcome, Refused | Opened | Forgotten):
                await self._boards.redraw_all(outcome.also)

    async def refuse(self, refused: Refused) -> None:
        say = self.say_done if refused.refusal in _ENDS_A_PAGE else self.say
        await say(self.texts.refusal(refused))

    async def apologize(self, refusal: Refusal) -> None:
        with suppress(*DISCORD_FAILED):
            await self.refuse(Refused(refusal))

    async def say(self, sentence: str) -> None:
        """A sentence that only the person sees."""
        interaction = self._interaction
        async with asyncio.timeout(self._patience.discord_seconds):
            if interaction.response.is_done():
                await interaction.followup.send(sentence, ephemeral=True)
                return
            try:
                await interaction.response.send_message(sentence, ephemeral=True)
            except discord.HTTPException as error:
                if not await self._waits_after_all(error):
                    raise
                await interaction.followup.send(sentence, ephemeral=True)

    async def say_done(self, sentence: str) -> None:
        """A sentence in place of the page that was pressed, or else like any other."""
        if not self.is_to_a_page:
            return await self.say(sentence)
        await self._answer(note(sentence), in_place=True)

    async def teach(self, lesson: Lesson | Refused) -> None:
        """Show a lesson's page, or why there is none; who turned on meanwhile needs no answer."""
        if not isinstance(lesson, Refused):
            texts = lesson_texts_for(str(self._interaction.locale))
            await self._answer(lesson_view(lesson, texts), in_place=self.is_to_a_page)
            self.gave_hint = isinstance(lesson, Hint)
        elif lesson.refusal is not Refusal.SUPERSEDED or not self.is_to_a_page:
            await self.refuse(lesson)
        elif not self._interaction.response.is_done():
            await self._interaction.response.defer()

    async def show(self, view: ui.LayoutView) -> None:
        """Show something to the person alone, in place of what was pressed if that was such."""
        await self._answer(view, in_place=self.is_to_a_page)

    async def send_file(self, name: str, content: bytes) -> None:
        """A file that only the person gets."""
        file = discord.File(io.BytesIO(content), name)
        async with asyncio.timeout(self._patience.discord_seconds):
            if self._interaction.response.is_done():
                await self._interaction.followup.send(file=file, ephemeral=True)
            else:
                await self._interaction.response.send_message(file=file, ephemeral=True)

    async def share(self, page: SharePage) -> None:
        """Tell everybody how the person did with a puzzle, in the language spoken there."""
        texts = lesson_texts_for(place_of(self._interaction).locale)
        await self.post(share_view(page, self._interaction.user.id, texts))

    async def _show(self, shown: Shown) -> None:
        """Redraw the message that was pressed, by its interaction or else by its id.

        Where another process answered, that one shows what stands.
        """
        match = shown.match
        is_elsewhere = shown.refusal is Refusal.BOARD_MOVED
        view = moved_message(match) if is_elsewhere else match_message(match)
        try:
            await self._answer(view, in_place=True)
        except DISCORD_FAILED as error:
            if was_answered_elsewhere(error):
                raise
            _log.warning("Match %d could not be shown in answer: %s", match.id, cause_of(error))
            if not await self._boards.redraw(match) and shown.refusal is None:
                await self.apologize(Refusal.BOARD_GONE)
        else:
            if self._is_announced:
                await self._boards.redraw_if_changed(match)
        if shown.refusal:
            await self.refuse(Refused(shown.refusal, match))

    async def post(self, view: ui.LayoutView, *, pings: int | None = None) -> int:
        """Answer with a new message for everybody, which may ping one person; returns its id."""
        pinged = [] if pings is None else [discord.Object(pings)]
        mentions = discord.AllowedMentions(users=pinged)
        send = self._interaction.response.send_message
        async with asyncio.timeout(self._patience.discord_seconds):
            response = await self._emojis.show(
                view, partial(send, view=view, allowed_mentions=mentions)
            )
        assert response.message_id is not None, "a message was sent"
        return response.message_id

    async def post_after(self, view: ui.LayoutView) -> int:
        """A message for everybody, after the answer; returns its id."""
        send = partial(self._interaction.followup.send, view=view, wait=True)
        return (await self._emojis.show(view, send)).id

    async def original(self) -> discord.InteractionMessage | None:
        """What Discord shows as the answer, whoever gave it; None where that is gone."""
        try:
            async with asyncio.timeout(self._patience.discord_seconds):
                return await self._interaction.original_response()
        except discord.NotFound:
            return None

    async def _answer(self, view: ui.LayoutView, *, in_place: bool) -> None:
        """Show something in place of what was pressed, or as a new message that one person sees."""
        async with asyncio.timeout(self._patience.discord_seconds):
            await self._emojis.show(view, partial(self._respond, view, in_place=in_place))

    async def _respond(self, view: ui.LayoutView, *, in_place: bool) -> None:
        """Where Discord has been told to wait for an answer, this is it."""
        response = self._interaction.response
        if response.is_done():
            await self._interaction.edit_original_response(view=view)
            return
        try:
            if in_place:
                await response.edit_message(view=view)
            else:
                await response.send_message(view=view, ephemeral=True)
        except discord.HTTPException as error:
            if not await self._waits_after_all(error):
                raise
            await self._interaction.edit_original_response(view=view)

    async def _waits_after_all(self, error: Exception) -> bool:
        """Whether Discord took an announcement that it told us it did not.

        Or else another process has answered: then that is what Discord shows.
        """
        if not (self._is_announced and was_answered_elsewhere(error)):
            return False
        original, pressed = await self.original(), self._interaction.message
        if original is None:
            return False
        return original.flags.loading or (pressed is not None and original.id == pressed.id)
