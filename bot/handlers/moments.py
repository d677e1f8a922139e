"""Moments: asking everybody for the move that would have been better, and their tries."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from bot.domain.moments import Moment, MomentGuess, MomentPage
from bot.domain.refusals import Refusal
from bot.handlers.base import Handler, HandlerDependencies
from bot.messaging.errors import DISCORD_ERRORS, log_errors
from bot.messaging.interactions import Interaction, board_refusal, channel_id_of
from bot.views.moments import answer_view, moment_view

_REDRAW_SECONDS = 5
"""How long tries are gathered before a moment's message says how many there are."""


class MomentHandler(Handler):
    """The button of a review that posts a moment, and the cells of the message."""

    def __init__(self, dependencies: HandlerDependencies) -> None:
        super().__init__(dependencies)
        self._redraws_due = set[int]()  # by match id

    async def post(self, interaction: Interaction, page: MomentPage) -> None:
        """Show everybody where a match turned, in the match's language."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction) or board_refusal(interaction):
                return await reply.refuse(refusal)
            moments = self._services.moments
            moment = await reply.wait_or_defer(
                moments.create(
                    page, user_id=interaction.user.id, channel_id=channel_id_of(interaction)
                ),
                in_place=True,
            )
            if isinstance(moment, Refusal):
                return await reply.refuse(moment)
            try:
                message_id = await reply.post(partial(moment_view, moment))
            except TimeoutError:  # it may still come; if not, the claim runs out
                raise
            except DISCORD_ERRORS:  # perhaps posted after all, but a duplicate is better than none
                await moments.withdraw(moment)
                raise
            with log_errors("That a moment was posted could not be stored"):
                await moments.record_posted(moment, message_id)

    async def submit(self, interaction: Interaction, guess: MomentGuess) -> None:
        """Tell a person whether a try is right; soon the message counts it."""
        async with self._replies.to(interaction) as reply:
            answer = await reply.wait_for_page(
                self._services.moments.submit(
                    guess,
                    user_id=interaction.user.id,
                    channel_id=channel_id_of(interaction),
                    interaction_id=interaction.id,
                )
            )
            if isinstance(answer, Refusal):
                return await reply.refuse(answer)
            if answer.is_counted:
                self._redraw_later(answer.moment)
            await reply.show_page(partial(answer_view, answer))

    def _redraw_later(self, moment: Moment) -> None:
        """Have the message say how many have tried, once there was time for others to try."""
        if moment.match.id not in self._redraws_due:
            self._redraws_due.add(moment.match.id)
            asyncio.get_running_loop().call_later(_REDRAW_SECONDS, self._start_redraw, moment)

    def _start_redraw(self, moment: Moment) -> None:
        self._redraws_due.remove(moment.match.id)
        task = asyncio.create_task(self._redraw(moment))
        self._replies.tasks.add(task)
        task.add_done_callback(self._replies.tasks.discard)

    async def _redraw(self, moment: Moment) -> None:
        with log_errors("The message of a moment could not be redrawn"):
            count = await self._services.moments.count(moment)
            draw = partial(moment_view, replace(moment, count=count))
            await self._messages.edit(moment.place, draw)
