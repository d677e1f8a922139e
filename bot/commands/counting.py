"""What has ended is counted behind the answers."""

from __future__ import annotations

import asyncio

from bot.commands.background import logged
from bot.game.outcome import Followed, Showable, Shown, Stopped
from bot.replies.boards import Boards
from bot.service.tallies import Tallies


class Counting:
    """Has matches counted once they are over, and draws those again of which there is news.

    What ends within `together_seconds` is counted together.
    """

    def __init__(self, tallies: Tallies, boards: Boards, together_seconds: float) -> None:
        self._tallies = tallies
        self._boards = boards
        self._together_seconds = together_seconds
        self._one_at_a_time = asyncio.Lock()
        self._is_due = self._is_waiting = False

    def note(self, outcome: Showable) -> None:
        """Remember to count, if what something came to has ended a match."""
        if isinstance(outcome, Shown | Stopped | Followed) and not outcome.match.is_live:
            self._is_due = True

    async def count_if_due(self) -> None:
        """Count what has ended since the last time, a moment later: many together cost least."""
        if self._is_due and not self._is_waiting:
            self._is_waiting = True
            await asyncio.sleep(self._together_seconds)
            self._is_waiting = self._is_due = False
            await self.count()

    async def count(self) -> bool:
        """Count some of what has ended; whether there was anything. What fails is counted later."""
        with logged("What has ended could not be counted"):
            async with self._one_at_a_time:
                news = await self._tallies.count()
            await self._boards.redraw_all(news or ())
            return news is not None
        return False
