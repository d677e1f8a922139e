"""The event loop's clock, turned ahead, so that nobody waits for time to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

_ITERATIONS = 50
"""Of the event loop, between two turns of the clock: as many as sockets need to be answered."""

_MOST_SECONDS = 200
"""Until what a test waits for has come."""


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self._ahead_seconds, time = 0, loop.time
        monkeypatch.setattr(loop, "time", lambda: time() + self._ahead_seconds)
        self.now = loop.time

    async def turn(self, seconds: int, step: int = 1) -> None:
        for _ in range(0, seconds, step):
            self._ahead_seconds += step
            for _ in range(_ITERATIONS):
                await asyncio.sleep(0)

    async def turn_until(self, condition: Callable[[], object]) -> None:
        """Turn the clock until a condition holds, slowly: threads and sockets go by another one."""
        for _ in range(_MOST_SECONDS):
            if condition():
                return
            await self.turn(1)
            await asyncio.sleep(0.01)
        raise AssertionError
