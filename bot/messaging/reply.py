"""The reply to an interaction: one answer, in time, or a sentence that says why there is none."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, TypeVar

import discord
from discord import ui

from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, is_already_answered
from bot.messaging.interactions import Interaction, is_ephemeral, may_make_thread
from bot.messaging.messages import DISCORD_SECONDS, allowed_mentions
from bot.messaging.waiting import WhenLate, wait_for_discord
from bot.views.components import deselect_channels, notice_view, sentence_view
from bot.views.i18n import Language, language_for
from bot.views.refusals import is_offered_more, not_opened_view, refusal_sentence

Result = TypeVar("Result")

NamedFile = tuple[str, bytes]

_PAGE_ENDING_REASONS = (
    RefusalReason.HINT_OLD,
    RefusalReason.MATCH_OVER,
    RefusalReason.TIME_IS_UP,
)
"""After these, a hint or the question whether to resign is of no use: they replace that page."""


@dataclass(frozen=True, slots=True)
class ReplyTimeouts:
    """How long people wait for the bot, and the bot for Discord."""

    defer_after_seconds: float = 0.8  # from arrival to deferring the response; Discord waits three
    defer_seconds: float = 2  # for Discord to accept the deferral
    discord_seconds: float = DISCORD_SECONDS  # for Discord to accept an answer
    members_seconds: float = 1  # for Discord to say who is in a server


class Answer(Enum):
    """What answers an interaction, which decides how its response is deferred if it takes long."""

    PAGE = "page"
    """A page or a sentence for one person: in place of the page that was pressed, or a new one."""

    BOARD = "board"
    """The message that was pressed, redrawn."""

    POST = "post"
    """A message for everybody, or a refusal. It is never deferred: of two processes that have the
    same interaction, only one can give the initial response."""


class Reply:
    """The reply to one interaction; made on its arrival, from which the time to defer counts.

    Answers that only one person sees are pages (`show_page`), sentences and files; `post` sends a
    message for everybody, and `edit_message` redraws the one that was pressed. `refuse` says why
    there is no answer, and sets `refusal_reason`.
    """

    def __init__(
        self,
        interaction: Interaction,
        emojis: Emojis,
        timeouts: ReplyTimeouts,
    ) -> None:
        self._interaction = interaction
        self._emojis = emojis
        self.timeouts = timeouts
        self._arrived_at = asyncio.get_running_loop().time()
        self._timer: asyncio.TimerHandle | None = None
        self._deferral: asyncio.Task[None] | None = None
        self._is_late = False
        self.is_deferred = False  # as far as is known here
        self.is_thinking = False  # deferred as a new message for one person
        self.refusal_reason: RefusalReason | None = None

    @property
    def age_seconds(self) -> float:
        """How long ago the interaction arrived."""
        return asyncio.get_running_loop().time() - self._arrived_at

    @property
    def language(self) -> Language:
        """The language of the person who reads the reply."""
        return language_for(str(self._interaction.locale), self._emojis.symbols)

    async def wait_or_defer(self, work: Awaitable[Result], answer: Answer) -> Result:
        """Wait for some work, and defer the response if it takes long and the answer allows it."""
        if answer is Answer.POST:
            return await work
        in_place = answer is Answer.BOARD or is_ephemeral(self._interaction)
        defer_at = self._arrived_at + self.timeouts.defer_after_seconds
        self._timer = asyncio.get_running_loop().call_at(defer_at, self._start_deferring, in_place)
        try:
            return await work
        finally:
            await self._stop_deferring()

    async def _stop_deferring(self) -> None:
        """Defer the response no longer; wait for a deferral under way."""
        if self._timer is not None:
            self._timer.cancel()
        if self._deferral is not None:
            await self._deferral

    def _start_deferring(self, in_place: bool) -> None:  # noqa: FBT001 - a timer calls it
        if not self._interaction.response.is_done():
            self.is_deferred = True
            self.is_thinking = not in_place
            self._deferral = asyncio.create_task(self._defer(in_place=in_place))

    async def _defer(self, *, in_place: bool) -> None:
        with suppress(*DISCORD_ERRORS):  # sending the answer deals with it
            # Cancelled, unlike other requests: discord.py would not send the answer before it ends.
            async with asyncio.timeout(self.timeouts.defer_seconds):
                await self._interaction.response.defer(
                    ephemeral=not in_place, thinking=not in_place
                )

    async def show_page(self, view: ui.LayoutView, files: Sequence[NamedFile] = ()) -> None:
        """Show a message to one person: in place of the page that was pressed, or as a new one.

        In place, its files replace those that the page had before.
        """
        in_place = is_ephemeral(self._interaction)
        respond = partial(self._respond, view, files, in_place=in_place)
        try:
            await self._wait_for(respond())
        except discord.HTTPException as error:
            if is_already_answered(error) or not deselect_channels(view):
                raise
            await self._wait_for(respond())

    async def edit_message(
        self, view: ui.LayoutView, when_late: WhenLate[None] | None = None
    ) -> None:
        """Redraw the message that was pressed, which may be one that everybody sees."""
        await self._wait_for(self._respond(view, (), in_place=True), when_late)

    async def _wait_for(
        self, request: Coroutine[Any, Any, Result], when_late: WhenLate[Result] | None = None
    ) -> Result:
        """Send an answer, once it is known whether the response is deferred.

        Raises:
            One of DISCORD_ERRORS: Discord refused it, or did not respond in time.
        """
        await self._stop_deferring()
        try:
            return await wait_for_discord(request, self.timeouts.discord_seconds, when_late)
        except TimeoutError:
            self._is_late = True
            raise
        except discord.HTTPException as error:
            self._emojis.check(error)
            raise

    async def _respond(
        self, view: ui.LayoutView, files: Sequence[NamedFile], *, in_place: bool
    ) -> None:
        """Send the initial response, or edit it if it was deferred."""
        response = self._interaction.response
        if not response.is_done():
            try:
                if in_place:
                    await response.edit_message(view=view, attachments=_open(files))
                else:
                    await response.send_message(view=view, files=_open(files), ephemeral=True)
            except discord.HTTPException as error:
                if not self._was_deferral_accepted(error):
                    raise
            else:
                return
        deselect_channels(view)
        await self._interaction.edit_original_response(view=view, attachments=_open(files))

    async def send_text(self, sentence: str) -> None:
        """Send a sentence that only the person sees."""
        await self._wait_for(self._send_ephemeral(view=sentence_view(sentence)))

    async def send_file(self, name: str, content: bytes) -> None:
        """Send a file that only the person gets."""
        await self._wait_for(self._send_ephemeral([(name, content)]))

    async def _send_ephemeral(self, files: Sequence[NamedFile] = (), **message: Any) -> None:
        """Send the initial response, or a followup if there is one already.

        One that is late may have arrived; discord.py would send no other before it ends.
        """
        response = self._interaction.response
        if not (self._is_late or response.is_done()):
            try:
                await response.send_message(**message, files=_open(files), ephemeral=True)
            except discord.HTTPException as error:
                if not self._was_deferral_accepted(error):
                    raise
            else:
                return
        await self._interaction.followup.send(**message, files=_open(files), ephemeral=True)

    async def replace_with_text(self, sentence: str) -> None:
        """Show a sentence in place of the page that was pressed; without a page, send it."""
        if not is_ephemeral(self._interaction):
            return await self.send_text(sentence)
        await self.edit_message(notice_view(sentence))

    async def post(
        self,
        view: ui.LayoutView,
        *,
        pinged_user_id: int | None = None,
        when_late: WhenLate[int] | None = None,
    ) -> int:
        """Send a message for everybody, which may ping one person, and return its id.

        It is the answer, or follows what was answered already. If it is posted after a time-out,
        `when_late` is called with its id.
        """
        mentions = allowed_mentions(pinged_user_id)
        return await self._wait_for(self._post(view, mentions), when_late)

    async def _post(self, view: ui.LayoutView, mentions: discord.AllowedMentions) -> int:
        response = self._interaction.response
        if response.is_done():
            message = await self._interaction.followup.send(
                view=view, allowed_mentions=mentions, wait=True
            )
            return message.id
        posted = await response.send_message(view=view, allowed_mentions=mentions)
        assert posted.message_id is not None, "a message was sent"
        return posted.message_id

    async def refuse(self, refused: Refused) -> None:
        """Tell the person why nothing happened; a superseded press on a page needs no word."""
        if refused.reason is RefusalReason.SUPERSEDED and is_ephemeral(self._interaction):
            await self.acknowledge()
            return
        self.refusal_reason = refused.reason
        if is_offered_more(refused):
            can_make_thread = may_make_thread(self._interaction)
            view = not_opened_view(
                refused, self._interaction.user.id, self.language, can_make_thread=can_make_thread
            )
            await self._wait_for(self._send_ephemeral(view=view))
            return
        sentence = refusal_sentence(self.language, refused)
        if refused.reason in _PAGE_ENDING_REASONS:
            await self.replace_with_text(sentence)
        else:
            await self.send_text(sentence)

    async def acknowledge(self) -> None:
        """Answer without a word, if there is no answer yet: Discord would call that a failure."""
        if not self._interaction.response.is_done():
            await self._wait_for(self._interaction.response.defer())

    async def apologize(self, reason: RefusalReason) -> None:
        """Like `refuse`, where Discord may not take the answer."""
        with suppress(*DISCORD_ERRORS):
            await self.refuse(Refused(reason))

    async def original_response(self) -> discord.InteractionMessage | None:
        """The message that Discord shows as the answer, whichever process gave it; None if gone."""
        try:
            return await self._wait_for(self._interaction.original_response())
        except discord.NotFound:
            return None

    def _was_deferral_accepted(self, error: Exception) -> bool:
        """Whether our deferral probably reached Discord, although that request failed."""
        return self.is_deferred and is_already_answered(error)


def _open(files: Sequence[NamedFile]) -> list[discord.File]:
    """Open the files. Call this for each attempt: a stream that was sent is at its end."""
    return [discord.File(io.BytesIO(content), name) for name, content in files]
