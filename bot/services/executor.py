"""Threads in which services use the database, with limits on how long anybody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.domain.refusals import DatabaseTimeoutError, ShuttingDownError
from bot.store.database import StoreError, error_summary

Given = ParamSpec("Given")

Result = TypeVar("Result")

_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class ExecutorLimits:
    """How many threads there are, how long to wait for them, and how many jobs there may be."""

    threads: int = 4
    answer_seconds: float = 2.4  # Discord waits three
    silent_seconds: float = 4  # by then a database that is there has answered or failed
    waiting: int = 1_000


class Executor:
    """A pool of a few threads.

    `show_late` is given the result of each job that was too late for its caller; `abort_stuck`
    frees the threads that have waited for the database for so many seconds.
    """

    def __init__(
        self,
        limits: ExecutorLimits,
        show_late: Callable[[Awaitable[object]], Awaitable[None]],
        abort_stuck: Callable[[float], None],
    ) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="service")
        self._show_late = show_late
        self._abort_stuck = abort_stuck
        self._running: set[Future[Any]] = set()
        self._late: set[asyncio.Future[None]] = set()

    @property
    def under_way(self) -> int:
        """How many jobs are running or waiting for a thread."""
        return len(self._running)

    async def run(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Run a job that may wait for the database in a thread, for at most `silent_seconds`.

        Raises:
            DatabaseTimeoutError: The database took too long or failed, or too many jobs wait. A
                job that had not begun is cancelled.
            ShuttingDownError: The bot is shutting down.
        """
        return await self._within(self._limits.silent_seconds, partial(work, *given, **options))

    async def run_in_time(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Run a job that an answer to Discord depends on: as `run`, but for `answer_seconds`.

        Raises:
            UnavailableError: As in `run`.
        """
        return await self._within(self._limits.answer_seconds, partial(work, *given, **options))

    def _begin(self, work: Callable[[], Result]) -> Future[Result]:
        if len(self._running) >= self._limits.waiting:
            raise DatabaseTimeoutError(f"{self._limits.waiting} wait already")
        try:
            job = self._pool.submit(copy_context().run, work)
        except RuntimeError:
            raise ShuttingDownError("the bot is leaving") from None
        self._running.add(job)
        job.add_done_callback(self._running.discard)
        return job

    async def _within(self, seconds: float, work: Callable[[], Result]) -> Result:
        job = self._begin(work)
        try:
            async with asyncio.timeout(seconds):
                return await _result_of(job)
        except TimeoutError:
            if not job.cancelled():
                late = _result_of(job)
                self._follow_up(late)
            raise DatabaseTimeoutError(f"not within {seconds} seconds") from None

    def _follow_up(self, answer: Awaitable[object]) -> None:
        late = asyncio.ensure_future(self._show_late(answer))
        self._late.add(late)
        late.add_done_callback(self._late.discard)
        loop = asyncio.get_running_loop()
        silent_seconds = self._limits.silent_seconds
        loop.call_later(silent_seconds, self._abort_stuck, silent_seconds)

    async def finish(self, at_work: Collection[object], timeout_seconds: float) -> None:
        """Wait until all jobs are done and `at_work` is empty, or time is up; take no more jobs."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while at_work or self._late or self._running:  # noqa: ASYNC110 - of three kinds
                    await asyncio.sleep(_POLL_SECONDS)
        self._pool.shutdown(wait=False, cancel_futures=True)


async def _result_of(job: Future[Result]) -> Result:
    task = asyncio.current_task()
    assert task is not None
    try:
        return await asyncio.wrap_future(job)
    except StoreError as error:
        raise DatabaseTimeoutError(error_summary(error)) from error
    except asyncio.CancelledError:
        if task.cancelling():
            raise
        raise ShuttingDownError("the bot is leaving") from None  # the pool cancelled the job


class Threaded(Protocol):
    """A service whose methods run in threads."""

    executor: Executor


Service = TypeVar("Service", bound=Threaded)

Method = Callable[Concatenate[Service, Given], Result]

Awaited = Callable[Concatenate[Service, Given], Coroutine[Any, Any, Result]]


def in_time(method: Method[Service, Given, Result]) -> Awaited[Service, Given, Result]:
    """Have a method run in a thread by `Executor.run_in_time`, for an answer that needs it."""

    @wraps(method)
    async def run(self: Service, /, *given: Given.args, **options: Given.kwargs) -> Result:
        return await self.executor.run_in_time(method, self, *given, **options)

    return run


def in_thread(method: Method[Service, Given, Result]) -> Awaited[Service, Given, Result]:
    """Have a method run in a thread by `Executor.run`, which waits longer."""

    @wraps(method)
    async def run(self: Service, /, *given: Given.args, **options: Given.kwargs) -> Result:
        return await self.executor.run(method, self, *given, **options)

    return run
