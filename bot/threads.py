"""Threads in which the arena waits and thinks, and how long anybody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

_THREADS = 4
_ANSWER_SECONDS = 2.4  # Discord waits three seconds for an answer
_SILENT_SECONDS = 4  # a database that can be helped has answered by then, or refused
_GLANCE_SECONDS = 0.01
_MOST_AT_ONCE = 1_000  # four threads do not get through more in time


class NoAnswerInTimeError(Exception):
    """The work took longer than Discord waits."""


class Threads:
    """A few threads.

    `show_late` is given what was done there too late to be said in answer; `break_off` frees the
    threads in which the database has been silent for so many seconds.
    """

    def __init__(
        self,
        show_late: Callable[[Awaitable[object]], Awaitable[None]],
        break_off: Callable[[float], None],
    ) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="arena")
        self._show_late = show_late
        self._break_off = break_off
        self._running: set[Future[Any]] = set()
        self._late: set[asyncio.Future[None]] = set()

    async def do(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Do something that may wait for the database, while the event loop goes on.

        Raises:
            NoAnswerInTimeError: The database has been silent for too long.
        """
        return await self._within(_SILENT_SECONDS, self._begin(partial(work, *given, **options)))

    async def do_in_time(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Do something that an answer depends on.

        Raises:
            NoAnswerInTimeError: It would come too late. What had not begun is not begun any more.
        """
        return await self._within(_ANSWER_SECONDS, self._begin(partial(work, *given, **options)))

    def _begin(self, work: Callable[[], Result]) -> Future[Result]:
        if len(self._running) >= _MOST_AT_ONCE:
            raise NoAnswerInTimeError(f"{_MOST_AT_ONCE} wait already")
        try:
            job = self._pool.submit(copy_context().run, work)
        except RuntimeError:
            raise NoAnswerInTimeError("the bot is leaving") from None
        self._running.add(job)
        job.add_done_callback(self._running.discard)
        return job

    async def _within(self, seconds: float, job: Future[Result]) -> Result:
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(job)
        except TimeoutError:
            if not job.cancelled():
                self._follow_up(asyncio.wrap_future(job))
            raise NoAnswerInTimeError(f"not within {seconds} seconds") from None

    def _follow_up(self, answer: asyncio.Future[Any]) -> None:
        late = asyncio.ensure_future(self._show_late(answer))
        self._late.add(late)
        late.add_done_callback(self._late.discard)
        loop = asyncio.get_running_loop()
        loop.call_later(_SILENT_SECONDS, self._break_off, _SILENT_SECONDS)

    async def finish(self, at_work: Collection[object], timeout_seconds: float) -> None:
        """Wait until nothing goes on, neither here nor at work, and begin nothing more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while at_work or self._late or self._running:  # noqa: ASYNC110 - of three kinds
                    await asyncio.sleep(_GLANCE_SECONDS)
        self._pool.shutdown(wait=False, cancel_futures=True)
