"""The database, used by functions of a connection in threads; callers wait for a limited time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Connection

from bot.domain.refusals import (
    DatabaseTimeoutError,
    Refused,
    ShuttingDownError,
    UnavailableError,
)
from bot.runtime.outage import Outage
from bot.store.database import Database, StoreError, driver_message

Arguments = TypeVarTuple("Arguments")

Result = TypeVar("Result")

_POLL_SECONDS = 0.01

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DatabaseLimits:
    """How many threads there are, how long callers wait, and how many jobs there may be."""

    threads: int = 4
    answer_seconds: float = 2.4  # Discord waits three
    silent_seconds: float = 4  # by then a reachable database has answered or failed
    max_jobs: int = 1_000  # running jobs included


class DatabaseJobs:
    """Runs functions of a connection in a few threads.

    Callers of `read` and `change` wait for up to so many seconds; by default until a reachable
    database has answered or failed.
    """

    def __init__(self, database: Database, limits: DatabaseLimits = DatabaseLimits()) -> None:
        self.limits = limits
        self._database = database
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="database")
        self._jobs: set[Future[Any]] = set()
        self._late_tasks: set[asyncio.Task[Any]] = set()
        self._outage = Outage()

    async def read(
        self,
        work: Callable[[Connection, *Arguments], Result],
        *args: *Arguments,
        seconds: float | None = None,
    ) -> Result:
        """Run a function that only reads; it takes no locks.

        Raises:
            DatabaseTimeoutError: The database took too long or failed, or there are too many jobs.
            ShuttingDownError: The bot is shutting down.
        """

        def job() -> Result:
            with self._database.connection() as connection:
                return work(connection, *args)

        return await self._run(job, seconds)

    async def change(
        self,
        work: Callable[[Connection, *Arguments], Result],
        *args: *Arguments,
        seconds: float | None = None,
    ) -> Result:
        """Run a function as one transaction, which it also commits if it raises `Refused`.

        Raises:
            DatabaseTimeoutError, ShuttingDownError: As for `read`; nothing is stored.
        """
        commit = _Commit()

        def job() -> Result:
            with self._database.transaction(commit.take_or_fail) as connection:
                return work(connection, *args)

        return await self._run(job, seconds, commit)

    def record_healthy(self) -> None:
        """Take note that a health check has succeeded: an outage may be over."""
        self._outage.record_healthy()

    async def finish(self, tasks: Collection[object], timeout_seconds: float) -> None:
        """Wait until all jobs are done and `tasks` is empty, or time is up; take no more jobs."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while tasks or self._late_tasks or self._jobs:  # noqa: ASYNC110 - of three kinds
                    await asyncio.sleep(_POLL_SECONDS)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(
        self, function: Callable[[], Result], seconds: float | None, commit: _Commit | None = None
    ) -> Result:
        if seconds is None:
            seconds = self.limits.silent_seconds
        try:
            job = self._submit(function)
            try:
                async with asyncio.timeout(seconds):
                    return await _result_of(job)
            except TimeoutError:
                late = None if job.cancelled() else self._wait_in_background(job)
                if late is None or commit is None or commit.take():
                    raise DatabaseTimeoutError(f"not within {seconds:g} seconds") from None
                return await late  # it is being committed
            except asyncio.CancelledError:
                if commit is not None:
                    commit.take()
                raise
        except DatabaseTimeoutError as error:
            self._outage.record_failure(error)
            raise

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
        asyncio.get_running_loop().call_later(seconds, self._database.abort_stuck, seconds)
        return late_task

    def _on_late_done(self, late_task: asyncio.Task[Any]) -> None:
        self._late_tasks.discard(late_task)
        if late_task.cancelled():
            return
        error = late_task.exception()
        if error is not None and not isinstance(error, UnavailableError | Refused):
            _log.error("A late job has failed.", exc_info=error)


@dataclass(frozen=True, slots=True)
class _Commit:
    """Who decides whether a transaction is committed: its thread, or the caller that gave up."""

    _lock: Lock = field(default_factory=Lock)

    def take(self) -> bool:
        """Decide; False if the other has."""
        return self._lock.acquire(blocking=False)

    def take_or_fail(self) -> None:
        """Decide to commit; DatabaseTimeoutError if the caller has given up."""
        if not self.take():
            raise DatabaseTimeoutError("rolled back, as nobody waits for it any longer")


async def _result_of(job: Future[Result]) -> Result:
    task = asyncio.current_task()
    assert task is not None, "a coroutine runs in a task"
    try:
        return await asyncio.wrap_future(job)
    except StoreError as error:
        raise DatabaseTimeoutError(driver_message(error)) from error
    except asyncio.CancelledError:
        if task.cancelling():
            raise
        raise ShuttingDownError("the bot is shutting down") from None  # the pool cancelled the job
