"""The daily puzzle: attempts, past days, and sharing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

import pytest
from discord import ButtonStyle
from sqlalchemy import URL

from bot.domain.puzzles import (
    Attempt,
    PracticePage,
    PuzzlePage,
    PuzzleStats,
    SharePage,
    warm_up_day,
)
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Leaderboard, Standing
from bot.features import puzzles
from bot.features.puzzles import AttemptKey
from bot.features.ranking import load_standings
from bot.store.schema import metadata
from bot.store.store import Store
from engine import Cell, Grade, daily_puzzle
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import (
    both_databases,
    call,
    forget_person,
    forget_server,
    on_postgresql,
    save_attempt,
    save_choices,
)
from tests.bot.example_matches import ANA, BEN, NOON, RUI, SERVER
from tests.bot.features.test_forgetting import rows_of_guild
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SimulatedGuild, private_text
from tests.bot.views.examples import buttons, targets, text_of

TODAY = NOON.date()
A_DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
RIGHT = daily_puzzle(TODAY).solution
WRONG, WORSE, WORST = [cell for cell in daily_puzzle(TODAY).worths if cell != RIGHT][:3]
LATER = 10_000


async def press(app: App, page: PuzzlePage, who: int = ANA, **where: Any) -> str:
    """Press a button that leads to a page; the text that is shown."""
    pressed = context(app.backend.runtime, user_id=who, **where)
    return text_of(await puzzles.show(pressed, page))


async def attempt(
    app: App, *tries: Cell, who: int = ANA, guild_id: int | None = SERVER
) -> tuple[Cell, ...]:
    """Try on a page of today's puzzle; all tries that are stored then."""
    await press(app, PuzzlePage(TODAY, tries), who, guild_id=guild_id)
    return call(app.store, puzzles.load_tries, AttemptKey(who, TODAY))


def solve_on(day: date, store: Store) -> bool:
    return save_attempt(store, AttemptKey(ANA, day), Attempt((RIGHT,), RIGHT), SERVER)


def stats(app: App, who: int = ANA) -> PuzzleStats:
    return call(app.store, puzzles.load_stats, who)


def standings(
    app: App, chart: Leaderboard, asker_id: int = RUI, today: date = TODAY
) -> tuple[Standing, ...]:
    found = call(app.store, load_standings, SERVER, chart, asker_id=asker_id, today=today)
    return found.lines


# What is stored of attempts


@both_databases
async def test_an_attempt_goes_on_in_any_server_and_process(app: App, url: URL) -> None:
    assert await attempt(app) == ()
    assert await attempt(app, WRONG) == (WRONG,)
    again = App(url)
    assert await attempt(again, guild_id=99) == (WRONG,)
    assert await attempt(again, WRONG, RIGHT, guild_id=99) == (WRONG, RIGHT)
    await again.close()
    for old_page in ((), (WRONG,), (WORSE,), (WRONG, WORSE), (RIGHT,)):
        assert await attempt(app, *old_page) == (WRONG, RIGHT), "it is over"
    assert stats(app) == PuzzleStats((0, 1, 0), streak=1, best=1, last_day=TODAY)
    assert await attempt(app, who=BEN) == ()


async def test_an_old_page_shows_the_attempt_as_it_stands(app: App) -> None:
    page = PuzzlePage(TODAY, (WRONG,))
    told = await press(app, page)
    assert "2 tries left" in told
    assert await press(app, replace(page, tries=(WORSE,))) == told
    solved = await press(app, replace(page, tries=(WRONG, RIGHT)))
    heading, grade, streak, result, *_ = solved.splitlines()
    assert (heading, streak) == ("## Got it in two!", "🔥 streak: 1 day")
    assert (grade[:4], result[:4]) == ("-# ★", "🎯 **")
    view = await puzzles.show(context(app.backend.runtime), PuzzlePage(TODAY, (), picked=WORSE))
    assert text_of(view) == solved
    assert PuzzlePage(TODAY, (WRONG, RIGHT), 1) in targets(buttons(view))


async def test_a_cell_that_was_picked_on_the_posted_board_is_not_tried_yet(app: App) -> None:
    name = daily_puzzle(TODAY).board.rules.coordinate
    await attempt(app, WRONG)
    told = await press(app, PuzzlePage(TODAY, picked=WORSE))
    assert f"**{name(WORSE)}**? Press it again to lock it in." in told
    assert "2 tries left." in told
    later = await press(app, PuzzlePage(TODAY, picked=WORSE), at=NOON + 2 * A_DAY)
    assert f"**{name(WORSE)}**? Press it again to lock it in." in later
    assert "it doesn't count" in later


async def test_after_three_wrong_tries_a_puzzle_is_missed(app: App) -> None:
    for tries in ((WRONG,), (WRONG, WORSE), (WRONG, WORSE, WORST)):
        await attempt(app, *tries)
    assert stats(app) == PuzzleStats(missed=1, missed_day=TODAY)


@on_postgresql
async def test_the_first_of_two_concurrent_tries_counts_and_the_second_sees_it(app: App) -> None:
    for before, faster in (((), (WORSE,)), ((WORSE,), (WORSE, WORST))):
        app.before_sql(
            "UPDATE attempts" if before else "INSERT INTO attempts",
            partial(
                save_attempt,
                app.other_store,
                AttemptKey(ANA, TODAY),
                Attempt(faster, RIGHT),
                expected_tries=before,
            ),
        )
        told = await press(app, PuzzlePage(TODAY, (*before, WRONG)))
        assert told == await press(app, PuzzlePage(TODAY))
        assert call(app.store, puzzles.load_tries, AttemptKey(ANA, TODAY)) == faster


MIDNIGHT = datetime.combine(TODAY + A_DAY, time(), UTC)


def after_midnight(app: App, page: PuzzlePage, sent_at: datetime = NOON) -> Awaitable[str]:
    """Press a button on a page that was sent the day before."""
    return press(app, page, at=MIDNIGHT, page_sent_at=sent_at)


async def test_an_attempt_goes_on_after_midnight_on_the_page_where_it_began(app: App) -> None:
    await attempt(app, WRONG)
    told = await after_midnight(app, PuzzlePage(TODAY, (WRONG, RIGHT)))
    assert told.startswith("## Got it in two!")
    assert stats(app).solved == (0, 1, 0)


async def test_a_page_on_which_nothing_was_tried_is_practice_after_midnight(app: App) -> None:
    assert "it doesn't count" in await after_midnight(app, PuzzlePage(TODAY, (RIGHT,)))
    assert stats(app) == PuzzleStats()


@pytest.mark.parametrize("page", [PuzzlePage(TODAY), PracticePage(TODAY)])
async def test_an_attempt_ends_when_its_puzzle_is_opened_anew_after_midnight(
    app: App, page: PuzzlePage
) -> None:
    await attempt(app, WRONG)
    begun = PuzzlePage(TODAY, (WRONG, RIGHT))
    assert "it doesn't count" in await after_midnight(app, page, sent_at=MIDNIGHT)
    assert "it doesn't count" in await after_midnight(app, begun)
    assert stats(app) == PuzzleStats()


async def test_an_attempt_ends_when_its_puzzle_is_opened_after_midnight_from_a_post(
    app: App,
) -> None:
    await attempt(app, WRONG)
    post = PuzzlePage(TODAY)
    told = await press(app, post, at=MIDNIGHT, page_sent_at=NOON, is_page_private=False)
    assert "it doesn't count" in told


async def test_other_days_and_practice_leave_no_trace(app: App) -> None:
    for page in (PracticePage(TODAY, (RIGHT,)), PuzzlePage(date(2026, 4, 1))):
        assert "it doesn't count" in await press(app, page)
    assert await attempt(app) == ()
    assert stats(app) == PuzzleStats()


async def test_what_no_button_leads_to_is_refused_and_not_stored(app: App) -> None:
    puzzle = daily_puzzle(TODAY)
    taken = next(cell for cell in range(9) if cell not in puzzle.worths)
    for page in (
        *(PuzzlePage(TODAY + days * A_DAY) for days in (1, 2, 1000)),
        PuzzlePage(TODAY, (taken,)),
        PuzzlePage(TODAY, (RIGHT, WRONG)),
        PuzzlePage(TODAY, (), 1),
        PuzzlePage(TODAY, (WRONG,), 1),
        PuzzlePage(TODAY, (RIGHT,), len(puzzle.line) + 1),
    ):
        with pytest.raises(Refused) as refused:
            await press(app, page)
        assert refusal_of(refused.value) == Refusal(RefusalReason.UNKNOWN_BUTTON)
    assert await attempt(app) == ()


@pytest.mark.parametrize("known", [(), (TODAY - 3 * A_DAY,)])
@both_databases
async def test_puzzles_of_two_days_solved_at_once_both_count(
    app: App, known: tuple[date, ...]
) -> None:
    for day in known:
        assert solve_on(day, app.store)
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: solve_on(TODAY - A_DAY, app.other_store),
    ):
        assert solve_on(TODAY, app.store)
    assert stats(app).solved == (2 + len(known), 0, 0)
    assert [rank.score for rank in standings(app, Leaderboard.EVER)] == [3 * (2 + len(known))]


async def test_a_forgiven_day_is_stored(app: App) -> None:
    """One in seven is: the second within four days ends the streak."""
    streaks = []
    for days_ago in (4, 2, 0):
        assert solve_on(TODAY - days_ago * A_DAY, app.store)
        streaks.append(stats(app).streak)
    assert streaks == [1, 2, 1]


@both_databases
async def test_a_person_deleted_while_solving_a_puzzle_is_on_no_leaderboard(app: App) -> None:
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: forget_person(app.other_store, ANA, LATER),
    ):
        assert solve_on(TODAY, app.store)
    assert call(app.store, puzzles.load_attempts, ANA) == []
    assert stats(app) == PuzzleStats()
    assert standings(app, Leaderboard.EVER) == ()


@both_databases
async def test_a_server_deleted_while_a_puzzle_is_solved_in_it_has_no_leaderboards(
    app: App,
) -> None:
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: forget_server(app.other_store, SERVER, LATER),
    ):
        assert solve_on(TODAY, app.store)
    await app.forget_all()
    assert rows_of_guild(app, SERVER) == 0


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


# How many have solved it


def others_solve(app: App, *user_ids: int, guild_id: int = SERVER) -> None:
    for user_id in user_ids:
        save_attempt(app.store, AttemptKey(user_id, TODAY), Attempt((RIGHT,), RIGHT), guild_id)


async def solved_by_ana(app: App, guild_id: int | None = SERVER) -> str:
    return await press(app, PuzzlePage(TODAY, (RIGHT,)), guild_id=guild_id)


async def test_from_three_people_on_it_says_how_many_here_have_solved_it(app: App) -> None:
    others_solve(app, BEN, RUI)
    said = await solved_by_ana(app)
    assert "\n3 people here have solved it.\n" in said
    assert "people here" not in await solved_by_ana(app), "it is told when the attempt ends"


async def test_fewer_people_are_not_told_nor_those_elsewhere_or_hidden(app: App) -> None:
    others_solve(app, BEN, RUI)
    others_solve(app, 40, guild_id=SERVER + 1)
    save_choices(app.store, RUI, is_hidden=True)
    assert "people here" not in await solved_by_ana(app)


async def test_nobody_is_counted_outside_of_servers(app: App) -> None:
    others_solve(app, BEN, RUI)
    assert "people here" not in await solved_by_ana(app, guild_id=None)


# Past puzzles

ADVENT = datetime(2026, 12, 10, 12, tzinfo=UTC)


async def asked_for(app: App, day: str) -> str:
    """What somebody is shown who types a day in Advent."""
    return text_of(await puzzles.show_day(context(app.backend.runtime, at=ADVENT), day))


@pytest.mark.parametrize(
    ("day", "heading"),
    [
        (" 2026-12-01", "## Puzzle: 1 December 2026\n-# Just for practice, so "),
        ("2026-12-10", "## Puzzle: 10 December 2026\n-# ★"),
    ],
)
async def test_a_day_is_typed_as_an_iso_date(app: App, day: str, heading: str) -> None:
    assert (await asked_for(app, day)).startswith(heading)


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        ("2026-12-11", RefusalReason.PUZZLE_TO_COME),
        ("2026-11-20", RefusalReason.NO_PUZZLE_YET),
        ("yesterday", RefusalReason.UNKNOWN_OPTION),
        ("1/12/2026", RefusalReason.UNKNOWN_OPTION),
    ],
)
async def test_days_without_a_puzzle_are_refused(app: App, day: str, reason: RefusalReason) -> None:
    with pytest.raises(Refused) as refused:
        await asked_for(app, day)
    assert refused.value.reason is reason


async def offered(app: App, typed: str = "", locale: str = "en-US", who: int = ANA) -> list[str]:
    """What is offered to somebody who types a day in Advent."""
    runtime = app.backend.runtime
    asked = context(runtime, user_id=who, at=ADVENT, locales=(locale, locale))
    return [choice.name for choice in await puzzles.suggest_days(runtime, asked.interaction, typed)]


async def test_the_last_two_weeks_are_offered_with_what_is_solved(app: App) -> None:
    assert solve_on(date(2026, 12, 9), app.store)
    days = await offered(app)
    assert days[:2] == ["9 December 2026 · solved", "8 December 2026"]
    assert (days[-1], len(days)) == ("26 November 2026", 14)
    assert "9 December 2026" in await offered(app, who=BEN)
    assert await offered(app, "28 DE nov", "pt-BR") == ["28 de novembro de 2026"]
    assert await offered(app, " 2026-11-22 ") == ["22 November 2026"]
    for typed in ("22/11/2026", "2026-12-10", "2026-12-11", "2026-11-20", "0001-01-01", "tomorrow"):
        assert await offered(app, typed) == []


@pytest.mark.logs_errors
@pytest.mark.parametrize("starts_at", [ADVENT])
async def test_a_day_can_be_chosen_while_the_database_is_away(guild: SimulatedGuild) -> None:
    guild.break_database("attempts")
    days = await guild.ben.autocomplete(guild.channel, "velha puzzle", "day", "")
    assert len(days) == 14
    await guild.ben.slash(guild.channel, "velha puzzle", day=days[1]["value"])
    assert guild.page().text.startswith("## Puzzle: 8 December 2026\n-# Just for practice, so ")


@pytest.mark.parametrize("starts_at", [datetime(2026, 11, 27, 12, tzinfo=UTC)])
async def test_who_has_never_solved_one_warms_up_with_an_easy_one(guild: SimulatedGuild) -> None:
    today = guild.env.now().date()
    await guild.ben.slash(guild.channel, "velha puzzle")
    assert guild.page().text.startswith("## A warm-up\n-# Just for practice, so it doesn't count.")
    easy_day = warm_up_day(today)
    assert easy_day is not None
    await guild.press(guild.ben, solution_of(easy_day), guild.page())
    assert call(guild.bots[-1].store, puzzles.load_stats, guild.ben.id).is_new
    await guild.press(guild.ben, "Show me how", guild.page())
    await guild.press(guild.ben, "Today's puzzle", guild.page())
    assert "## Puzzle: 27 November 2026" in guild.page().text
    await guild.press(guild.ben, solution_of(today), guild.page())
    await guild.press(guild.ben, "Show me how", guild.page())
    await guild.press(guild.ben, "Practice", guild.page())
    assert "27 November" not in guild.page().text
    await guild.ben.slash(guild.channel, "velha puzzle")
    assert "## A warm-up" not in guild.page().text


async def test_who_has_solved_one_gets_the_puzzle_itself(app: App) -> None:
    at = datetime(2026, 11, 27, 12, tzinfo=UTC)
    asked = context(app.backend.runtime, at=at)
    assert text_of(await puzzles.show_day(asked)).startswith("## A warm-up")
    solve_on(at.date() - A_DAY, app.store)
    assert text_of(await puzzles.show_day(asked)).startswith("## Puzzle: 27 November 2026")


def solution_of(day: date) -> str:
    puzzle = daily_puzzle(day)
    return puzzle.board.rules.coordinate(puzzle.solution)


# Sharing


async def test_a_puzzle_is_shared_once_by_one_request_that_pings_nobody(
    guild: SimulatedGuild,
) -> None:
    today = guild.env.now().date()
    await guild.ben.slash(guild.channel, "velha puzzle", day=str(today))
    await guild.press(guild.ben, solution_of(today), guild.page())
    solved, before = guild.page(), len(guild.env.http_requests)
    pressed = [await guild.press(guild.ben, "Share", solved) for _ in range(6)]
    assert [seen.text.splitlines()[0] for seen in guild.messages()] == [guild.ben.mention]
    request = guild.env.http_requests[before]
    assert (request.json or {})["data"]["allowed_mentions"] == {"parse": [], "users": []}
    assert len(guild.env.http_requests) == before + 6
    assert private_text(pressed[5]).startswith("That was a lot at once")


SAID = SharePage(TODAY, Grade.EASY, wrong_tries=0)


def claim_share(app: App, who: int = ANA) -> SharePage | RefusalReason:
    try:
        return call(app.store, puzzles.claim_share, who, SAID, RIGHT, app.now)
    except Refused as refused:
        return refused.reason


@both_databases
async def test_only_a_finished_attempt_can_be_shared_and_as_it_was(app: App) -> None:
    await attempt(app, WRONG)
    assert claim_share(app) is RefusalReason.UNKNOWN_BUTTON
    await attempt(app, WRONG, RIGHT)
    assert claim_share(app) == replace(SAID, wrong_tries=1)
    assert claim_share(app) is RefusalReason.SHARED_ALREADY
    assert claim_share(app, BEN) == SAID, "nothing is kept of it any more"


@both_databases
async def test_a_puzzle_is_to_be_shared_until_it_is(app: App) -> None:
    async def main_actions() -> list[str | None]:
        view = await puzzles.show(context(app.backend.runtime), PuzzlePage(TODAY, (RIGHT,)))
        return [one.label for one in buttons(view) if one.style is ButtonStyle.primary]

    assert await main_actions() == ["Share"]
    assert claim_share(app) == SAID
    assert await main_actions() == ["Show me how"]
    call(app.store, puzzles.record_share, AttemptKey(ANA, TODAY), is_shared=False)
    assert await main_actions() == ["Share"], "it was not posted"


@both_databases
async def test_a_share_whose_process_died_before_it_was_posted_can_be_made_again(app: App) -> None:
    await attempt(app, RIGHT)
    assert claim_share(app) == SAID
    app.now += 19 * SECOND
    assert claim_share(app) is RefusalReason.SHARED_ALREADY, "it may be under way"
    app.now += SECOND
    assert claim_share(app) == SAID
    call(app.store, puzzles.record_share, AttemptKey(ANA, TODAY), is_shared=True)
    app.now += 20 * SECOND
    assert claim_share(app) is RefusalReason.SHARED_ALREADY


# Privacy


async def test_attempts_are_exported_and_deleted_with_the_person(app: App) -> None:
    await attempt(app, WRONG)
    await attempt(app, WRONG, RIGHT)
    told = await app.export(ANA)
    assert told["puzzles"]["solved"] == [0, 1, 0]
    assert [(one["day"], one["tries_needed"]) for one in told["attempts"]] == [("2026-05-01", 2)]
    assert len(told["ranks"]) == 2
    forget_person(app.store, ANA, LATER)
    await app.forget_all()
    with app.store.database.connection() as connection:
        for table in metadata.sorted_tables:
            if table.name in ("attempts", "puzzle_tallies", "ranks", "people"):
                assert connection.execute(table.select()).all() == [], table.name


@both_databases
async def test_a_deleted_server_has_no_leaderboards_but_the_attempts_stay(app: App) -> None:
    await attempt(app, RIGHT)
    forget_server(app.store, SERVER, LATER)
    assert standings(app, Leaderboard.EVER) == ()
    (kept,) = call(app.store, puzzles.load_attempts, ANA)
    assert (kept["tries"], kept["guild_id"]) != ("", SERVER)
    assert stats(app).streak == 1


@both_databases
async def test_attempts_are_pruned_by_day_and_their_results_stay(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, who=BEN)
    assert call(app.store, puzzles.prune, TODAY) == 0
    assert call(app.store, puzzles.prune, TODAY + A_DAY) == 2
    assert stats(app).solved == (1, 0, 0)
