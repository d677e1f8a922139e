"""Counting matches: each of them once, by however many processes."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import URL, event, text

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import MatchAction
from bot.domain.matches import Ending, EndReason, HeadToHead, Match, MatchResult, Player, result_for
from bot.domain.stats import Tally, TallyKey
from bot.features import counting, forgetting, stats
from bot.features.counting import COUNT_BATCH_SIZE
from bot.store.facts import save_fact
from bot.store.matches import add
from bot.store.schema import COUNTING_LOCK
from bot.store.store import Store
from engine import TIC_TAC_TOE, Level, Mark, Rules, accuracy, review
from tests.bot.backend import App
from tests.bot.databases import (
    both_databases,
    call,
    delete_all_rows,
    forget_person,
    on_postgresql,
)
from tests.bot.example_matches import (
    ANA,
    BEN,
    DRAWN,
    O_WON,
    RUI,
    VELHA,
    X_WON,
    make_match,
    over,
)

PEOPLE, EASY = TallyKey(TIC_TAC_TOE), TallyKey(TIC_TAC_TOE, Level.EASY)
LATER = 10_000


def tallies_of(app: App, user_id: int) -> dict[TallyKey, Tally]:
    return call(app.store, stats.tallies_of, user_id)


def alone(number: int, board: str = X_WON, level: Level = Level.EASY, **changes: Any) -> Match:
    return over(number, board, o=Player(VELHA, level), **changes)


def tallies(app: App, user_id: int) -> dict[TallyKey, tuple[int, int, int]]:
    found = tallies_of(app, user_id).items()
    return {kind: (tally.won, tally.drawn, tally.lost) for kind, tally in found}


# What counts


@both_databases
async def test_every_finished_match_is_counted_once(app: App) -> None:
    for number, board in enumerate((X_WON, DRAWN, O_WON, X_WON), start=1):
        app.add(over(number, board))
    app.add(alone(5))
    for _ in range(2):
        await app.count_all()
        assert tallies(app, ANA) == {PEOPLE: (2, 1, 1), EASY: (1, 0, 0)}
        assert tallies(app, BEN) == {PEOPLE: (1, 1, 2)}
        assert call(app.store, stats.head_to_head, ANA, BEN) == HeadToHead(won=2, drawn=1, lost=1)
        assert call(app.store, stats.head_to_head, BEN, ANA) == HeadToHead(won=1, drawn=1, lost=2)
    assert tallies(app, VELHA) == tallies(app, RUI) == {}


async def test_matches_without_a_result_are_not_counted(
    app: App,
) -> None:
    app.add(make_match("x.. .o. ..."))
    app.add(over(1, "x.. .o. ...", early_ending=Ending(EndReason.STOPPED)))
    assert await app.count_all() == []
    assert tallies(app, ANA) == {}
    assert call(app.store, counting.load_uncounted) == ([], [])


@pytest.mark.parametrize("players", [{}, {"o": Player(VELHA, Level.EASY)}])
@pytest.mark.parametrize("by", ["button", "moderator"])
async def test_a_match_without_a_move_counts_for_nobody(
    app: App, players: dict[str, Any], by: str
) -> None:
    match = app.add(make_match(**players))
    if by == "button":
        await app.press(match, MatchAction.CONCEDE, is_ephemeral=True)
    else:
        await app.stop(RUI, is_moderator=True)
    assert not app.load(match).is_live
    await app.count_all()
    assert tallies(app, ANA) == tallies(app, BEN) == {}
    assert call(app.store, stats.head_to_head, ANA, BEN) == HeadToHead()
    assert call(app.store, counting.load_uncounted) == ([], [])


async def test_resigning_after_the_first_move_is_a_loss(app: App) -> None:
    match = app.add(make_match("x.. ... ..."))
    await app.press(match, MatchAction.CONCEDE, is_ephemeral=True)
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 1)}
    assert tallies(app, BEN) == {PEOPLE: (1, 0, 0)}


async def test_the_critical_moves_are_those_that_a_review_judges(app: App) -> None:
    match = app.add(over(1, moves=(0, 1, 5, 2, 4, 3, 8)))
    await app.count_all()
    judged = review(match.moves)
    for mark, who in ((Mark.X, ANA), (Mark.O, BEN)):
        tally = tallies_of(app, who)[PEOPLE]
        assert (tally.kept, tally.critical) == accuracy(judged, mark)
        assert tally.critical, "there was something to judge"


async def test_large_boards_are_judged_too_but_not_all_old_ones(app: App) -> None:
    board, rules = "xxxx oooo .... ....".replace("oooo", "ooo."), Rules(4, 4, 4)
    app.add(over(1, board, rules=rules, ended_at=None))
    await app.count_all()
    assert tallies_of(app, ANA)[TallyKey(rules)].critical == 0
    app.add(over(2, board, rules=rules))
    await app.count_all()
    assert tallies_of(app, ANA)[TallyKey(rules)].critical > 0


@both_databases
async def test_a_long_history_is_counted_in_batches_the_oldest_first(app: App) -> None:
    boards = [O_WON] * COUNT_BATCH_SIZE + [X_WON] * 2
    app.add_all(over(number, board, ended_at=None) for number, board in enumerate(boards, 1))
    await counting.count(app.backend.runtime)
    assert tallies(app, ANA) == {PEOPLE: (0, 0, COUNT_BATCH_SIZE)}
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (2, 0, COUNT_BATCH_SIZE)}
    assert tallies_of(app, ANA)[PEOPLE].unbeaten == 2


async def test_matches_that_were_ended_without_a_time_are_counted(app: App) -> None:
    app.add(make_match("x.. .o. ..."))
    with app.store.database.connection() as connection:
        ended = "UPDATE matches SET live = FALSE, ended_how = 'resigned', winner = 'o'"
        connection.execute(text(ended))
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 1)}


async def test_a_first_is_announced_when_it_is_new_and_stays_with_its_match(app: App) -> None:
    age = timedelta(minutes=5)
    old = app.add(alone(1, level=Level.HARD, ended_at=app.now - age))
    ended_at = app.now - age + timedelta(seconds=1)
    new, again = app.add(alone(2, ended_at=ended_at)), app.add(alone(3, ended_at=app.now))
    assert await app.count_all() == [replace(new, is_first=True)]
    assert [app.load(match).is_first for match in (old, new, again)] == [True, True, False]


async def test_a_deleted_person_has_no_tallies_and_gets_none_for_earlier_matches(
    app: App,
) -> None:
    app.add(over(1))
    await app.count_all()
    app.add(over(2))
    forget_person(app.store, ANA, LATER)
    assert tallies(app, ANA) == {}
    assert call(app.store, stats.head_to_head, BEN, ANA) == HeadToHead()
    await app.count_all()
    assert tallies(app, ANA) == {}, "the wish came before the counting"
    assert tallies(app, BEN) == {PEOPLE: (0, 0, 2)}, "what is Ben's is Ben's"


@pytest.mark.logs_errors
async def test_a_row_that_cannot_be_read_does_not_stop_the_counting(app: App) -> None:
    app.add(over(1))
    app.add(over(2))
    with app.store.database.connection() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id = 1"))
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (1, 0, 0)}
    assert call(app.store, counting.load_uncounted) == ([], [])


async def test_tallies_of_unknown_games_and_levels_are_left_alone(app: App) -> None:
    app.add(over(1))
    await app.count_all()
    with app.store.database.connection() as connection:
        for change in ("rules = 'chess'", "level = 'GOD'"):
            connection.execute(text(f"UPDATE tallies SET {change}"))  # noqa: S608 - of these two
            assert tallies(app, ANA) == {}


@both_databases
async def test_tallies_keep_their_order_whichever_was_counted_last(app: App) -> None:
    orders = []
    for number, level in enumerate(2 * [*Level]):
        app.add(alone(number + 1, level=level))
        await app.count_all()
        orders.append(list(tallies_of(app, ANA)))
    assert all(order == orders[-1] for order in orders[len(Level) :])


# By several processes


@on_postgresql
def test_only_one_of_two_processes_counts_at_a_time(app: App) -> None:
    match = app.add(over(1))
    with app.other_store.database.transaction() as connection:
        connection.execute(text("SELECT * FROM facts WHERE name = 'counting' FOR UPDATE"))
        assert call(app.store, counting.count_matches, [match.id], {}) == []
    assert call(app.store, counting.count_matches, [match.id], {}) == [match]


@both_databases
def test_whoever_counts_locks_the_row_for_it(app: App) -> None:
    call(app.store, save_fact, "another", "fact")
    with app.store.database.connection() as connection:
        assert connection.execute(COUNTING_LOCK).scalars().all() == ["counting"]


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


def crash_while_counting(store: Store, at_statement: int) -> None:
    ids, _matches = call(store, counting.load_uncounted)
    numbers = count(1)

    def stop(*_given: object) -> None:
        if next(numbers) == at_statement:
            raise CrashError

    engine = store.database.engine
    event.listen(engine, "before_cursor_execute", stop)
    with suppress(CrashError):
        call(store, counting.count_matches, ids, {})
    event.remove(engine, "before_cursor_execute", stop)


def count_at_once(stores: list[Store]) -> None:
    def work(store: Store) -> None:
        ids, _matches = call(store, counting.load_uncounted)
        call(store, counting.count_matches, ids, {})

    with ThreadPoolExecutor(len(stores)) as threads:
        list(threads.map(work, stores))


ENDINGS = st.sampled_from(
    [
        {"board": X_WON},
        {"board": O_WON},
        {"board": DRAWN},
        {"board": "x.. .o. ...", "early_ending": Ending(EndReason.RESIGNED, Mark.O)},
        {"board": "x.. .o. ...", "early_ending": Ending(EndReason.STOPPED)},
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
        st.tuples(st.just("play"), ENDINGS, PLAYERS),
        st.tuples(st.just("count")),
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
    history: list[Match] = []
    forgotten: dict[int, int] = {}
    for number, (what, *given_with) in enumerate(steps, start=1):
        match what:
            case "play":
                ending, players = given_with
                history.append(over(number, **ending, **players))
                assert call(store, add, history[-1])
            case "count":
                count_at_once(stores)
            case "crash":
                crash_while_counting(rival, *given_with)
            case "forget":
                forgotten[given_with[0]] = number
                call(store, forgetting.PEOPLE.start, given_with[0], number)
            case "sweep":
                if user := call(rival, forgetting.next_to_forget, forgetting.PEOPLE):
                    call(rival, forgetting.forget_batch, forgetting.PEOPLE, *user)
            case _:
                raise ValueError(what)
    while call(store, counting.load_uncounted)[0]:
        count_at_once(stores)
    found = {
        (who, k): t
        for who in (ANA, BEN, RUI)
        for k, t in call(store, stats.tallies_of, who).items()
    }
    assert found == recount(history, forgotten)
    assert not call(store, stats.tallies_of, DELETED_USER_ID)
    assert not call(store, stats.tallies_of, VELHA)


# When it is time


def results(app: App) -> int:
    """How many matches of Ana's are counted."""
    return sum(tally.matches for tally in tallies_of(app, ANA).values())


@pytest.mark.logs_errors
async def test_what_could_not_be_counted_is_counted_later(app: App) -> None:
    app.add(over(1))
    with app.store.database.connection() as connection:
        connection.execute(text("ALTER TABLE duels RENAME TO lost"))
        assert not await counting.count_and_redraw(app.backend.runtime)
        assert results(app) == 0
        connection.execute(text("ALTER TABLE lost RENAME TO duels"))
    assert await counting.count_and_redraw(app.backend.runtime)
    assert results(app) == 1


async def test_matches_that_end_at_once_are_counted_together(app: App) -> None:
    """Each time costs more than all that is counted in it."""
    counts = 0

    @event.listens_for(app.store.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        nonlocal counts
        counts += "SET is_first" in sql or "SET counted" in sql

    async def end(number: int) -> None:
        app.add(over(number))
        await counting.count_soon(app.backend.runtime)

    await asyncio.gather(*map(end, range(1, 6)))
    assert call(app.store, counting.load_uncounted) == ([], [])
    assert counts == 1
    await end(6)
    assert call(app.store, counting.load_uncounted) == ([], []), "and so is what ends later"
    assert counts == 2
