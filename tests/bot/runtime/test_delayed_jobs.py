"""Jobs that are done once for all who ask within some seconds."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.runtime.delayed_jobs import DelayedJobs


async def test_a_job_is_done_once_for_all_who_ask_while_it_waits() -> None:
    jobs, done = DelayedJobs(), list[str]()

    async def note(key: str) -> None:
        done.append(key)

    await asyncio.gather(*(jobs.run(key, 0, partial(note, key)) for key in "aab"))
    assert done == ["a", "b"]
    await jobs.run("a", 0, partial(note, "a"))
    assert done == ["a", "b", "a"], "who asks later is not forgotten"
