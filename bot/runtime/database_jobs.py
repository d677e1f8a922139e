"""Work on the database, in the threads of an executor."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bot.domain.refusals import DatabaseTimeoutError
from bot.runtime.executor import Executor
from bot.store.database import Database

Params = ParamSpec("Params")

Result = TypeVar("Result")


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class DatabaseJobs:
    """Runs functions of a connection in threads; the caller waits for up to `seconds`.

    `before_write` is called before each function that writes.

    Raises:
        UnavailableError: The database fails or takes too long, or the bot is shutting down.
    """

    database: Database
    executor: Executor
    seconds: float
    before_write: Callable[[], None] = _nothing

    async def read(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """Run a function in autocommit mode."""
        return await self._run(self.database.autocommit, lambda c: work(c, *args, **kwargs))

    async def write(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """Run a function that writes, each statement of which is a transaction of its own.

        If the caller gives up, it may still be carried out.
        """
        self.before_write()
        return await self._run(self.database.write, lambda c: work(c, *args, **kwargs))

    async def transact(
        self,
        work: Callable[Concatenate[Connection, Params], Result],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Result:
        """Run a function as one transaction. If the caller gives up, nothing is stored."""
        self.before_write()
        commit = _Commit()

        def decided(connection: Connection) -> Result:
            result = work(connection, *args, **kwargs)
            if not commit.take():
                raise DatabaseTimeoutError("rolled back, as nobody waits for it any longer")
            return result

        try:
            return await self._run(self.database.transaction, decided)
        except DatabaseTimeoutError as error:
            if error.late_result is None or commit.take():
                raise DatabaseTimeoutError(str(error)) from error
            result: Result = await error.late_result  # it is being committed
            return result

    async def _run(
        self,
        connect: Callable[[], AbstractContextManager[Connection]],
        work: Callable[[Connection], Result],
    ) -> Result:
        def job() -> Result:
            with connect() as connection:
                return work(connection)

        return await self.executor.run(job, self.seconds)


@dataclass(frozen=True, slots=True)
class _Commit:
    """Who decides whether a transaction is committed: its thread, or the caller that gave up."""

    _lock: Lock = field(default_factory=Lock)

    def take(self) -> bool:
        """Decide; False if the other has."""
        return self._lock.acquire(blocking=False)
