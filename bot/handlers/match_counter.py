"""Counting finished matches, after the answers are sent."""

from __future__ import annotations

import asyncio

from bot.domain.matches import Match
from bot.features import stats
from bot.handlers.match_messages import MatchMessages
from bot.messaging.errors import log_errors
from bot.runtime.runtime import Runtime


class MatchCounter:
    """Counts finished matches, and redraws those that were a first win or draw for a person.

    Matches that end within `batch_seconds` are counted together.
    """

    def __init__(self, runtime: Runtime, messages: MatchMessages, batch_seconds: float) -> None:
        self._runtime = runtime
        self._messages = messages
        self._batch_seconds = batch_seconds
        self._lock = asyncio.Lock()
        self._is_due = False

    def mark_due(self, match: Match) -> None:
        """Mark a count as due if a match that changed is over."""
        if not match.is_live:
            self._is_due = True

    async def count_if_due(self) -> None:
        """If a count is due, wait a moment to batch matches that end together, then count."""
        if self._is_due:
            await self._runtime.delayed_jobs.run(self, self._batch_seconds, self._count_due)

    async def _count_due(self) -> None:
        self._is_due = False
        await self.count()

    async def count(self) -> bool:
        """Count a batch of matches; False if none is left, or if it failed, to be retried later."""
        with log_errors("Ended matches could not be counted"):
            async with self._lock:
                firsts = await stats.count(self._runtime)
            await self._messages.redraw_all(firsts or ())
            return firsts is not None
        return False
