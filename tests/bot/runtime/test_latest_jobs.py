"""Of the jobs that a person asks for, only the newest is run."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.domain.analysis import Hint, HintPage
from bot.domain.moments import MomentAnswer, MomentGuess
from bot.domain.puzzles import DailyPuzzle, PuzzlePage
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.tutorial import EXAMPLE_GAME, BotOverview, Chapter, TutorialPage
from bot.runtime.latest_jobs import LatestJobs
from engine import daily_puzzle
from tests.bot.backend import App
from tests.bot.example_matches import ANA, CHANNEL, NOON, RUI, make_match
from tests.bot.loop_clock import LoopClock


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


async def test_of_many_pages_asked_for_at_once_the_newest_is_shown(clock: LoopClock) -> None:
    jobs = LatestJobs()
    assert await jobs.run(partial(give, 0), user_id=1, interaction_id=0) == 0
    asked = [jobs.run(partial(give, n), user_id=1, interaction_id=n) for n in range(1, 10)]
    running = asyncio.gather(*asked)
    await clock.turn(1)
    superseded = Refusal(RefusalReason.SUPERSEDED)
    assert await running == [superseded] * 8 + [9]


async def test_one_person_s_job_does_not_wait_for_another_s() -> None:
    jobs, never = LatestJobs(), asyncio.Event()
    waiting = asyncio.create_task(jobs.run(never.wait, user_id=1, interaction_id=1))
    assert await jobs.run(partial(give, "done"), user_id=2, interaction_id=2) == "done"
    waiting.cancel()


# What is stored is shown


def ask_for_a_lesson_before(app: App, statement: str, user_id: int) -> None:
    """Have a person ask for something newer, and get it, right before a statement of theirs."""
    loop = asyncio.get_running_loop()
    page = TutorialPage(EXAMPLE_GAME, Chapter.BOT)

    def ask() -> None:
        lesson = app.services.tutorial.page(page, user_id=user_id, interaction_id=2)
        content = asyncio.run_coroutine_threadsafe(lesson, loop).result()
        assert isinstance(content, BotOverview)

    app.before_sql(statement, ask)


async def test_a_hint_that_was_counted_is_shown_although_there_is_something_newer(
    app: App,
) -> None:
    match = app.add(make_match(moves=(0, 4)))
    ask_for_a_lesson_before(app, "UPDATE matches", ANA)
    page = HintPage(match.record)
    hint = await app.services.analysis.hint(page, match, user_id=ANA, interaction_id=1)
    assert app.load(match).hints == 1
    assert isinstance(hint, Hint)


async def test_a_guess_at_a_moment_that_was_counted_is_answered_although_there_is_something_newer(
    app: App,
) -> None:
    match = app.add(make_match(moves=(0, 4, 1, 3, 2)))
    assert app.store.moments.claim(match.id, 4, NOON)
    ask_for_a_lesson_before(app, "INSERT INTO moment_tries", RUI)
    answer = await app.services.moments.submit(
        MomentGuess(match.id, 2), user_id=RUI, channel_id=CHANNEL, interaction_id=1
    )
    assert app.store.moments.guesses_of(RUI) == {match.id: True}
    assert isinstance(answer, MomentAnswer)
    assert answer.is_counted


async def test_a_guess_at_a_puzzle_that_was_stored_is_shown_although_there_is_something_newer(
    app: App,
) -> None:
    day = NOON.date()
    page = PuzzlePage(day, (daily_puzzle(day).solution,))
    ask_for_a_lesson_before(app, "INSERT INTO attempts", ANA)
    puzzle = await app.services.puzzles.submit(
        page, user_id=ANA, guild_id=None, interaction_id=1, counted_days=[day]
    )
    assert app.store.puzzles.guesses(ANA, day) == page.guesses
    assert isinstance(puzzle, DailyPuzzle)
    assert puzzle.page == page
