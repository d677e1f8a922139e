"""Threads in which features use the database, with limits on how long callers wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.domain.refusals import DatabaseTimeoutError, ShuttingDownError, UnavailableError
from bot.store.database import StoreError, error_summary

Result = TypeVar("Result")

_POLL_SECONDS = 0.01

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExecutorLimits:
    """How many threads there are, how long callers wait, and how many jobs there may be."""

    threads: int = 4
    answer_seconds: float = 2.4  # Discord waits three
    silent_seconds: float = 4  # by then a reachable database has answered or failed
    max_jobs: int = 1_000  # running jobs included


class _Outage:
    """Logs once that reads fail, once that writes fail, and once that neither does any longer.

    On a full disk reads succeed, and some writes too. So it ends at a successful health check, if
    nothing has failed since the one before.
    """

    def __init__(self) -> None:
        self._failed_reads = 0
        self._failed_writes = 0
        self._failed_lately = False

    def record_failure(self, error: Exception) -> None:
        self._failed_lately = True
        if _is_about_writing(error):
            if not self._failed_writes:
                _log.error("The database takes no writes: %s", error)
            self._failed_writes += 1
        else:
            if not self._failed_reads:
                _log.error("The database does not answer: %s", error)
            self._failed_reads += 1

    def record_healthy(self) -> None:
        if not self._failed_lately and (self._failed_reads or self._failed_writes):
            counts = (self._failed_reads, self._failed_writes)
            _log.warning("The database is well again; %d reads and %d writes had failed.", *counts)
            self._failed_reads = self._failed_writes = 0
        self._failed_lately = False


def _is_about_writing(error: Exception) -> bool:
    """Whether it was a statement that writes, or locks rows, which failed."""
    statement = getattr(error.__cause__, "statement", None) or "SELECT"
    return not statement.startswith("SELECT") or "FOR UPDATE" in statement


class Executor:
    """A pool of a few threads.

    `abort_stuck` frees the threads that have waited for the database for longer than the seconds it
    is called with.
    """

    def __init__(self, limits: ExecutorLimits, abort_stuck: Callable[[float], None]) -> None:
        self.limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="service")
        self._abort_stuck = abort_stuck
        self._jobs: set[Future[Any]] = set()
        self._late_tasks: set[asyncio.Task[Any]] = set()
        self._outage = _Outage()

    async def run(self, function: Callable[[], Result], seconds: float) -> Result:
        """Run a function that may wait for the database in a thread, for up to so many seconds.

        Raises:
            DatabaseTimeoutError: The database took too long or failed, or there are too many jobs.
                A job that had not begun is cancelled; of any other, `late_result` is the result.
            ShuttingDownError: The bot is shutting down.
        """
        try:
            job = self._submit(function)
            try:
                async with asyncio.timeout(seconds):
                    return await _result_of(job)
            except TimeoutError:
                late_result = None if job.cancelled() else self._wait_in_background(job)
                raise DatabaseTimeoutError(f"not within {seconds} seconds", late_result) from None
        except DatabaseTimeoutError as error:
            self._outage.record_failure(error)
            raise

    def record_healthy(self) -> None:
        """Take note that a health check has succeeded: an outage may be over."""
        self._outage.record_healthy()

    def _submit(self, function: Callable[[], Result]) -> Future[Result]:
        if len(self._jobs) >= self.limits.max_jobs:
            raise DatabaseTimeoutError(f"there are {self.limits.max_jobs} jobs already")
        try:
            job = self._pool.submit(copy_context().run, function)
        except RuntimeError:
            raise ShuttingDownError("the bot is shutting down") from None
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return job

    def _wait_in_background(self, job: Future[Result]) -> asyncio.Task[Result]:
        """Keep waiting for a late job; free its thread if the database never answers."""
        late_task = asyncio.create_task(_result_of(job))
        self._late_tasks.add(late_task)
        late_task.add_done_callback(self._on_late_done)
        seconds = self.limits.silent_seconds
        asyncio.get_running_loop().call_later(seconds, self._abort_stuck, seconds)
        return late_task

    def _on_late_done(self, late_task: asyncio.Task[Any]) -> None:
        self._late_tasks.discard(late_task)
        if late_task.cancelled():
            return
        error = late_task.exception()
        if isinstance(error, UnavailableError):
            _log.info("A late job has failed: %s", error)
        elif error is not None:
            _log.error("A late job has failed.", exc_info=error)

    async def finish(self, tasks: Collection[object], timeout_seconds: float) -> None:
        """Wait until all jobs are done and `tasks` is empty, or time is up; take no more jobs."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while tasks or self._late_tasks or self._jobs:  # noqa: ASYNC110 - of three kinds
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
        raise ShuttingDownError("the bot is shutting down") from None  # the pool cancelled the job
