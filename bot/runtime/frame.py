"""The frame around commands and presses: from an interaction to the answer that is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import ui

from bot.domain.refusals import Refused
from bot.messaging.interactions import Interaction
from bot.messaging.replies import Replies
from bot.messaging.reply import Answer
from bot.runtime.context import Context
from bot.runtime.cooldown import PersonCooldown
from bot.runtime.runtime import Runtime

Function = Callable[..., Awaitable[ui.LayoutView | None]]
"""What a command or a press does: a function of a context, and of what was asked.

It returns the page that the person is to see; None if it has answered by itself.
"""


Redraw = Callable[[Context, Refused], Awaitable[None]]
"""Redraws the boards that a refusal names."""


@dataclass(frozen=True, slots=True)
class Route:
    """A function, and what the frame does for it.

    Attributes:
        function: The function.
        answer: What its answer is.
        has_cooldown: Whether a person may use it a few times a minute only.
        check_place: Raises Refused where the message for everybody that it sends could not be sent;
            None if it sends none.
        newest_only: Whether a newer interaction of the same person takes its place, while nothing
            is stored.
    """

    function: Function
    answer: Answer = Answer.PAGE
    has_cooldown: bool = False
    check_place: Callable[[Interaction], None] | None = None
    newest_only: bool = False


class Frame:
    """Runs what answers a command or a press."""

    def __init__(
        self, runtime: Runtime, replies: Replies, cooldown: PersonCooldown, redraw_refused: Redraw
    ) -> None:
        self._runtime = runtime
        self._replies = replies
        self._cooldown = cooldown
        self._redraw_refused = redraw_refused

    async def run(self, interaction: Interaction, route: Route, *args: Any, **kwargs: Any) -> None:
        """Call the function of a route, and show its page or say why it refuses."""
        async with self._replies.to(interaction) as reply:
            context = Context(self._runtime, interaction, reply)
            try:
                self._check(interaction, route)
                job = partial(route.function, context, *args, **kwargs)
                work = context.run_newest(job) if route.newest_only else job()
                if view := await reply.wait_or_defer(work, route.answer):
                    await reply.show_page(view, context.files)
            except Refused as refused:
                await self._redraw_refused(context, refused)
                raise
        with self._replies.under_way():
            for follow_up in context.follow_ups:
                await follow_up()

    def _check(self, interaction: Interaction, route: Route) -> None:
        """Raise Refused if a limit is reached, or the place does not allow it."""
        if route.has_cooldown:
            self._cooldown.use(interaction)
        if route.check_place is not None:
            route.check_place(interaction)
