"""A lock for which only so many may wait, and only so long."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from bot.domain.refusals import OverloadedError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many may wait, for how long, how long one job may run, and at what priority.

    `niceness` is what `os.nice` adds: beside programs that keep all cores busy, a job at 10 gets
    about a tenth of a core.
    """

    max_waiting: int
    wait_seconds: float
    run_seconds: float
    niceness: int = 0


class BoundedLock:
    """A lock that limits how many may wait for it, and how long.

    `waiting` is how many wait now.
    """

    def __init__(self, name: str, limits: QueueLimits) -> None:
        self._name = name
        self.limits = limits
        self._lock = asyncio.Lock()
        self._has_warned = False
        self.waiting = 0

    @property
    def is_full(self) -> bool:
        return self.waiting >= self.limits.max_waiting

    async def acquire(self) -> None:
        """Wait for the lock.

        Raises:
            OverloadedError: Too many are waiting, or it took too long.
        """
        if self.is_full:
            self._warn_once()
            raise OverloadedError(f"too many wait for {self._name}: {self.waiting}")
        self.waiting += 1
        try:
            async with asyncio.timeout(self.limits.wait_seconds):
                await self._lock.acquire()
        except TimeoutError:
            raise OverloadedError(f"waited too long for {self._name}") from None
        finally:
            self.waiting -= 1
            if self.waiting == 0:
                self._has_warned = False

    def release(self) -> None:
        self._lock.release()

    def _warn_once(self) -> None:
        """Log a warning, and no other until the queue has been empty."""
        if not self._has_warned:
            _log.warning("Too many wait for %s (%d): more are refused.", self._name, self.waiting)
        self._has_warned = True
