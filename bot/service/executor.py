"""Threads in which services wait for the database, and how long anybody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.game.refusal import LeavingError, NoAnswerInTimeError
from bot.store import StoreError, cause_of

Given = ParamSpec("Given")
Result = TypeVar("Result")

_GLANCE_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class ExecutorLimits:
    """How many threads there are, how long anybody waits for them, and how many may."""

    threads: int = 4
    answer_seconds: float = 2.4  # Discord waits three
    silent_seconds: float = 4  # a database that can be helped has answered by then, or refused
    waiting: int = 1_000


class Executor:
    """A few threads.

    `show_late` is given what was done there too late to be said in answer; `break_off` frees the
    threads in which the database has been silent for so many seconds.
    """

    def __init__(
        self,
        limits: ExecutorLimits,
        show_late: Callable[[Awaitable[object]], Awaitable[None]],
        break_off: Callable[[float], None],
    ) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="service")
        self._show_late = show_late
        self._break_off = break_off
        self._running: set[Future[Any]] = set()
        self._late: set[asyncio.Future[None]] = set()

    @property
    def under_way(self) -> int:
        """How much is done or waits for a thread."""
        return len(self._running)

    async def do(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Do something that may wait for the database, while the event loop goes on.

        Raises:
            NoAnswerInTimeError: The database has been silent for too long, or has failed.
        """
        return await self._within(self._limits.silent_seconds, partial(work, *given, **options))

    async def do_in_time(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Do something that an answer depends on.

        Raises:
            NoAnswerInTimeError: It would come too late, or the database has failed. What had not
                begun is not begun any more.
        """
        return await self._within(self._limits.answer_seconds, partial(work, *given, **options))

    def _begin(self, work: Callable[[], Result]) -> Future[Result]:
        if len(self._running) >= self._limits.waiting:
            raise NoAnswerInTimeError(f"{self._limits.waiting} wait already")
        try:
            job = self._pool.submit(copy_context().run, work)
        except RuntimeError:
            raise LeavingError("the bot is leaving") from None
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
            raise NoAnswerInTimeError(f"not within {seconds} seconds") from None

    def _follow_up(self, answer: Awaitable[object]) -> None:
        late = asyncio.ensure_future(self._show_late(answer))
        self._late.add(late)
        late.add_done_callback(self._late.discard)
        loop = asyncio.get_running_loop()
        silent_seconds = self._limits.silent_seconds
        loop.call_later(silent_seconds, self._break_off, silent_seconds)

    async def finish(self, at_work: Collection[object], timeout_seconds: float) -> None:
        """Wait until nothing goes on, neither here nor at work, and begin nothing more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while at_work or self._late or self._running:  # noqa: ASYNC110 - of three kinds
                    await asyncio.sleep(_GLANCE_SECONDS)
        self._pool.shutdown(wait=False, cancel_futures=True)


async def _result_of(job: Future[Result]) -> Result:
    try:
        return await asyncio.wrap_future(job)
    except StoreError as error:
        raise NoAnswerInTimeError(cause_of(error)) from error


class Threaded(Protocol):
    """A service whose methods run in threads."""

    executor: Executor


Service = TypeVar("Service", bound=Threaded)


Method = Callable[Concatenate[Service, Given], Result]
Awaited = Callable[Concatenate[Service, Given], Coroutine[Any, Any, Result]]


def in_time(method: Method[Service, Given, Result]) -> Awaited[Service, Given, Result]:
    """Have a method run in a thread, for an answer that depends on it: `Executor.do_in_time`."""

    @wraps(method)
    async def run(self: Service, /, *given: Given.args, **options: Given.kwargs) -> Result:
        return await self.executor.do_in_time(method, self, *given, **options)

    return run


def in_thread(method: Method[Service, Given, Result]) -> Awaited[Service, Given, Result]:
    """Have a method run in a thread, with more patience: `Executor.do`."""

    @wraps(method)
    async def run(self: Service, /, *given: Given.args, **options: Given.kwargs) -> Result:
        return await self.executor.do(method, self, *given, **options)

    return run
