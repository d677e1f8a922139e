"""Jobs that wait for others like them, and are done once for all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable


class DelayedJobs:
    """Runs a job some seconds after it was first asked for, once for all who ask meanwhile."""

    def __init__(self) -> None:
        self._waiting = set[Hashable]()

    async def run(
        self, key: Hashable, delay_seconds: float, job: Callable[[], Awaitable[object]]
    ) -> None:
        """Run a job after a delay; do nothing if one with the same key is waiting."""
        if key in self._waiting:
            return
        self._waiting.add(key)
        try:
            await asyncio.sleep(delay_seconds)
        finally:
            self._waiting.remove(key)
        await job()
