"""The parts of a process that features share, and their work on the database."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bot.domain.refusals import DatabaseTimeoutError
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.runtime.clock import Clock
from bot.runtime.deadlines import Deadlines
from bot.runtime.delayed_jobs import DelayedJobs
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor
from bot.runtime.latest_jobs import LatestJobs
from bot.store.database import Database
from bot.store.store import Store

Params = ParamSpec("Params")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of a process that features share.

    Attributes:
        store: The database.
        executor: The threads that use it.
        engine: The processes for long computations.
        clock: Discord's time.
        rng: What the bot's moves and random sides are drawn with.
        deadlines: When turns and challenges run out.
        bot_id: The bot's own user id.
        messages: Messages that are sent and edited outside interactions.
        members: Who has left a server.
        source_url: The address of the repository; None if the host names none.
        latest_jobs: Work of which each person has one at a time.
        delayed_jobs: Work that is done once for all who ask for it within some seconds.
        counting_batch_seconds: How long matches that end are gathered, to be counted together.
        counting_lock: Held while matches are counted.
    """

    store: Store
    executor: Executor
    engine: EnginePool
    clock: Clock
    rng: random.Random
    deadlines: Deadlines
    bot_id: int
    messages: Messages
    members: Members
    source_url: str | None = None
    latest_jobs: LatestJobs = field(default_factory=LatestJobs)
    delayed_jobs: DelayedJobs = field(default_factory=DelayedJobs)
    counting_batch_seconds: float = 0.5
    counting_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """Run a function of a connection in a thread, in autocommit mode.

        Raises:
            UnavailableError: The database fails or takes too long, or the bot is shutting down.
        """

        def job() -> Result:
            with self.store.database.autocommit() as connection:
                return work(connection, *args, **kwargs)

        return await self.executor.run_for_answer(job)

    async def read_in_background(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """As `read`, for what no answer to Discord waits for: it may take longer."""

        def job() -> Result:
            with self.store.database.autocommit() as connection:
                return work(connection, *args, **kwargs)

        return await self.executor.run(job)

    async def write(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """As `read`, for a function that writes: each statement is a transaction of its own.

        Raises:
            UnavailableError: As in `read`; the function may be carried out later.
        """

        def job() -> Result:
            with self.store.database.write() as connection:
                return work(connection, *args, **kwargs)

        return await self.executor.run_for_answer(job)

    async def write_in_background(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """As `write`, for what no answer to Discord waits for: it may take longer."""

        def job() -> Result:
            with self.store.database.write() as connection:
                return work(connection, *args, **kwargs)

        return await self.executor.run(job)

    async def transact(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """Run a function of a connection in a thread, as one transaction.

        Raises:
            UnavailableError: As in `read`; then nothing of it was stored.
        """
        return await self._transact(
            self.executor.run_for_answer, lambda connection: work(connection, *args, **kwargs)
        )

    async def transact_in_background(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """As `transact`, for what no answer to Discord waits for: it may take longer."""
        return await self._transact(
            self.executor.run, lambda connection: work(connection, *args, **kwargs)
        )

    async def _transact(
        self,
        run: Callable[..., Coroutine[Any, Any, Any]],
        work: Callable[[Connection], Result],
    ) -> Result:
        commit = _Commit()
        try:
            result: Result = await run(_transact, self.store.database, work, commit)
        except DatabaseTimeoutError as error:
            if error.late_result is None or commit.take():
                raise DatabaseTimeoutError(str(error)) from error
            result = await error.late_result  # it is being committed
        return result


@dataclass(frozen=True, slots=True)
class _Commit:
    """Who decides whether a transaction is committed: its thread, or the caller that gave up."""

    _lock: Lock = field(default_factory=Lock)

    def take(self) -> bool:
        """Decide; False if the other has."""
        return self._lock.acquire(blocking=False)


def _transact(database: Database, work: Callable[[Connection], Result], commit: _Commit) -> Result:
    with database.transaction() as connection:
        result = work(connection)
        if not commit.take():
            raise DatabaseTimeoutError("rolled back, as nobody waits for it any longer")
    return result
