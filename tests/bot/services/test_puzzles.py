"""The daily puzzle: one attempt a person and day, wherever it is made, and what it comes to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from sqlalchemy import URL

from bot.domain.matches import MatchResult, Place, Player
from bot.domain.privacy import DataExport
from bot.domain.puzzles import (
    Attempt,
    DailyPuzzle,
    PuzzlePage,
    PuzzleProgress,
    PuzzleStats,
    SharePage,
)
from bot.domain.refusals import Refusal, Refused
from bot.domain.settings import Setting
from bot.domain.stats import Leaderboard, Standing, Standings, ladder_score
from bot.store.schema import metadata
from bot.store.stats import LEADERBOARD_SIZE
from bot.store.store import Store
from engine import Cell, Grade, Level, daily_puzzle
from tests.bot.backend import Room
from tests.bot.drawn import ANA, BEN, RUI, SERVER, VELHA, drawn

TODAY = date(2026, 5, 1)
DAYS = {TODAY}
A_DAY = timedelta(days=1)
RIGHT = daily_puzzle(TODAY).solution
WRONG, WORSE, WORST = [cell for cell in daily_puzzle(TODAY).worths if cell != RIGHT][:3]
LATER = 10_000


async def attempt(
    room: Room, *tried: Cell, who: int = ANA, guild_id: int | None = SERVER
) -> PuzzleProgress:
    record = room.services.puzzles.record_tries
    return await record(who, guild_id, PuzzlePage(TODAY, tried), RIGHT)


async def ranking(room: Room, chart: Leaderboard, asker_id: int = RUI) -> tuple[Standing, ...]:
    ranked = await room.services.stats.ranking(SERVER, chart, asker_id, TODAY)
    assert isinstance(ranked, Standings)
    return ranked.ranks


# One attempt


async def test_an_attempt_goes_on_where_it_stood_in_any_server_and_process(
    room: Room, url: URL
) -> None:
    assert await attempt(room) == PuzzleProgress(PuzzlePage(TODAY))
    assert await attempt(room, WRONG) == PuzzleProgress(PuzzlePage(TODAY, (WRONG,)))
    again = Room(url)
    assert await attempt(again, guild_id=99) == PuzzleProgress(PuzzlePage(TODAY, (WRONG,)))
    over = PuzzlePage(TODAY, (WRONG, RIGHT))
    tally = PuzzleStats((0, 1, 0), streak=1, best=1, last_day=TODAY)
    assert await attempt(again, WRONG, RIGHT, guild_id=99) == PuzzleProgress(over, tally)
    await again.close()
    for old_page in ((), (WRONG,), (WORSE,), (WRONG, WORSE), (RIGHT,)):
        assert await attempt(room, *old_page) == PuzzleProgress(over, tally), "it is over"
    assert await attempt(room, who=BEN) == PuzzleProgress(PuzzlePage(TODAY))


async def test_an_old_page_of_an_open_attempt_shows_how_it_stands(room: Room) -> None:
    await attempt(room, WRONG)
    assert await attempt(room, WORSE) == PuzzleProgress(PuzzlePage(TODAY, (WRONG,)))


async def test_after_three_tries_it_is_missed(room: Room) -> None:
    for tried in ((WRONG,), (WRONG, WORSE), (WRONG, WORSE, WORST)):
        stands = await attempt(room, *tried)
    assert stands.stats == PuzzleStats(missed=1)


async def test_of_two_tries_at_once_one_counts_and_the_other_sees_it(room: Room, url: URL) -> None:
    if url.get_backend_name() == "sqlite":
        pytest.skip("it has one writer at a time, and the others wait")
    for before, faster in (((), (WORSE,)), ((WORSE,), (WORSE, WORST))):
        room.before_next(
            "UPDATE attempts" if before else "INSERT INTO attempts",
            partial(
                room.rival.puzzles.save_attempt,
                *(ANA, TODAY, Attempt(faster, RIGHT)),
                tried_before=before,
                guild_id=None,
            ),
        )
        assert await attempt(room, *before, WRONG) == PuzzleProgress(PuzzlePage(TODAY, faster))


async def test_other_days_and_practice_leave_no_trace(room: Room) -> None:
    puzzles = room.services.puzzles
    for page in (PuzzlePage(TODAY, (RIGHT,), is_practice=True), PuzzlePage(date(2026, 4, 1))):
        puzzle = await puzzles.puzzle(ANA, 1, page, guild_id=SERVER, counted_days=DAYS)
        assert isinstance(puzzle, DailyPuzzle)
        assert puzzle.page == replace(page, is_practice=True)
    assert await attempt(room) == PuzzleProgress(PuzzlePage(TODAY))
    assert room.store.puzzles.stats(ANA) == PuzzleStats()


async def test_what_cannot_be_tried_is_kept_nowhere(room: Room) -> None:
    taken = next(c for c in range(9) if c not in daily_puzzle(TODAY).worths)
    for page in (PuzzlePage(TODAY, (taken,)), PuzzlePage(TODAY, (RIGHT, WRONG))):
        puzzle = room.services.puzzles.puzzle(ANA, 1, page, guild_id=SERVER, counted_days=DAYS)
        assert await puzzle == Refused(Refusal.UNKNOWN_BUTTON)
    assert await attempt(room) == PuzzleProgress(PuzzlePage(TODAY))


# Sharing


def solve(store: Store, day: date) -> bool:
    solved = Attempt((RIGHT,), RIGHT)
    return store.puzzles.save_attempt(ANA, day, solved, tried_before=(), guild_id=SERVER)


@pytest.mark.parametrize("known", [(), (TODAY - 3 * A_DAY,)])
async def test_puzzles_of_two_days_that_are_solved_at_the_same_moment_both_count(
    room: Room, known: tuple[date, ...]
) -> None:
    for day in known:
        assert solve(room.store, day)
    with meanwhile(
        room,
        "INSERT INTO puzzle_tallies",
        lambda: solve(room.rival, TODAY - A_DAY),
    ):
        assert solve(room.store, TODAY)
    assert room.store.puzzles.stats(ANA).solved == (2 + len(known), 0, 0)
    assert [rank.score for rank in await ranking(room, Leaderboard.EVER)] == [3 * (2 + len(known))]


def test_a_day_that_was_forgiven_is_remembered(room: Room) -> None:
    """One in seven is: the second within four days ends the streak."""
    streaks = []
    for days_ago in (4, 2, 0):
        assert solve(room.store, TODAY - days_ago * A_DAY)
        streaks.append(room.store.puzzles.stats(ANA).streak)
    assert streaks == [1, 2, 1]


async def test_whoever_is_forgotten_while_they_solve_a_puzzle_is_in_no_ranking(room: Room) -> None:
    with meanwhile(
        room,
        "INSERT INTO puzzle_tallies",
        lambda: room.rival.privacy.start_forgetting_user(ANA, LATER),
    ):
        assert solve(room.store, TODAY)
    assert room.store.puzzles.attempts(ANA) == []
    assert room.store.puzzles.stats(ANA) == PuzzleStats()
    assert await ranking(room, Leaderboard.EVER) == ()


@contextmanager
def meanwhile(room: Room, statement: str, happens: Callable[[], object]) -> Iterator[None]:
    """Something happens elsewhere right before a statement, or waits there until that is done."""
    with ThreadPoolExecutor(1) as elsewhere:
        futures = list[Future[object]]()

        def begin() -> None:
            futures.append(elsewhere.submit(happens))
            wait(futures, timeout=0.3)

        room.before_next(statement, begin)
        yield
        (future,) = futures
        future.result()


async def test_an_attempt_is_shared_once_it_is_over_and_as_it_was(room: Room) -> None:
    share, said = room.services.puzzles.share, SharePage(TODAY, Grade.EASY, misses=0)
    await attempt(room, WRONG)
    assert await share(ANA, said) == Refused(Refusal.UNKNOWN_BUTTON)
    await attempt(room, WRONG, RIGHT)
    assert await share(ANA, said) == replace(said, misses=1)
    assert await share(ANA, said) == Refused(Refusal.SHARED_ALREADY)
    assert await share(BEN, said) == said, "an older release kept nothing of it"


# Rankings


async def test_points_are_a_server_s_by_month_and_for_good(room: Room) -> None:
    await attempt(room, WRONG, RIGHT)
    await attempt(room, RIGHT, who=BEN)
    await attempt(room, WRONG, WORSE, WORST, who=RUI)
    await attempt(room, RIGHT, who=RUI + 1, guild_id=None)
    await attempt(room, RIGHT, who=RUI + 2, guild_id=SERVER + 1)
    points = (Standing(1, BEN, 3), Standing(2, ANA, 2))
    assert await ranking(room, Leaderboard.MONTH) == await ranking(room, Leaderboard.EVER) == points
    in_june = partial(room.services.stats.ranking, SERVER, asker_id=ANA, today=date(2026, 6, 1))
    assert await in_june(Leaderboard.MONTH) == Standings(Leaderboard.MONTH, (), ANA)
    assert await in_june(Leaderboard.EVER) == Standings(Leaderboard.EVER, points, ANA)


async def test_the_best_ten_are_shown_and_whoever_asks(room: Room) -> None:
    for who in range(1, LEADERBOARD_SIZE + 3):
        await attempt(room, RIGHT, who=who)
    await attempt(room, WRONG, RIGHT, who=50)
    equal = [Standing(1, who, 3) for who in range(1, LEADERBOARD_SIZE + 1)]
    assert list(await ranking(room, Leaderboard.EVER, asker_id=1)) == equal
    assert list(await ranking(room, Leaderboard.EVER, asker_id=50)) == [
        *equal,
        Standing(LEADERBOARD_SIZE + 3, 50, 2),
    ]
    assert list(await ranking(room, Leaderboard.EVER, asker_id=51)) == equal


async def test_whoever_hides_is_in_no_chart(room: Room) -> None:
    await attempt(room, RIGHT)
    await attempt(room, WRONG, RIGHT, who=BEN)
    await room.services.privacy.choose(ANA, {"is_hidden": True})
    for asks in (ANA, BEN):
        assert await ranking(room, Leaderboard.EVER, asks) == (Standing(1, BEN, 2),)


async def test_the_ladder_is_climbed_by_matches_in_the_server(room: Room) -> None:
    won, over = "xxx oo. ...", "xox xoo oxx"
    for number, (board, level, guild_id) in enumerate(
        [
            (won, Level.EASY, SERVER),
            (over, Level.PERFECT, SERVER),
            (won, Level.HARD, SERVER),
            (won, Level.EXPERT, None),
            (over, Level.IMPOSSIBLE, SERVER + 1),
        ]
    ):
        place = Place(1_000 + number, guild_id, "pt-BR")
        room.put(drawn(board, id=number + 1, place=place, o=Player(VELHA, level)))
    await room.count()
    height = ladder_score(Level.PERFECT, MatchResult.DRAWN)
    assert await ranking(room, Leaderboard.LADDER) == (Standing(1, ANA, height),)


async def test_a_server_may_do_without_a_ranking(room: Room) -> None:
    await room.services.settings.choose(SERVER, Setting.RANKING, ["False"])
    refused = await room.services.stats.ranking(SERVER, Leaderboard.EVER, ANA, TODAY)
    assert refused == Refused(Refusal.NO_RANKING_HERE)


# Privacy


async def test_all_of_it_can_be_downloaded_and_goes_with_the_person(room: Room) -> None:
    await attempt(room, WRONG, RIGHT)
    download = await room.services.privacy.download(ANA)
    assert isinstance(download, DataExport)
    told = json.loads(download.content)
    assert told["puzzles"]["solved"] == [0, 1, 0]
    assert [(one["day"], one["tries"]) for one in told["attempts"]] == [("2026-05-01", 2)]
    assert len(told["ranks"]) == 2
    await room.services.privacy.forget_user(ANA, LATER)
    await room.forget()
    with room.store._database.autocommit() as connection:
        for table in metadata.sorted_tables:
            if table.name in ("attempts", "puzzle_tallies", "ranks", "people"):
                assert connection.execute(table.select()).all() == [], table.name


async def test_a_server_that_is_forgotten_has_no_charts_and_the_attempts_stay(room: Room) -> None:
    await attempt(room, RIGHT)
    await room.services.privacy.forget_guild(SERVER, LATER)
    assert await ranking(room, Leaderboard.EVER) == ()
    (kept,) = room.store.puzzles.attempts(ANA)
    assert (kept["tried"], kept["guild_id"]) != ("", SERVER)
    assert room.store.puzzles.stats(ANA).streak == 1


async def test_attempts_are_pruned_a_day_at_a_time_and_what_they_came_to_stays(room: Room) -> None:
    await attempt(room, RIGHT)
    await attempt(room, WRONG, who=BEN)
    assert room.store.puzzles.prune(TODAY) == 0
    assert room.store.puzzles.prune(TODAY + timedelta(days=1)) == 2
    assert room.store.puzzles.stats(ANA).solved == (1, 0, 0)
