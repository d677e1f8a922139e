"""A reply for each interaction, and the one place that handles its errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from bot.game.refusal import NoAnswerInTimeError, OutageError, Refusal
from bot.replies.answer import Answer, Patience
from bot.replies.boards import Boards
from bot.replies.context import Interaction
from bot.replies.emojis import Emojis
from bot.replies.failures import DISCORD_ERRORS, cause_of, was_answered_elsewhere
from bot.replies.hints import LastHints
from bot.replies.posts import Posts
from bot.replies.reply import Reply

Listener = Callable[[Interaction, Reply], None]
"""Called after each interaction has been handled, with its reply."""

_log = logging.getLogger(__name__)


class Replies:
    """Makes a reply for each interaction, and keeps the tasks that are still under way."""

    def __init__(
        self,
        boards: Boards,
        posts: Posts,
        emojis: Emojis,
        observe: Callable[[datetime], None],
        patience: Patience,
    ) -> None:
        self.boards = boards
        self.posts = posts
        self._hints = LastHints(patience.discord_seconds)
        self._emojis = emojis
        self._patience = patience
        self.under_way: set[asyncio.Task[Any]] = set()
        self._observe = observe
        self.listeners: list[Listener] = []

    @asynccontextmanager
    async def to(self, interaction: Interaction) -> AsyncIterator[Reply]:
        """Make a reply; any error inside is logged once and told to the person, not raised."""
        task = asyncio.current_task()
        assert task is not None
        self.under_way.add(task)
        self._observe(interaction.created_at)
        answer = Answer(interaction, self._emojis, self._patience)
        reply = Reply(answer, self.boards, self.posts, self._hints)
        try:
            yield reply
        except OutageError as error:
            level = logging.ERROR if isinstance(error, NoAnswerInTimeError) else logging.DEBUG
            _log.log(level, "There is no answer: %s", error)
            await reply.apologize(error.refusal)
        except DISCORD_ERRORS as error:
            if was_answered_elsewhere(error):
                _log.info("Interaction %d was answered by another process.", interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", cause_of(error))
                await reply.apologize(Refusal.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await reply.apologize(Refusal.BROKEN)
        finally:
            self.under_way.discard(task)
            for listen in self.listeners:
                listen(interaction, reply)
