"""Results of work that the database finished after its time-out, and who shows them then."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from bot.domain.refusals import DatabaseTimeoutError
from bot.messaging.errors import log_errors

Result = TypeVar("Result")

ShowLate = Callable[[Any], Awaitable[None]]
"""Shows the result of work that was too late for an answer."""


class LateResults:
    """Results that came too late for their callers, until they are shown.

    The tasks that show them are added to `tasks`, for which the bot waits when it closes.
    """

    def __init__(self, tasks: set[asyncio.Task[Any]]) -> None:
        self.tasks = tasks

    async def wait(self, work: Awaitable[Result], show_late: ShowLate) -> Result:
        """Wait for some work; if it is late, have `show_late` called with its result."""
        try:
            return await work
        except DatabaseTimeoutError as error:
            if error.late_result is not None:
                task = asyncio.create_task(_show(error.late_result, show_late))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
            raise


async def _show(late_result: Awaitable[Any], show_late: ShowLate) -> None:
    with suppress(Exception):  # the executor has logged it
        result = await late_result
        with log_errors("A late result could not be shown"):
            await show_late(result)
