"""Waiting for requests to Discord, which are never cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from bot.messaging.errors import log_errors

Result = TypeVar("Result")

WhenLate = Callable[[Result], Awaitable[object]]
"""Called with the result of a request for which nobody waits any longer."""

_late_tasks = set[asyncio.Task[None]]()
"""The event loop itself keeps only weak references."""


async def wait_for_discord(
    request: Coroutine[Any, Any, Result],
    seconds: float,
    when_late: WhenLate[Result] | None = None,
) -> Result:
    """Wait for a request to Discord, which goes on after that, also if the waiter is cancelled.

    During a global rate limit, discord.py holds back all other requests until the one that was told
    of the limit is sent again: if that one were cancelled, for ever.

    Raises:
        TimeoutError: There is no result yet. Once there is, `when_late` is called with it.
    """
    task = asyncio.create_task(request)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            late_task = asyncio.create_task(_finish(task, when_late))
            _late_tasks.add(late_task)
            late_task.add_done_callback(_late_tasks.discard)
    if not task.done():
        raise TimeoutError(f"no response within {seconds:g} seconds")
    return task.result()


async def _finish(request: Awaitable[Result], when_late: WhenLate[Result] | None) -> None:
    with log_errors("A late request to Discord failed"):
        result = await request
        if when_late is not None:
            await when_late(result)
