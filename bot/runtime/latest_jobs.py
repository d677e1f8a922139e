"""Jobs of which each person has one at a time: a newer one cancels the older."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from bot.domain.refusals import RefusalReason, Refused

Result = TypeVar("Result")

_PAUSE_SECONDS = 0.1


class LatestJobs:
    """Runs the newest job of each person, with a pause after the one before."""

    def __init__(self) -> None:
        # All by user id. Entries are removed once the job is done and the pause is over.
        self._running: dict[int, asyncio.Task[Any]] = {}
        self._newest: dict[int, int] = {}  # interaction ids
        self._next_at: dict[int, float] = {}  # when the next job may start

    async def run(
        self, job: Callable[[], Awaitable[Result]], *, user_id: int, interaction_id: int
    ) -> Result:
        """Run a job, and cancel the one that the same person still waits for.

        Interactions may arrive in the wrong order; `interaction_id` tells which is newer.

        Raises:
            Refused: A newer job took its place.
        """
        if interaction_id < self._newest.get(user_id, 0):
            raise Refused(RefusalReason.SUPERSEDED)
        self._newest[user_id] = interaction_id
        if previous := self._running.pop(user_id, None):
            previous.cancel()
        task = asyncio.create_task(self._run_after_pause(user_id, job))
        self._running[user_id] = task
        task.add_done_callback(partial(self._remove, user_id))
        await asyncio.wait({task})
        if task.cancelled():
            raise Refused(RefusalReason.SUPERSEDED)
        return task.result()

    def keep(self, user_id: int) -> None:
        """Let a person's job, which calls this, go on whatever comes: it is about to be stored."""
        if self._running.get(user_id) is asyncio.current_task():
            del self._running[user_id]

    async def _run_after_pause(self, user_id: int, job: Callable[[], Awaitable[Result]]) -> Result:
        loop = asyncio.get_running_loop()
        if user_id in self._next_at:
            await asyncio.sleep(self._next_at[user_id] - loop.time())
        self._next_at[user_id] = loop.time() + _PAUSE_SECONDS
        loop.call_later(_PAUSE_SECONDS, self._next_at.pop, user_id, None)
        return await job()

    def _remove(self, user_id: int, task: asyncio.Task[Any]) -> None:
        if self._running.get(user_id) is task:
            del self._running[user_id]
        task.get_loop().call_later(_PAUSE_SECONDS, self._remove_newest, user_id)

    def _remove_newest(self, user_id: int) -> None:
        if user_id not in self._running:
            self._newest.pop(user_id, None)
