"""The frame around commands and presses: from an interaction to the answer that is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import ui

from bot.domain.refusals import RefusalReason, Refused, UnavailableError
from bot.messaging.errors import DISCORD_ERRORS, error_summary, is_already_answered
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Answer, Reply, ReplyTimeouts
from bot.runtime.context import Context
from bot.runtime.cooldown import FirstRefusals, PersonCooldown
from bot.runtime.runtime import Runtime

Function = Callable[..., Awaitable[ui.LayoutView | None]]
"""What a command or a press does: a function of a context, and of what was asked.

It returns the page that the person is to see; None if it has answered by itself.
"""


Job = Callable[[], Awaitable[ui.LayoutView | None]]

Redraw = Callable[[Context, Refused], Awaitable[None]]
"""Redraws the boards that a refusal names."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Route:
    """A function, and what the frame does for it.

    Attributes:
        name: What it is called in the metrics.
        function: The function.
        answer: What its answer is.
        has_cooldown: Whether a person may use it a few times a minute only.
        check_place: Raises Refused where the message for everybody that it sends could not be sent;
            None if it sends none.
        newest_only: Whether a newer interaction of the same person takes its place, while nothing
            is stored.
    """

    name: str
    function: Function
    answer: Answer = Answer.PAGE
    has_cooldown: bool = False
    check_place: Callable[[Interaction], None] | None = None
    newest_only: bool = False


Listener = Callable[[str, Interaction, Reply], None]
"""Takes the name of a route, and an interaction with its reply."""


class Frame:
    """Runs what answers a command or a press: no other place handles refusals and errors.

    Attributes:
        tasks: Those that are under way, for which the bot waits before it closes.
        listeners: Called after each interaction, once it is answered or that has failed.
        answered_elsewhere: How many interactions another process was faster to answer.
    """

    def __init__(self, runtime: Runtime, timeouts: ReplyTimeouts, redraw_refused: Redraw) -> None:
        self._runtime = runtime
        self._timeouts = timeouts
        self._redraw_refused = redraw_refused
        self._cooldown = PersonCooldown()
        self._out_of_turn = FirstRefusals()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.listeners: list[Listener] = []
        self.answered_elsewhere = 0

    async def run(self, interaction: Interaction, route: Route, *args: Any, **kwargs: Any) -> None:
        """Call the function of a route, and show its page or say why there is none."""
        reply = Reply(interaction, self._runtime.emojis, self._timeouts)
        context = Context(self._runtime, interaction, reply)
        job = partial(route.function, context, *args, **kwargs)
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self.tasks.add(task)
        try:
            try:
                await self._answer(context, route, job)
            finally:
                for listen in self.listeners:
                    listen(route.name, interaction, reply)
            for follow_up in context.follow_ups:
                await follow_up()
        finally:
            self.tasks.discard(task)

    async def _answer(self, context: Context, route: Route, job: Job) -> None:
        """Run a job and show its page; an error is logged once, and answered with a sentence."""
        reply = context.reply
        try:
            try:
                self._check(context.interaction, route)
                work = context.run_newest(job) if route.newest_only else job()
                if view := await reply.wait_or_defer(work, route.answer):
                    await reply.show_page(view, context.files)
            except Refused as refused:
                await self._redraw_refused(context, refused)
                if self._was_just_told(context.interaction, refused):
                    await reply.acknowledge()
                else:
                    await reply.refuse(refused)
        except UnavailableError as error:
            _log.debug("There is no answer: %s", error)  # the cause is logged where it occurs
            await reply.apologize(error.reason)
        except DISCORD_ERRORS as error:
            if is_already_answered(error):
                self.answered_elsewhere += 1
                _log.info("Interaction %d was answered by another process.", context.interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", error_summary(error))
                await reply.apologize(RefusalReason.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches unexpected errors
            _log.exception("An interaction could not be answered.")
            await reply.apologize(RefusalReason.BROKEN)

    def _was_just_told(self, interaction: Interaction, refused: Refused) -> bool:
        """Whether a person was told a moment ago, on this message, that it is not their turn."""
        is_out_of_turn = refused.reason is RefusalReason.NOT_YOUR_TURN
        return is_out_of_turn and not self._out_of_turn.is_first(interaction)

    def _check(self, interaction: Interaction, route: Route) -> None:
        """Raise Refused if a limit is reached, or the place does not allow it."""
        if route.has_cooldown:
            self._cooldown.use(interaction)
        if route.check_place is not None:
            route.check_place(interaction)
