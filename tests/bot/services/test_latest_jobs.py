"""Of the jobs that a person asks for, only the newest is run."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.domain.refusals import Refusal, RefusalReason
from bot.services.latest_jobs import LatestJobs


async def give(result: object) -> object:
    return result


async def test_the_newer_of_two_jobs_runs_in_whatever_order_they_arrive() -> None:
    jobs = LatestJobs()
    assert await jobs.run(partial(give, "first"), user_id=1, interaction_id=1) == "first"
    third, second = await asyncio.gather(
        jobs.run(partial(give, "third"), user_id=1, interaction_id=3),
        jobs.run(partial(give, "second"), user_id=1, interaction_id=2),
    )
    assert third == "third"
    assert second == Refusal(RefusalReason.SUPERSEDED)


async def test_a_finished_job_leaves_nothing_behind() -> None:
    """Were it known which was the newest, the older would be passed over."""
    jobs = LatestJobs()
    for number in (2, 1):
        assert await jobs.run(partial(give, number), user_id=1, interaction_id=number) == number
        await asyncio.sleep(0.3)


async def test_the_newest_of_many_pages_is_shown_ten_times_a_second() -> None:
    jobs, loop = LatestJobs(), asyncio.get_running_loop()
    began_at = loop.time()
    running = []
    for number in range(50):
        job = jobs.run(partial(give, number), user_id=1, interaction_id=number)
        running.append(asyncio.create_task(job))
        await asyncio.sleep(0.004)
    results = [result for result in await asyncio.gather(*running) if isinstance(result, int)]
    assert 2 <= len(results) <= 2 + (loop.time() - began_at) / 0.1
    assert results[-1] == 49


async def test_one_person_s_job_does_not_wait_for_another_s() -> None:
    jobs, never = LatestJobs(), asyncio.Event()
    waiting = asyncio.create_task(jobs.run(never.wait, user_id=1, interaction_id=1))
    assert await jobs.run(partial(give, "done"), user_id=2, interaction_id=2) == "done"
    waiting.cancel()
