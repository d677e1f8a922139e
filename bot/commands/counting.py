"""What has ended is counted behind the answers."""

from __future__ import annotations

import asyncio
import logging

from bot.game.outcome import Followed, Showable, Shown, Stopped
from bot.game.refusal import LeavingError, OutageError
from bot.replies.boards import Boards
from bot.service.tallies import Tallies

_TOGETHER_SECONDS = 0.5

_log = logging.getLogger(__name__)


class Counting:
    """Has matches counted once they are over, and draws those again of which there is news."""

    def __init__(self, tallies: Tallies, boards: Boards) -> None:
        self._tallies = tallies
        self._boards = boards
        self._one_at_a_time = asyncio.Lock()
        self._is_due = self._is_waiting = False

    def note(self, outcome: Showable) -> None:
        """Look at what something came to: maybe a match is over."""
        if isinstance(outcome, Shown | Stopped | Followed) and not outcome.match.is_live:
            self._is_due = True

    async def count_if_due(self) -> None:
        """Count what has ended since the last time, a moment later: many together cost least."""
        if self._is_due and not self._is_waiting:
            self._is_waiting = True
            await asyncio.sleep(_TOGETHER_SECONDS)
            self._is_waiting = self._is_due = False
            await self.count()

    async def count(self) -> bool:
        """Count some of what has ended; whether there was anything. What fails is counted later."""
        try:
            async with self._one_at_a_time:
                news = await self._tallies.count()
            await self._boards.redraw_all(news or ())
        except LeavingError:
            return False
        except OutageError as error:
            _log.error("What has ended could not be counted: %s", error)
            return False
        except Exception:  # noqa: BLE001 - nobody waits for it, and nobody else would hear of it
            _log.exception("What has ended could not be counted.")
            return False
        return news is not None
