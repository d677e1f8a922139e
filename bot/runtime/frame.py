"""The frame around commands and presses: from an interaction to the answer that is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.domain.refusals import Refusal, Refused
from bot.messaging.interactions import Interaction, is_ephemeral
from bot.messaging.replies import Replies
from bot.messaging.reply import DrawInLanguage
from bot.runtime.context import Context
from bot.runtime.cooldown import PersonCooldown
from bot.runtime.runtime import Runtime

Function = Callable[..., Awaitable[DrawInLanguage | None]]
"""What a command or a press does: a function of a context, and of what was asked.

It returns how to draw the page that the person is to see; None if it has answered by itself.
"""


@dataclass(frozen=True, slots=True)
class Route:
    """A function, and what the frame does before it is called.

    Attributes:
        function: The function.
        has_cooldown: Whether a person may use it a few times a minute only.
        check_place: Why the message for everybody that it sends could not be sent here, if so;
            None if it sends none.
        newest_only: Whether a newer interaction of the same person takes its place, while nothing
            is stored.
        defers: Whether the frame defers the response if it takes long; a function whose answer
            depends on what it finds does that by itself.
    """

    function: Function
    has_cooldown: bool = False
    check_place: Callable[[Interaction], Refusal | None] | None = None
    newest_only: bool = False
    defers: bool = True


class Frame:
    """Runs what answers a command or a press."""

    def __init__(self, runtime: Runtime, replies: Replies, cooldown: PersonCooldown) -> None:
        self._runtime = runtime
        self._replies = replies
        self._cooldown = cooldown

    async def run(self, interaction: Interaction, route: Route, *args: Any, **kwargs: Any) -> None:
        """Call the function of a route, and show its page.

        The response is deferred if that takes long, except before a message for everybody: the
        first one after a deferral would be ephemeral, too.
        """
        async with self._replies.to(interaction) as reply:
            context = Context(self._runtime, interaction, reply)
            self._check(interaction, route)
            job = partial(route.function, context, *args, **kwargs)
            work = context.run_newest(job) if route.newest_only else job()
            if route.defers and (route.check_place is None or is_ephemeral(interaction)):
                work = reply.wait_for_page(work)
            if draw := await work:
                await reply.show_page(draw, context.files)
        with self._replies.under_way():
            for follow_up in context.follow_ups:
                await follow_up()

    def _check(self, interaction: Interaction, route: Route) -> None:
        """Raise Refused if a limit is reached, or the place does not allow it."""
        refusal = self._cooldown.use(interaction) if route.has_cooldown else None
        if refusal is None and route.check_place is not None:
            refusal = route.check_place(interaction)
        if refusal is not None:
            raise Refused.of(refusal)
