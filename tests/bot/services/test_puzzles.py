"""The daily puzzle: attempts, sharing, and the posts in servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from sqlalchemy import URL, update

from bot.domain.matches import (
    Place,
)
from bot.domain.puzzles import (
    MAX_FAILED_POSTS,
    Attempt,
    DailyPuzzle,
    PracticePage,
    PuzzlePage,
    PuzzlePost,
    PuzzleProgress,
    PuzzleResult,
    PuzzleStats,
    SharePage,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.stats import Leaderboard, Standing
from bot.features.forgetting import PEOPLE
from bot.features.ranking import load_standings
from bot.store.schema import attempts, metadata
from bot.store.store import Store
from engine import Cell, Grade, daily_puzzle
from tests.bot.backend import App
from tests.bot.databases import (
    both_databases,
    call,
    choose_puzzle_channel,
    forget_person,
    forget_server,
    on_postgresql,
    save_choices,
    save_settings,
    transact,
)
from tests.bot.example_matches import ANA, BEN, NOON, RUI, SERVER

TODAY = date(2026, 5, 1)
DAYS = {TODAY}
A_DAY = timedelta(days=1)
RIGHT = daily_puzzle(TODAY).solution
WRONG, WORSE, WORST = [cell for cell in daily_puzzle(TODAY).worths if cell != RIGHT][:3]
LATER = 10_000
PUZZLE_CHANNEL = 77
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
POST = PuzzlePost(Place(PUZZLE_CHANNEL, SERVER, "pt-BR"), TODAY)


async def attempt(
    app: App, *tried: Cell, who: int = ANA, guild_id: int | None = SERVER
) -> PuzzleProgress:
    record = app.services.puzzles.record_guesses
    return await record(PuzzlePage(TODAY, tried), RIGHT, user_id=who, guild_id=guild_id)


def ranking(app: App, chart: Leaderboard, asker_id: int = RUI) -> tuple[Standing, ...]:
    load = load_standings
    return call(app.store, load, SERVER, chart, asker_id=asker_id, today=TODAY).lines


# One attempt


@both_databases
async def test_an_attempt_goes_on_in_any_server_and_process(app: App, url: URL) -> None:
    assert await attempt(app) == PuzzleProgress(PuzzlePage(TODAY))
    begun = PuzzlePage(TODAY, (WRONG,))
    assert await attempt(app, WRONG) == PuzzleProgress(begun, is_changed=True)
    again = App(url)
    assert await attempt(again, guild_id=99) == PuzzleProgress(begun)
    over = PuzzlePage(TODAY, (WRONG, RIGHT))
    tally = PuzzleStats((0, 1, 0), streak=1, best=1, last_day=TODAY)
    solved = await attempt(again, WRONG, RIGHT, guild_id=99)
    assert solved == PuzzleProgress(over, tally, is_changed=True)
    await again.close()
    for old_page in ((), (WRONG,), (WORSE,), (WRONG, WORSE), (RIGHT,)):
        assert await attempt(app, *old_page) == PuzzleProgress(over, tally), "it is over"
    assert await attempt(app, who=BEN) == PuzzleProgress(PuzzlePage(TODAY))


async def test_an_old_page_of_an_open_attempt_shows_its_current_state(app: App) -> None:
    await attempt(app, WRONG)
    assert await attempt(app, WORSE) == PuzzleProgress(PuzzlePage(TODAY, (WRONG,)))


async def test_after_three_wrong_tries_a_puzzle_is_missed(app: App) -> None:
    for tried in ((WRONG,), (WRONG, WORSE), (WRONG, WORSE, WORST)):
        stands = await attempt(app, *tried)
    assert stands.stats == PuzzleStats(missed=1)


@on_postgresql
async def test_the_first_of_two_concurrent_tries_counts_and_the_second_sees_it(app: App) -> None:
    for before, faster in (((), (WORSE,)), ((WORSE,), (WORSE, WORST))):
        app.before_sql(
            "UPDATE attempts" if before else "INSERT INTO attempts",
            partial(
                app.other_store.puzzles.save_attempt,
                *(ANA, TODAY, Attempt(faster, RIGHT)),
                expected_guesses=before,
                guild_id=None,
            ),
        )
        assert await attempt(app, *before, WRONG) == PuzzleProgress(PuzzlePage(TODAY, faster))


async def test_a_solution_is_explained_move_by_move_and_not_before_its_first(app: App) -> None:
    line = daily_puzzle(TODAY).line
    for ply, played in enumerate((None, *line)):
        lesson = await app.services.puzzles.submit(
            PuzzlePage(TODAY, (RIGHT,), ply),
            user_id=ANA,
            guild_id=SERVER,
            interaction_id=ply,
            counted_days=DAYS,
        )
        assert isinstance(lesson, DailyPuzzle)
        assert (lesson.step.action if lesson.step else None) == played


async def test_other_days_and_practice_leave_no_trace(app: App) -> None:
    puzzles = app.services.puzzles
    for page in (PracticePage(TODAY, (RIGHT,)), PuzzlePage(date(2026, 4, 1))):
        puzzle = await puzzles.submit(
            page, user_id=ANA, guild_id=SERVER, interaction_id=1, counted_days=DAYS
        )
        assert isinstance(puzzle, DailyPuzzle)
        assert puzzle.page == page.as_practice()
    assert await attempt(app) == PuzzleProgress(PuzzlePage(TODAY))
    assert app.store.puzzles.stats(ANA) == PuzzleStats()


async def test_invalid_tries_are_not_stored(app: App) -> None:
    taken = next(c for c in range(9) if c not in daily_puzzle(TODAY).worths)
    for page in (PuzzlePage(TODAY, (taken,)), PuzzlePage(TODAY, (RIGHT, WRONG))):
        puzzle = app.services.puzzles.submit(
            page, user_id=ANA, guild_id=SERVER, interaction_id=1, counted_days=DAYS
        )
        assert await puzzle == Refusal(RefusalReason.UNKNOWN_BUTTON)
    assert await attempt(app) == PuzzleProgress(PuzzlePage(TODAY))


# Sharing


def solve(store: Store, day: date) -> bool:
    solved = Attempt((RIGHT,), RIGHT)
    return store.puzzles.save_attempt(ANA, day, solved, expected_guesses=(), guild_id=SERVER)


@pytest.mark.parametrize("known", [(), (TODAY - 3 * A_DAY,)])
@both_databases
async def test_puzzles_of_two_days_solved_at_once_both_count(
    app: App, known: tuple[date, ...]
) -> None:
    for day in known:
        assert solve(app.store, day)
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: solve(app.other_store, TODAY - A_DAY),
    ):
        assert solve(app.store, TODAY)
    assert app.store.puzzles.stats(ANA).solved == (2 + len(known), 0, 0)
    assert [rank.score for rank in ranking(app, Leaderboard.EVER)] == [3 * (2 + len(known))]


def test_a_forgiven_day_is_stored(app: App) -> None:
    """One in seven is: the second within four days ends the streak."""
    streaks = []
    for days_ago in (4, 2, 0):
        assert solve(app.store, TODAY - days_ago * A_DAY)
        streaks.append(app.store.puzzles.stats(ANA).streak)
    assert streaks == [1, 2, 1]


@both_databases
async def test_a_person_deleted_while_solving_a_puzzle_is_on_no_leaderboard(app: App) -> None:
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: transact(app.other_store, PEOPLE.start, ANA, LATER),
    ):
        assert solve(app.store, TODAY)
    assert app.store.puzzles.attempts(ANA) == []
    assert app.store.puzzles.stats(ANA) == PuzzleStats()
    assert ranking(app, Leaderboard.EVER) == ()


@contextmanager
def meanwhile(app: App, statement: str, happens: Callable[[], object]) -> Iterator[None]:
    """Something happens elsewhere right before a statement, or waits there until that is done."""
    with ThreadPoolExecutor(1) as elsewhere:
        futures = list[Future[object]]()

        def begin() -> None:
            futures.append(elsewhere.submit(happens))
            wait(futures, timeout=0.3)

        app.before_sql(statement, begin)
        yield
        (future,) = futures
        future.result()


@both_databases
async def test_only_a_finished_attempt_can_be_shared_and_as_it_was(app: App) -> None:
    share, said = app.services.puzzles.share, SharePage(TODAY, Grade.EASY, wrong_guesses=0)
    await attempt(app, WRONG)
    assert await share(ANA, said) == Refusal(RefusalReason.UNKNOWN_BUTTON)
    await attempt(app, WRONG, RIGHT)
    assert await share(ANA, said) == replace(said, wrong_guesses=1)
    assert await share(ANA, said) == Refusal(RefusalReason.SHARED_ALREADY)
    assert await share(BEN, said) == said, "an older release kept nothing of it"


@both_databases
async def test_a_share_whose_process_died_before_it_was_posted_can_be_made_again(app: App) -> None:
    share, page = app.services.puzzles.share, SharePage(TODAY, Grade.EASY, wrong_guesses=0)
    await attempt(app, RIGHT)
    assert await share(ANA, page) == page
    app.now += 19 * SECOND
    assert await share(ANA, page) == Refusal(RefusalReason.SHARED_ALREADY), "it may be under way"
    app.now += SECOND
    assert await share(ANA, page) == page
    await app.services.puzzles.record_share(ANA, page, is_shared=True)
    app.now += 20 * SECOND
    assert await share(ANA, page) == Refusal(RefusalReason.SHARED_ALREADY)


async def test_a_share_that_an_older_release_has_claimed_counts_as_posted(app: App) -> None:
    await attempt(app, RIGHT)
    with app.store.engine.connect() as connection:
        connection.execute(update(attempts).values(is_shared=True))
    shared = await app.services.puzzles.share(ANA, SharePage(TODAY, Grade.EASY, wrong_guesses=0))
    assert shared == Refusal(RefusalReason.SHARED_ALREADY)


# Privacy


async def test_attempts_are_exported_and_deleted_with_the_person(app: App) -> None:
    await attempt(app, WRONG, RIGHT)
    told = await app.export(ANA)
    assert told["puzzles"]["solved"] == [0, 1, 0]
    assert [(one["day"], one["tries"]) for one in told["attempts"]] == [("2026-05-01", 2)]
    assert len(told["ranks"]) == 2
    forget_person(app.store, ANA, LATER)
    await app.forget_all()
    with app.store.database.autocommit() as connection:
        for table in metadata.sorted_tables:
            if table.name in ("attempts", "puzzle_tallies", "ranks", "people"):
                assert connection.execute(table.select()).all() == [], table.name


@both_databases
async def test_a_deleted_server_has_no_leaderboards_but_the_attempts_stay(app: App) -> None:
    await attempt(app, RIGHT)
    forget_server(app.store, SERVER, LATER)
    assert ranking(app, Leaderboard.EVER) == ()
    (kept,) = app.store.puzzles.attempts(ANA)
    assert (kept["tried"], kept["guild_id"]) != ("", SERVER)
    assert app.store.puzzles.stats(ANA).streak == 1


@both_databases
async def test_attempts_are_pruned_by_day_and_their_results_stay(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, who=BEN)
    assert app.store.puzzles.prune(TODAY) == 0
    assert app.store.puzzles.prune(TODAY + timedelta(days=1)) == 2
    assert app.store.puzzles.stats(ANA).solved == (1, 0, 0)


# Posts in servers


@pytest.fixture
async def posting_app(app: App) -> App:
    """At noon, when a server wants its puzzle."""
    app.now = NOON
    app.clock.observe(NOON)
    choose_puzzle_channel(app.store, SERVER, PUZZLE_CHANNEL, "pt-BR")
    return app


async def claim(posting_app: App) -> list[PuzzlePost]:
    return await posting_app.services.puzzle_posts.claim()


async def record_posted(posting_app: App, message_id: int | None = 500) -> None:
    (post,) = await claim(posting_app)
    await posting_app.services.puzzle_posts.record_posted(post, message_id)


@both_databases
async def test_a_post_is_due_once_a_day_at_its_hour(posting_app: App) -> None:
    posting_app.now = NOON - SECOND
    assert await claim(posting_app) == []
    posting_app.now = NOON
    assert await claim(posting_app) == [POST]
    await posting_app.services.puzzle_posts.record_posted(POST, 500)
    for hours in range(12):
        posting_app.now = NOON + hours * HOUR
        assert await claim(posting_app) == []
    posting_app.now = NOON + A_DAY
    assert await claim(posting_app) == [replace(POST, day=TODAY + A_DAY)]


@both_databases
async def test_only_one_of_two_processes_posts(posting_app: App) -> None:
    assert await claim(posting_app) == [POST]
    assert posting_app.other_store.puzzle_posts.claim(posting_app.now) == []
    posting_app.now += A_DAY
    posting_app.before_sql(
        "UPDATE puzzle_posts",
        lambda: posting_app.other_store.puzzle_posts.claim(posting_app.now + SECOND),
    )
    assert await claim(posting_app) == []


async def test_a_post_that_a_process_left_unfinished_is_made_by_another_while_that_is_safe(
    posting_app: App,
) -> None:
    """Discord drops a second message with the same nonce, but not for ever."""
    assert await claim(posting_app) == [POST]
    assert POST.nonce == replace(POST, yesterday=(PuzzleResult(1, 1, 1),)).nonce
    assert len(replace(POST, place=Place(1, 2**63 - 1, "")).nonce) <= 25
    posting_app.now += 19 * SECOND
    assert await claim(posting_app) == []
    for _ in range(2):
        posting_app.now += 20 * SECOND
        assert await claim(posting_app) == [POST]
    posting_app.now += 20 * SECOND
    assert await claim(posting_app) == [], "three times is enough"


async def test_after_three_failures_posting_stops_until_a_channel_is_chosen_again(
    posting_app: App,
) -> None:
    for _ in range(MAX_FAILED_POSTS):
        await record_posted(posting_app, None)
        assert await claim(posting_app) == [], "that day it is not tried again"
        posting_app.now += A_DAY
    assert await claim(posting_app) == []
    choose_puzzle_channel(posting_app.store, SERVER, 78, "en")
    assert [post.place.channel_id for post in await claim(posting_app)] == [78]


async def test_servers_that_have_no_channel_or_are_deleted_get_no_post(
    posting_app: App,
) -> None:
    save_settings(posting_app.store, SERVER + 1, puzzle_hour=3)
    forget_server(posting_app.store, SERVER, 10_000)
    assert await claim(posting_app) == []


async def test_a_post_is_in_the_server_s_language(posting_app: App) -> None:
    save_settings(posting_app.store, SERVER, language="en")
    assert [post.place.locale for post in await claim(posting_app)] == ["en"]


async def test_a_post_is_in_discord_s_language_where_the_chosen_one_has_gone(
    posting_app: App,
) -> None:
    choose_puzzle_channel(posting_app.store, SERVER, 78, "pt-BR")
    save_settings(posting_app.store, SERVER, language="tlh")
    assert [post.place.locale for post in await claim(posting_app)] == ["pt-BR"]


@both_databases
async def test_yesterday_s_results_are_of_attempts_made_there_by_people_who_do_not_hide(
    posting_app: App,
) -> None:
    yesterday = date(2026, 4, 30)
    puzzle = daily_puzzle(yesterday)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    for who, tried, guild_id in (
        (ANA, (*wrong[:1], puzzle.solution), SERVER),
        (BEN, (puzzle.solution,), SERVER),
        (RUI, tuple(wrong[:3]), SERVER),
        (4, tuple(wrong[:2]), SERVER),
        (5, (puzzle.solution,), SERVER + 1),
        (6, (puzzle.solution,), SERVER),
    ):
        page = PuzzlePage(yesterday, tried)
        await posting_app.services.puzzles.record_guesses(
            page, puzzle.solution, user_id=who, guild_id=guild_id
        )
    save_choices(posting_app.store, 6, is_hidden=True)
    (post,) = await claim(posting_app)
    assert post.yesterday == (
        PuzzleResult(BEN, 1, 1),
        PuzzleResult(ANA, 2, 1),
        PuzzleResult(RUI, None, 0),
    )
