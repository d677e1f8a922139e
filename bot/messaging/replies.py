"""A reply for each interaction, and the one place that handles the errors of handlers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from bot.domain.refusals import RefusalReason, Refused, UnavailableError
from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, error_summary, is_already_answered
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Reply, ReplyTimeouts

Listener = Callable[[Interaction, Reply], None]
"""Called after each interaction has been handled, with its reply."""


_log = logging.getLogger(__name__)


class Replies:
    """Makes a reply for each interaction; `tasks` are those that are under way."""

    def __init__(self, emojis: Emojis, timeouts: ReplyTimeouts) -> None:
        self._emojis = emojis
        self.timeouts = timeouts
        self.answered_elsewhere = 0  # how many interactions another process was faster to answer
        self.tasks: set[asyncio.Task[Any]] = set()
        self.listeners: list[Listener] = []

    @asynccontextmanager
    async def to(self, interaction: Interaction) -> AsyncIterator[Reply]:
        """Make a reply; an error inside is logged once and answered with a sentence, not raised."""
        reply = Reply(interaction, self._emojis, self.timeouts)
        with self.under_way():
            try:
                try:
                    yield reply
                except Refused as refused:
                    await reply.refuse(refused)
            except UnavailableError as error:
                _log.debug("There is no answer: %s", error)  # the cause is logged where it occurs
                await reply.apologize(error.reason)
            except DISCORD_ERRORS as error:
                if is_already_answered(error):
                    self.answered_elsewhere += 1
                    _log.info("Interaction %d was answered by another process.", interaction.id)
                else:
                    _log.warning("Discord did not take an answer: %s", error_summary(error))
                    await reply.apologize(RefusalReason.BROKEN)
            except Exception:  # noqa: BLE001 - the one place that catches unexpected errors
                _log.exception("An interaction could not be answered.")
                await reply.apologize(RefusalReason.BROKEN)
            finally:
                for listen in self.listeners:
                    listen(interaction, reply)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Have the current task waited for when the bot is to close."""
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        try:
            yield
        finally:
            self.tasks.discard(task)
