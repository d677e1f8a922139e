"""How many statements each service takes, and that each of them uses an index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import URL, event

from bot.domain.analysis import ReviewPage, ReviewView
from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import Match, MatchOpened, Place, Player, PrivateMatch
from bot.domain.mistakes import MistakePage
from bot.domain.moments import MomentPage, MomentTry
from bot.domain.private import PrivateAction, PrivatePage
from bot.domain.puzzles import PracticePage, PuzzlePage, past_days
from bot.domain.refusals import Refused
from bot.domain.stats import Leaderboard
from bot.features import (
    counting,
    forgetting,
    mistakes,
    moments,
    posts,
    privacy,
    private,
    puzzles,
    reminders,
    settings,
    stats,
)
from bot.features.analysis import show_hint_in_match, show_review
from bot.features.ranking import load_standings
from bot.store.matches import add, count_hint, last_played
from bot.store.store import Store
from engine import Board, Level, Mark, Record, Rules, daily_puzzle
from tests.bot.backend import Backend, match_opened, match_request
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, forget_person, plan_of, save_choices
from tests.bot.example_matches import NOON, make_bot_match, make_match, moves_to
from tests.bot.refusals import Refusal
from tests.bot.runtime.test_clock import clock_at

ANA, BEN, CHANNEL = 11, 12, 10
SOON = NOON + timedelta(minutes=1)
_NOT_SEARCHING = ("BEGIN", "COMMIT", "INSERT")


class Counted:
    """The services, and the statements that their store sent."""

    def __init__(self, url: URL) -> None:
        self.store = Store.at(url)
        self.statements: list[tuple[str, Any]] = []
        self.backend = Backend(self.store, clock_at(NOON), keep=timedelta(days=1))
        self.matches = self.backend.matches
        event.listen(self.store.database.engine, "before_cursor_execute", self._note)

    def _note(self, _c: object, _cursor: object, sql: str, given: object, *_more: object) -> None:
        if sql != "SELECT 1":  # that asks whether a connection idle for a while still stands
            self.statements.append((sql, given))

    async def kinds(self, work: Awaitable[object]) -> list[str]:
        """The first words of the statements that something takes."""
        self.statements.clear()
        await work
        return [sql.split()[0] for sql, _given in self.statements]

    async def press(
        self, match: Match, action: MatchAction, who: int = ANA, cell: int | None = None
    ) -> Match | MatchOpened | Refusal:
        return await self.backend.press(Press(match.id, match.version, action, cell), who, match)

    async def shown(self, match: Match, action: MatchAction, cell: int | None = None) -> Match:
        """The match as a press leaves it."""
        outcome = await self.press(match, action, ANA, cell)
        assert isinstance(outcome, Match)
        return outcome

    async def played_and_resigned(self, match: Match) -> Match:
        played = await self.shown(match, MatchAction.PLAY, match.board.actions()[0])
        return await self.backend.concede(played, ANA)


@pytest.fixture
async def counted(url: URL) -> AsyncIterator[Counted]:
    counted = Counted(url)
    yield counted
    await counted.backend.close()


@pytest.fixture
async def match(counted: Counted) -> Match:
    return await counted.backend.open(match_request(1, ANA, level=Level.IMPOSSIBLE))


async def test_opening_a_match_takes_four_statements_in_one_transaction(
    counted: Counted,
) -> None:
    """The server, the path, whether it may be shown, and the match."""
    request = match_request(1, ANA, level=Level.IMPOSSIBLE)
    assert await counted.kinds(counted.matches.open(request)) == [
        *("BEGIN", "SELECT", "SELECT", "SELECT", "INSERT", "COMMIT")
    ]
    match = await counted.matches.load(1)
    assert match is not None
    shown = counted.matches.record_shown(match, 100)
    assert await counted.kinds(shown) == ["BEGIN", "UPDATE", "COMMIT"]


async def test_a_challenge_takes_four_more_for_choices_pings_and_the_head_to_head(
    counted: Counted,
) -> None:
    opening = counted.matches.open(match_request(1, ANA, opponent_id=BEN))
    kinds = await counted.kinds(opening)
    assert kinds == [
        *("BEGIN", "SELECT", "SELECT", "SELECT", "SELECT", "INSERT", "SELECT", "COMMIT")
    ]


async def test_a_move_takes_two_statements_in_one_transaction_including_the_bot_s_reply(
    counted: Counted, match: Match
) -> None:
    move = counted.press(match, MatchAction.PLAY, cell=4)
    assert await counted.kinds(move) == ["BEGIN", "SELECT", "UPDATE", "COMMIT"]
    assert len((await counted.backend.load(match)).moves) == 2


async def test_a_hint_takes_two_transactions_of_one_statement(
    counted: Counted, match: Match
) -> None:
    press = Press(match.id, match.version, MatchAction.HINT)
    found = counted.backend.press(press, ANA, match)
    assert await counted.kinds(found) == ["BEGIN", "SELECT", "COMMIT"]
    hint = show_hint_in_match(context(counted.backend.runtime), match, None, is_detailed=False)
    assert await counted.kinds(hint) == ["BEGIN", "UPDATE", "COMMIT"]


async def test_settings_and_the_last_match_take_one_statement_each(
    counted: Counted,
) -> None:
    load = counted.backend.runtime.database.read(settings.load, 7)
    assert await counted.kinds(load) == ["SELECT"]
    found = counted.backend.runtime.database.read(last_played, CHANNEL)
    assert await counted.kinds(found) == ["SELECT"]


async def test_a_refused_press_takes_one_statement(counted: Counted, match: Match) -> None:
    refused = counted.press(match, MatchAction.PLAY, BEN + 1, 4)
    assert await counted.kinds(refused) == ["BEGIN", "SELECT", "COMMIT"]


async def test_a_rematch_is_one_transaction(counted: Counted, match: Match) -> None:
    over = await counted.played_and_resigned(match)
    kinds = await counted.kinds(counted.press(over, MatchAction.REMATCH))
    assert kinds == ["BEGIN", *["SELECT"] * 4, "INSERT", "UPDATE", "COMMIT"]


async def test_an_old_press_takes_one_statement_however_many_rematches_followed(
    counted: Counted, match: Match
) -> None:
    first = match
    for number in range(3):
        over = await counted.played_and_resigned(match)
        opened = match_opened(await counted.press(over, MatchAction.REMATCH))
        await counted.matches.record_shown(opened.match, 101 + number)
        match = await counted.backend.load(opened.match)
    old_press = counted.press(first, MatchAction.PLAY, cell=4)
    assert await counted.kinds(old_press) == ["BEGIN", "SELECT", "COMMIT"]


async def test_a_sweep_that_finds_nothing_takes_one_transaction_and_six_statements(
    counted: Counted, match: Match
) -> None:
    assert match.is_live
    matches = counted.matches
    assert await counted.kinds(matches.expire()) == ["BEGIN", "SELECT", "COMMIT"]
    kinds = await counted.kinds(matches.prune())
    assert [kind for kind in kinds if kind not in ("BEGIN", "COMMIT")] == [
        *("DELETE", "DELETE", "DELETE", "DELETE", "DELETE", "DELETE")
    ]


def end_of_a_match(counted: Counted, *counting: str) -> list[str]:
    """The statements of a press that ends a match: PostgreSQL has locks besides."""
    is_postgresql = counted.store.engine.dialect.name == "postgresql"
    kinds = [kind for kind in counting if kind != "LOCK" or is_postgresql]
    kinds = ["SELECT" if kind == "LOCK" else kind for kind in kinds]
    return ["BEGIN", "SELECT", *kinds, "UPDATE", "COMMIT"]


def about_to_win(number: int, level: Level | None = Level.EASY) -> Match:
    """Ana wins at C1."""
    place = Place(CHANNEL + number, 20, "pt-BR", 100)
    match = make_match("xx. oo. ...", id=number, place=place, deadline_at=SOON, opened_by=ANA)
    return replace(match, x=Player(ANA), o=Player(BEN, level))


OF_A_DUEL = (
    *("LOCK", "SELECT", "SELECT", "INSERT"),  # people, whether they hide, tallies
    *("SELECT", "INSERT"),  # the pair
    *("LOCK", "SELECT", "INSERT"),  # the server, and each one's score there
)


async def end_on_a_large_board(counted: Counted, number: int) -> None:
    moves = moves_to(Board.parse("xxx. ooo. .... ....", Rules(4, 4, 4)))
    match = replace(about_to_win(number, level=None), rules=Rules(4, 4, 4), moves=moves)
    assert call(counted.store, add, match)
    await counted.press(match, MatchAction.PLAY, cell=3)


@both_databases
async def test_a_win_is_counted_in_the_transaction_of_the_press(counted: Counted) -> None:
    won = [call(counted.store, add, about_to_win(number)) for number in (1, 2)]
    assert all(won)
    # People, whether they hide, tallies twice, and the path: where a goal is passed, it is stored.
    counting = ("LOCK", "SELECT", "SELECT", "INSERT", "SELECT")
    for number, stored in ((1, ["INSERT"]), (2, [])):
        kinds = await counted.kinds(counted.press(about_to_win(number), MatchAction.PLAY, cell=2))
        assert kinds == end_of_a_match(counted, *counting, *stored)


@both_databases
async def test_a_draw_takes_as_many_statements_as_a_loss(counted: Counted) -> None:
    drawing = replace(about_to_win(1), moves=moves_to(Board.parse("xox xoo ox.")))
    assert call(counted.store, add, drawing)
    kinds = await counted.kinds(counted.press(drawing, MatchAction.PLAY, cell=8))
    counting = end_of_a_match(counted, *("LOCK", "SELECT", "SELECT", "INSERT"), "SELECT", "INSERT")
    assert kinds == counting
    assert call(counted.store, add, about_to_win(2))
    kinds = await counted.kinds(counted.backend.concede(about_to_win(2), ANA))
    assert kinds == ["SELECT", *counting], "who has left, and the end"


@both_databases
async def test_a_duel_is_counted_for_the_pair_and_for_each_in_the_server(
    counted: Counted,
) -> None:
    duel = about_to_win(1, level=None)
    assert call(counted.store, add, duel)
    kinds = await counted.kinds(counted.press(duel, MatchAction.PLAY, cell=2))
    assert kinds == end_of_a_match(counted, *OF_A_DUEL)


@both_databases
async def test_a_match_that_times_out_takes_a_transaction_of_its_own(counted: Counted) -> None:
    for number, level in ((1, None), (2, Level.EASY)):
        due = replace(about_to_win(number, level), deadline_at=NOON - timedelta(minutes=number))
        assert call(counted.store, add, due)
    kinds = await counted.kinds(counted.matches.expire())
    assert kinds == [
        *("BEGIN", "SELECT", "COMMIT"),
        *("BEGIN", "SELECT", "UPDATE", "COMMIT"),
        *end_of_a_match(counted, *OF_A_DUEL),
    ], "against the bot nobody wins"


@both_databases
async def test_a_win_of_somebody_hidden_takes_no_statement_more(counted: Counted) -> None:
    save_choices(counted.store, ANA, is_hidden=True)
    assert call(counted.store, add, about_to_win(1))
    kinds = await counted.kinds(counted.press(about_to_win(1), MatchAction.PLAY, cell=2))
    assert kinds == end_of_a_match(
        counted, *("LOCK", "SELECT", "SELECT", "INSERT"), "SELECT", "INSERT"
    )


async def test_a_match_without_a_result_is_stored_like_a_move(counted: Counted) -> None:
    challenge = replace(about_to_win(1, level=None), moves=(), accepted=False)
    assert call(counted.store, add, challenge)
    kinds = await counted.kinds(counted.press(challenge, MatchAction.DECLINE, BEN))
    assert kinds == end_of_a_match(counted)


async def test_a_match_on_a_large_board_is_judged_in_a_transaction_of_its_own(
    counted: Counted,
) -> None:
    await end_on_a_large_board(counted, 1)
    kinds = await counted.kinds(counting.judge(counted.backend.runtime))
    assert kinds == [
        *("SELECT", "BEGIN", "UPDATE", "SELECT", "SELECT", "UPDATE", "UPDATE", "COMMIT"),
        "SELECT",
    ]
    assert await counted.kinds(counting.judge(counted.backend.runtime)) == ["SELECT"]


async def test_stats_take_a_few_statements(counted: Counted) -> None:
    read = counted.backend.database.read
    own = read(stats.load, ANA, ANA, NOON.date())
    assert await counted.kinds(own) == ["SELECT"] * 3
    other = read(stats.load, BEN, ANA, NOON.date())
    assert await counted.kinds(other) == ["SELECT"] * 5


async def test_a_try_at_a_puzzle_is_one_transaction_and_a_look_at_it_one_statement(
    counted: Counted,
) -> None:
    today = NOON.date()
    puzzle = daily_puzzle(today)
    wrong = next(cell for cell in puzzle.worths if cell != puzzle.solution)
    for cells, kinds in (
        ((), ["SELECT"]),
        ((wrong,), ["SELECT", "BEGIN", "INSERT", "COMMIT"]),
        ((wrong,), ["SELECT"]),
    ):
        pressed = context(counted.backend.runtime)
        assert await counted.kinds(puzzles.show(pressed, PuzzlePage(today, cells))) == kinds


async def test_how_many_have_solved_a_puzzle_is_asked_once_when_an_attempt_ends(
    counted: Counted,
) -> None:
    today = NOON.date()
    page = PuzzlePage(today, (daily_puzzle(today).solution,))
    kinds = await counted.kinds(puzzles.show(context(counted.backend.runtime), page))
    assert kinds[kinds.index("COMMIT") + 1 :] == ["SELECT"] * 3, "results, and how many"
    again = await counted.kinds(puzzles.show(context(counted.backend.runtime), page))
    assert again == ["SELECT"] * 3, "tries, whether shared, and results"


async def test_a_page_of_a_review_takes_one_statement(counted: Counted) -> None:
    lost = make_bot_match("xx. ooo x..", x=Player(ANA))
    call(counted.store, add, lost)
    for view in ReviewView:
        pressed = context(counted.backend.runtime, user_id=ANA, channel_id=CHANNEL)
        page = ReviewPage(lost.id, 5, view=view)
        assert await counted.kinds(show_review(pressed, page)) == ["SELECT"]


async def test_a_private_match_takes_no_statement(counted: Counted) -> None:
    started = PrivatePage(PrivateMatch(Record(), Level.EASY, Mark.X))
    lost = PrivateMatch(Record(moves=(1, 3, 8, 0, 7)), Level.IMPOSSIBLE, Mark.O)
    won = PrivateMatch(Record(moves=(0, 3, 1, 4)), Level.EASY, Mark.X)
    for page in (
        started,
        replace(started, cell=4),
        PrivatePage(started.match, PrivateAction.HINT),
        PrivatePage(lost, cell=6),
        PrivatePage(won, cell=2),
    ):
        pressed = context(counted.backend.runtime)
        assert await counted.kinds(private.show(pressed, page)) == []
    pressed = context(counted.backend.runtime)
    assert await counted.kinds(show_review(pressed, ReviewPage(lost))) == []


async def test_practice_of_today_s_puzzle_asks_in_the_end_whether_the_attempt_is_over(
    counted: Counted,
) -> None:
    today = NOON.date()
    solution = daily_puzzle(today).solution
    for tries, kinds in (((), []), ((solution,), ["SELECT"])):
        pressed = context(counted.backend.runtime)
        assert await counted.kinds(puzzles.show(pressed, PracticePage(today, tries))) == kinds


async def test_the_days_of_past_puzzles_take_one_statement(counted: Counted) -> None:
    days = past_days(date(2026, 12, 10))
    offered = counted.backend.runtime.database.read(puzzles.load_solved, ANA, days)
    assert await counted.kinds(offered) == ["SELECT"]


async def test_the_last_matches_take_a_statement_a_side_and_one_for_who_hides(
    counted: Counted, match: Match
) -> None:
    read = counted.backend.runtime.database.read(stats.load_last_matches, ANA, match.place)
    assert await counted.kinds(read) == ["SELECT"] * 3


async def test_a_mistake_to_practise_takes_no_more_and_the_level_to_play_next_two(
    counted: Counted, match: Match
) -> None:
    await counted.played_and_resigned(match)
    pressed = context(counted.backend.runtime, user_id=ANA, channel_id=CHANNEL)
    kinds = await counted.kinds(mistakes.show(pressed, MistakePage()))
    assert kinds == ["SELECT"] * 5


@both_databases
async def test_every_statement_about_a_match_uses_an_index(counted: Counted, match: Match) -> None:
    matches = counted.matches
    runtime = counted.backend.runtime
    await runtime.database.change(count_hint, match)
    await counted.shown(await counted.backend.load(match), MatchAction.PLAY, 4)
    await matches.stop(ANA, channel_id=CHANNEL, interaction_id=2)
    await counted.backend.concede(await counted.backend.load(match), ANA)
    await counted.press(await counted.backend.load(match), MatchAction.REMATCH)
    await counted.press(match, MatchAction.PLAY, cell=4)
    await counted.matches.open(match_request(7, ANA, 11, opponent_id=BEN))
    await matches.repost(CHANNEL)
    read = runtime.database.read
    await end_on_a_large_board(counted, 6)
    await counting.judge(runtime)
    await read(stats.load, BEN, ANA, NOON.date())
    await read(stats.load_last_matches, ANA, match.place)
    over = await read(last_played, CHANNEL)
    assert over is not None
    await runtime.database.read(moments.find_match, MomentPage(over.record), ANA, CHANNEL)
    for _ in range(2):
        await runtime.database.change(moments.claim, over.id, 1, NOON)
    tried = MomentTry(over.id, over.record.boards[0].actions()[0])
    await moments.try_cell(context(runtime, user_id=BEN), tried)
    await read(moments.count_tries, over.id)
    today = NOON.date()
    await puzzles.show(context(runtime), PuzzlePage(today, (daily_puzzle(today).solution,)))
    await read(puzzles.load_solved, ANA, past_days(date(2026, 12, 10)))
    await read(load_standings, 20, Leaderboard.EVER, BEN, NOON.date())
    await runtime.database.change(posts.claim, NOON)
    with suppress(Refused):  # it is a challenge still
        await read(reminders.wants_reminders, 7, ANA, 11)
    save_choices(counted.store, ANA, wants_reminders=True)
    await reminders.post_due(runtime)
    save_choices(counted.store, BEN, takes_challenges=False, is_hidden=True)
    await privacy.export(runtime, ANA)
    forget_person(counted.store, ANA, 8)
    await forgetting.forget_next(runtime)
    await matches.expire()
    await matches.prune()
    searches = [s for s in counted.statements if s[0].split()[0] not in _NOT_SEARCHING]
    assert len(searches) >= 30
    with counted.store.database.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            # A few rows are read faster without: whether an index could be used is what matters.
            connection.exec_driver_sql("SET enable_seqscan = off")
        for sql, given in searches:
            plan = "\n".join(plan_of(connection, sql, given))
            for table in ("matches", "tallies", "duels", "attempts", "ranks", "moment"):
                assert f"SCAN {table}" not in plan, f"{sql}\n{plan}"
                assert f"Seq Scan on {table}" not in plan, f"{sql}\n{plan}"
            if connection.dialect.name == "postgresql" and "matches" in sql:
                assert "Index Cond" in plan, f"{sql}\n{plan}"
