"""The frame around commands and presses: from an interaction to the answer that is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.messaging.interactions import Interaction
from bot.messaging.replies import Replies
from bot.messaging.reply import DrawInLanguage
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime

ShowPage = Callable[..., Awaitable[DrawInLanguage]]
"""A command or a press that shows one person a page: a function of a context, and of what was
asked, which returns how to draw it."""


class Frame:
    """Runs the function of a command or a press, and sends what it returns."""

    def __init__(self, runtime: Runtime, replies: Replies) -> None:
        self._runtime = runtime
        self._replies = replies

    async def show(self, interaction: Interaction, function: ShowPage, *args: Any) -> None:
        """Show a page to the person, and defer the response if it takes long."""
        async with self._replies.to(interaction) as reply:
            context = Context(self._runtime, interaction, reply)
            await reply.show_page(await reply.wait_for_page(function(context, *args)))
