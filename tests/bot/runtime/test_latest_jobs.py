"""Of the jobs that a person asks for, only the newest is run."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.domain.moments import MomentTry
from bot.domain.puzzles import PuzzlePage
from bot.domain.refusals import RefusalReason, Refused
from bot.features import moments, puzzles
from bot.features.analysis import show_hint_in_match
from bot.features.puzzles import AttemptKey
from bot.runtime.latest_jobs import LatestJobs
from engine import daily_puzzle
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import call
from tests.bot.example_matches import ANA, NOON, RUI, make_match
from tests.bot.loop_clock import LoopClock
from tests.bot.views.examples import text_of


async def give(result: object) -> object:
    return result


def is_superseded(result: object) -> bool:
    if not isinstance(result, Refused):
        return False
    return result.reason is RefusalReason.SUPERSEDED


async def test_the_newer_of_two_jobs_runs_in_whatever_order_they_arrive() -> None:
    jobs = LatestJobs()
    assert await jobs.run(partial(give, "first"), user_id=1, interaction_id=1) == "first"
    third, second = await asyncio.gather(
        jobs.run(partial(give, "third"), user_id=1, interaction_id=3),
        jobs.run(partial(give, "second"), user_id=1, interaction_id=2),
        return_exceptions=True,
    )
    assert third == "third"
    assert is_superseded(second)


async def test_an_older_job_runs_once_the_newer_one_is_over(clock: LoopClock) -> None:
    """Nothing is kept of who asked for what."""
    jobs = LatestJobs()

    async def store() -> str:
        jobs.keep(1)
        return "stored"

    for number, job in ((3, store), (2, partial(give, 2)), (1, partial(give, 1))):
        await jobs.run(job, user_id=1, interaction_id=number)
        await clock.turn(1)


async def test_of_many_pages_asked_for_at_once_the_newest_is_shown(clock: LoopClock) -> None:
    jobs = LatestJobs()
    assert await jobs.run(partial(give, 0), user_id=1, interaction_id=0) == 0
    asked = [jobs.run(partial(give, n), user_id=1, interaction_id=n) for n in range(1, 10)]
    running = asyncio.gather(*asked, return_exceptions=True)
    await clock.turn(1)
    *others, newest = await running
    assert all(map(is_superseded, others))
    assert newest == 9


async def test_one_person_s_job_does_not_wait_for_another_s() -> None:
    jobs, never = LatestJobs(), asyncio.Event()
    waiting = asyncio.create_task(jobs.run(never.wait, user_id=1, interaction_id=1))
    assert await jobs.run(partial(give, "done"), user_id=2, interaction_id=2) == "done"
    waiting.cancel()


# What is stored is shown


def ask_for_more_before(app: App, statement: str, user_id: int) -> None:
    """Have a person ask for something newer, and get it, right before a statement of theirs."""
    loop = asyncio.get_running_loop()
    latest_jobs = app.backend.runtime.latest_jobs

    def ask() -> None:
        newer = latest_jobs.run(partial(give, "newer"), user_id=user_id, interaction_id=2)
        assert asyncio.run_coroutine_threadsafe(newer, loop).result() == "newer"

    app.before_sql(statement, ask)


async def test_a_hint_that_was_counted_is_shown_although_there_is_something_newer(app: App) -> None:
    match = app.add(make_match(moves=(0, 4)))
    ask_for_more_before(app, "UPDATE matches", ANA)
    asked = context(app.backend.runtime)
    job = partial(show_hint_in_match, asked, match, None, is_detailed=False)
    await asked.runtime.latest_jobs.run(job, user_id=ANA, interaction_id=1)
    assert app.load(match).hints == 1


async def test_a_try_at_a_moment_that_was_counted_is_answered_although_there_is_something_newer(
    app: App,
) -> None:
    match = app.add(make_match(moves=(0, 4, 1, 3, 2)))
    assert call(app.store, moments.claim, match.id, 4, NOON)
    pressed = context(app.backend.runtime, user_id=RUI)
    ask_for_more_before(app, "INSERT INTO moment_tries", RUI)
    job = partial(moments.try_cell, pressed, MomentTry(match.id, 2))
    view = await pressed.runtime.latest_jobs.run(job, user_id=RUI, interaction_id=1)
    assert call(app.store, moments.load_tries, RUI) == {match.id: True}
    assert "🎯" in text_of(view)


async def test_a_try_at_a_puzzle_that_was_stored_is_shown_although_there_is_something_newer(
    app: App,
) -> None:
    day = NOON.date()
    page = PuzzlePage(day, (daily_puzzle(day).solution,))
    pressed = context(app.backend.runtime)
    ask_for_more_before(app, "INSERT INTO attempts", ANA)
    job = partial(puzzles.show, pressed, page)
    view = await pressed.runtime.latest_jobs.run(job, user_id=ANA, interaction_id=1)
    assert call(app.store, puzzles.load_tries, AttemptKey(ANA, day)) == page.tries
    assert "🎯" in text_of(view)
