"""Counting matches when they end: each of them once, by however many processes."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import URL, Connection, event, text

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import resign
from bot.domain.matches import Ending, EndReason, HeadToHead, Match, MatchResult, Player, result_for
from bot.domain.stats import Tally, TallyKey
from bot.features import counting, forgetting, stats
from bot.features.counting import save_match
from bot.features.matches import end_overdue
from bot.store.locks import lock_people
from bot.store.matches import add, load_match, next_unjudged
from bot.store.store import Store
from bot.views.matches import match_view
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, Rules, accuracies, accuracy, review
from tests.bot.backend import TURN, App
from tests.bot.databases import (
    both_databases,
    call,
    delete_all_rows,
    forget_person,
    forget_server,
    on_postgresql,
    save_choices,
    stored_text,
    wait_for_waiters,
)
from tests.bot.example_matches import (
    ANA,
    BEN,
    DRAWN,
    NOON,
    O_WON,
    PLAYED,
    RUI,
    SERVER,
    VELHA,
    X_WON,
    before_the_end,
    make_bot_match,
    make_match,
    over,
    over_against_bot,
)
from tests.bot.features.test_forgetting import rows_of_guild
from tests.bot.views.examples import text_of

PEOPLE, EASY = TallyKey(TIC_TAC_TOE), TallyKey(TIC_TAC_TOE, Level.EASY)
LATER = 10_000
EVE = 777_777_777
LARGE = Rules(4, 4, 4)
WON_ON_LARGE = "xxxx ooo. .... ...."


def tallies_of(app: App, user_id: int) -> dict[TallyKey, Tally]:
    return call(app.store, stats.tallies_of, user_id)


def tallies(app: App, user_id: int) -> dict[TallyKey, tuple[int, int, int]]:
    found = tallies_of(app, user_id).items()
    return {kind: (tally.won, tally.drawn, tally.lost) for kind, tally in found}


# What counts


@both_databases
async def test_a_match_is_counted_when_it_ends(app: App) -> None:
    for number, board in enumerate((X_WON, DRAWN, O_WON, X_WON), start=1):
        app.end(over(number, board))
    app.end(over_against_bot(5))
    assert tallies(app, ANA) == {PEOPLE: (2, 1, 1), EASY: (1, 0, 0)}
    assert tallies(app, BEN) == {PEOPLE: (1, 1, 2)}
    assert call(app.store, stats.head_to_head, ANA, BEN) == HeadToHead(won=2, drawn=1, lost=1)
    assert call(app.store, stats.head_to_head, BEN, ANA) == HeadToHead(won=1, drawn=1, lost=2)
    assert tallies(app, VELHA) == tallies(app, RUI) == {}


async def test_what_is_stored_of_a_match_after_its_end_does_not_count_it_again(app: App) -> None:
    match = app.end(over(1))
    asked = call(app.store, save_match, match, replace(match, rematch_asked_by=BEN))
    call(app.store, save_match, asked, replace(asked, rematch_asked_by=None))
    assert tallies(app, ANA) == {PEOPLE: (1, 0, 0)}


async def test_matches_without_a_result_are_not_counted(app: App) -> None:
    app.end(over(1, PLAYED, early_ending=Ending(EndReason.STOPPED)))
    assert tallies(app, ANA) == {}


@pytest.mark.parametrize("players", [{}, {"o": Player(VELHA, Level.EASY)}])
@pytest.mark.parametrize("by", ["button", "moderator"])
async def test_a_match_without_a_move_counts_for_nobody(
    app: App, players: dict[str, Any], by: str
) -> None:
    match = app.add(make_match(**players))
    if by == "button":
        await app.concede(match)
    else:
        await app.stop(RUI, is_moderator=True)
    assert not app.load(match).is_live
    assert tallies(app, ANA) == tallies(app, BEN) == {}
    assert call(app.store, stats.head_to_head, ANA, BEN) == HeadToHead()


async def test_resigning_after_the_first_move_is_a_loss(app: App) -> None:
    match = app.add(make_match("x.. ... ..."))
    await app.concede(match)
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 1)}
    assert tallies(app, BEN) == {PEOPLE: (1, 0, 0)}


async def test_the_critical_moves_are_those_that_a_review_judges(app: App) -> None:
    match = app.end(over(1, moves=(0, 1, 5, 2, 4, 3, 8)))
    judged = review(match.moves)
    for mark, who in ((Mark.X, ANA), (Mark.O, BEN)):
        tally = tallies_of(app, who)[PEOPLE]
        assert (tally.kept, tally.critical) == accuracy(judged, mark)
        assert tally.critical, "there was something to judge"


def passes(match: Match) -> bool:
    """Whether a match is said to have passed a stop of the path."""
    return match.trail is not None and match.trail.is_passed


async def test_that_a_match_passes_is_said_when_it_ends_and_stays_with_it(app: App) -> None:
    first, again = app.end(over_against_bot(1)), app.end(over_against_bot(2))
    assert [passes(first), passes(again)] == [True, False]
    assert app.load(first) == first
    asked = call(app.store, save_match, first, replace(first, rematch_asked_by=ANA))
    assert app.load(first) == asked
    assert passes(asked)


async def test_a_first_win_is_on_the_board_as_soon_as_it_is_won(app: App) -> None:
    match = app.add(make_bot_match("xx. oo. ...", Level.EASY))
    won = await app.play(match, 2)
    assert isinstance(won, Match)
    assert "Primeira vitória" in text_of(match_view(won, app.backend.runtime.emojis.symbols))


async def test_no_first_of_a_hidden_person_is_said(app: App) -> None:
    save_choices(app.store, ANA, is_hidden=True)
    save_choices(app.store, BEN, is_hidden=True)
    assert not passes(app.end(over_against_bot(1)))
    assert tallies(app, ANA) == {EASY: (1, 0, 0)}
    assert passes(app.end(over_against_bot(2, x=Player(RUI))))


async def test_a_deleted_person_has_no_tallies_and_gets_none_for_earlier_matches(
    app: App,
) -> None:
    app.end(over(1))
    later = app.add(before_the_end(over(2)))
    call(app.store, forgetting.PEOPLE.start, ANA, LATER)
    assert tallies(app, ANA) == {}
    assert call(app.store, stats.head_to_head, BEN, ANA) == HeadToHead()
    call(app.store, save_match, later, over(2))
    assert tallies(app, ANA) == {}, "the wish came before the end"
    assert tallies(app, BEN) == {PEOPLE: (0, 0, 2)}, "what is Ben's is Ben's"
    assert call(app.store, stats.head_to_head, BEN, ANA) == HeadToHead()


async def test_tallies_of_unknown_games_and_levels_are_left_alone(app: App) -> None:
    app.end(over(1))
    with app.store.database.connection() as connection:
        for change in ("rules = 'chess'", "level = 'GOD'"):
            connection.execute(text(f"UPDATE tallies SET {change}"))  # noqa: S608 - of these two
            assert tallies(app, ANA) == {}


@both_databases
async def test_tallies_keep_their_order_whichever_was_counted_last(app: App) -> None:
    orders = []
    for number, level in enumerate(2 * [*Level]):
        app.end(over_against_bot(number + 1, level=level))
        orders.append(list(tallies_of(app, ANA)))
    assert all(order == orders[-1] for order in orders[len(Level) :])


# How well people move on large boards


def judged(app: App, user_id: int = ANA) -> Accuracy:
    tally = tallies_of(app, user_id).get(TallyKey(LARGE), Tally())
    return Accuracy(tally.kept, tally.critical)


@both_databases
async def test_large_boards_are_counted_at_once_and_judged_after_that(app: App) -> None:
    match = app.end(over(1, WON_ON_LARGE, rules=LARGE))
    assert tallies(app, ANA) == {TallyKey(LARGE): (1, 0, 0)}
    assert judged(app) == Accuracy()
    both = accuracies(match.moves, LARGE)
    for _ in range(2):
        await counting.judge(app.backend.runtime)
        assert (judged(app, ANA), judged(app, BEN)) == (both[Mark.X], both[Mark.O])
    assert both[Mark.X].critical, "there was something to judge"


async def test_of_two_processes_that_judge_a_match_one_adds_it(app: App) -> None:
    app.end(over(1, WON_ON_LARGE, rules=LARGE))
    found = {Mark.X: Accuracy(1, 2), Mark.O: Accuracy()}
    for store in (app.store, app.other_store):
        call(store, counting.add_accuracies, 1, found)
    assert judged(app) == Accuracy(1, 2)


async def test_a_deleted_person_s_matches_are_judged_for_the_opponent_alone(app: App) -> None:
    match = app.end(over(1, WON_ON_LARGE, rules=LARGE))
    call(app.store, forgetting.PEOPLE.start, ANA, LATER)
    app.end(over(LATER + 1, WON_ON_LARGE, rules=LARGE))
    await counting.judge(app.backend.runtime)
    both = accuracies(match.moves, LARGE)
    assert judged(app, ANA) == both[Mark.X], "of the later match"
    assert judged(app, BEN).critical == 2 * both[Mark.O].critical


async def test_a_match_is_kept_until_it_is_judged(app: App) -> None:
    match = app.end(over(1, WON_ON_LARGE, rules=LARGE))
    app.now = NOON.replace(year=2045)
    app.clock.observe(app.now)
    assert await app.matches.prune() == 0
    await counting.judge(app.backend.runtime)
    assert await app.matches.prune() == 1
    assert await app.matches.load(match.id) is None


@pytest.mark.logs_errors
async def test_a_match_that_cannot_be_read_or_judged_keeps_no_other_from_being_judged(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    for number in (1, 2, 3):
        app.end(over(number, WON_ON_LARGE, rules=LARGE))
    with app.store.database.connection() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id = 1"))
        connection.execute(text("UPDATE matches SET moves = moves || 'D4' WHERE id = 2"))
    await counting.judge(app.backend.runtime)
    assert judged(app).critical > 0
    assert call(app.store, next_unjudged, 0) is None, "so nobody is told again"
    unread, unjudged = [record.getMessage() for record in caplog.records]
    assert unread.startswith("1 matches cannot be read, the first is 1: ")
    assert unjudged.startswith("Match 2 cannot be judged: the game is over: ")


# By several processes


@on_postgresql
def test_two_matches_of_a_newcomer_that_end_at_once_both_count(app: App) -> None:
    first, second = (app.add(before_the_end(over_against_bot(number))) for number in (1, 2))
    with ThreadPoolExecutor() as threads:
        with app.other_store.database.transaction() as connection:
            save_match(connection, first, over_against_bot(1))
            ending = threads.submit(call, app.store, save_match, second, over_against_bot(2))
            wait_for_waiters(1, connection)
        assert not passes(ending.result())
    assert tallies(app, ANA) == {EASY: (2, 0, 0)}


@on_postgresql
async def test_nothing_stays_of_somebody_who_deletes_their_data_while_a_match_ends(
    app: App,
) -> None:
    matches = [
        over(1, x=Player(EVE), opened_by=EVE),
        over_against_bot(2, x=Player(EVE), opened_by=EVE),
    ]
    live = [app.add(before_the_end(match)) for match in matches]
    with ThreadPoolExecutor() as threads:
        with app.other_store.database.transaction() as connection:
            for before, after in zip(live, matches, strict=True):
                save_match(connection, before, after)
            deletion = threads.submit(forget_person, app.store, EVE, LATER)
            wait_for_waiters(1, connection)
        assert deletion.result() == []
    await app.forget_all()
    assert str(EVE) not in stored_text(app.store.engine.url)
    assert tallies(app, BEN) == {PEOPLE: (0, 0, 1)}


@on_postgresql
async def test_nothing_stays_of_somebody_whose_match_ends_while_they_delete_their_data(
    app: App,
) -> None:
    match = over(1, x=Player(EVE), opened_by=EVE)
    live = app.add(before_the_end(match))
    with ThreadPoolExecutor() as threads:
        with app.other_store.database.transaction() as connection:
            forgetting.PEOPLE.start(connection, EVE, LATER)
            ending = threads.submit(call, app.store, save_match, live, match)
            wait_for_waiters(1, connection)
        assert not ending.result().is_live
    await app.forget_all()
    assert str(EVE) not in stored_text(app.store.engine.url)
    assert tallies(app, BEN) == {PEOPLE: (0, 0, 1)}


@on_postgresql
async def test_nothing_stays_of_a_server_that_is_deleted_while_a_match_ends(app: App) -> None:
    live = app.add(before_the_end(over(1)))
    with ThreadPoolExecutor() as threads:
        with app.other_store.database.transaction() as connection:
            save_match(connection, live, over(1))
            deletion = threads.submit(forget_server, app.store, SERVER, LATER)
            wait_for_waiters(1, connection)
        deletion.result()
    await app.forget_all()
    assert rows_of_guild(app, SERVER) == 0
    assert tallies(app, ANA) == {PEOPLE: (1, 0, 0)}


@on_postgresql
async def test_a_sweep_and_a_press_end_matches_of_the_same_people(app: App) -> None:
    """Whoever waits for one of them has locked none yet who comes after."""
    due, pressed = over(1, PLAYED), over(2, PLAYED, x=Player(BEN), o=Player(ANA))
    swept = app.add(replace(due, ended_at=None))
    live = app.add(replace(pressed, ended_at=None, deadline_at=NOON + TURN))
    with ThreadPoolExecutor() as threads:
        with app.other_store.database.transaction() as connection:
            lock_people(connection, [ANA, BEN])
            ends: list[Future[Match | None]] = [
                threads.submit(call, app.store, save_match, live, resign(live, ANA)),
                threads.submit(call, app.store, end_overdue, swept.id, NOON),
            ]
            wait_for_waiters(len(ends), connection)
        assert all(ending.result() for ending in ends)
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 2)}
    assert tallies(app, BEN) == {PEOPLE: (2, 0, 0)}


@on_postgresql
async def test_a_sweep_keeps_nobody_locked_between_two_matches(app: App) -> None:
    for number, x in ((1, BEN), (2, ANA)):
        match = over(number, PLAYED, x=Player(x), o=Player(RUI), ended_at=None)
        app.add(replace(match, deadline_at=NOON.replace(hour=number)))
    live = app.add(over(3, PLAYED, ended_at=None, deadline_at=NOON + TURN))
    app.now = NOON
    app.clock.observe(NOON)
    with app.other_store.database.transaction() as connection:
        lock_people(connection, [ANA])
        resigning = asyncio.to_thread(call, app.store, save_match, live, resign(live, ANA))
        press = asyncio.create_task(resigning)
        await asyncio.to_thread(wait_for_waiters, 1, connection)
        sweep = asyncio.create_task(app.matches.expire())
        await asyncio.to_thread(wait_for_waiters, 2, connection)
    await press
    assert [match.id for match in await sweep] == [1, 2]
    assert tallies(app, BEN) == {PEOPLE: (1, 0, 1)}


def recount(history: list[Match], forgotten: dict[int, int]) -> dict[tuple[int, TallyKey], Tally]:
    """The tallies from nothing, but for how well people moved."""
    found: dict[tuple[int, TallyKey], Tally] = {}
    for match in history:
        for mark, player in match.players.items():
            result = result_for(mark, match)
            if player.is_bot or result is None or match.id < forgotten.get(player.user_id, 0):
                continue
            key = player.user_id, TallyKey(match.rules, match.bot_level, match.hints > 0)
            before = found.get(key, Tally())
            run = 0 if result is MatchResult.LOST else before.unbeaten + 1
            found[key] = replace(
                before,
                **{result.value: getattr(before, result.value) + 1},
                unbeaten=run,
                longest=max(run, before.longest),
            )
    return found


class CrashError(Exception):
    """A process is gone in the middle of a transaction."""


def end(connection: Connection, match: Match) -> bool:
    """Have a match end as it does here; return False if it is over."""
    stored = load_match(connection, match.id, for_update=True)
    if stored is None or not stored.is_live:
        return False
    save_match(connection, stored, match)
    return True


def crash_at_the_end(store: Store, match: Match, at_statement: int) -> bool:
    """Like `end`, unless that takes so many statements."""
    numbers = count(1)

    def stop(*_given: object) -> None:
        if next(numbers) == at_statement:
            raise CrashError

    engine = store.database.engine
    event.listen(engine, "before_cursor_execute", stop)
    has_ended = False
    with suppress(CrashError):
        has_ended = call(store, end, match)
    event.remove(engine, "before_cursor_execute", stop)
    return has_ended


def end_at_once(stores: list[Store], match: Match) -> bool:
    with ThreadPoolExecutor(len(stores)) as threads:
        ended = list(threads.map(lambda store: call(store, end, match), stores))
    assert sum(ended) <= 1
    return any(ended)


ENDINGS = st.sampled_from(
    [
        {"board": X_WON},
        {"board": O_WON},
        {"board": DRAWN},
        {"board": PLAYED, "early_ending": Ending(EndReason.RESIGNED, Mark.O)},
        {"board": PLAYED, "early_ending": Ending(EndReason.STOPPED)},
    ]
)
PLAYERS = st.sampled_from(
    [
        {"x": Player(ANA), "o": Player(BEN)},
        {"x": Player(RUI), "o": Player(ANA)},
        {"x": Player(BEN), "o": Player(VELHA, Level.EASY)},
        {"x": Player(VELHA, Level.PERFECT), "o": Player(ANA), "hints": 2},
    ]
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("open"), ENDINGS, PLAYERS),
        st.tuples(st.just("end")),
        st.tuples(st.just("crash"), st.integers(2, 12)),
        st.tuples(st.just("forget"), st.sampled_from([ANA, BEN])),
        st.tuples(st.just("sweep")),
    ),
    max_size=25,
)


@both_databases
def test_after_any_history_the_tallies_equal_a_fresh_count(url: URL) -> None:
    @hypothesis.settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
    @given(STEPS)
    def check(steps: list[tuple[Any, ...]]) -> None:
        delete_all_rows(url)
        tallies_hold(stores, steps)

    stores = [Store.at(url), Store.at(url)]
    check()
    for store in stores:
        store.close()


def tallies_hold(stores: list[Store], steps: list[tuple[Any, ...]]) -> None:
    store, rival = stores
    opened: list[Match] = []
    history: list[Match] = []
    forgotten: dict[int, int] = {}
    for number, (what, *given_with) in enumerate([*steps, *[("end",)] * len(steps)], start=1):
        match what:
            case "open":
                ending, players = given_with
                opened.append(over(number, **ending, **players))
                assert call(store, add, before_the_end(opened[-1]))
            case "end" if opened:
                match = opened.pop(0)
                history += [match] * end_at_once(stores, match)
            case "crash" if opened:
                if crash_at_the_end(rival, opened[0], *given_with):
                    history.append(opened.pop(0))
            case "forget":
                forgotten[given_with[0]] = number
                call(store, forgetting.PEOPLE.start, given_with[0], number)
            case "sweep":
                if user := call(rival, forgetting.next_to_forget, forgetting.PEOPLE):
                    call(rival, forgetting.forget_batch, forgetting.PEOPLE, *user)
            case _:
                assert not opened, what
    found = {
        (who, k): t
        for who in (ANA, BEN, RUI)
        for k, t in call(store, stats.tallies_of, who).items()
    }
    assert {key: replace(tally, kept=0, critical=0) for key, tally in found.items()} == recount(
        history, forgotten
    )
    assert not call(store, stats.tallies_of, DELETED_USER_ID)
    assert not call(store, stats.tallies_of, VELHA)
