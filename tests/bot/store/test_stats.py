"""Counting matches: each once, by however many processes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import URL, event, text

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import leave
from bot.domain.matches import (
    Ending,
    EndReason,
    Match,
    MatchResult,
    Place,
    Player,
    result_for,
)
from bot.domain.stats import Tally, TallyKey
from bot.store.schema import COUNTING_LOCK
from bot.store.store import Store
from engine import Level, Mark
from tests.bot.backend import App
from tests.bot.databases import delete_all_rows, on_postgresql
from tests.bot.example_matches import ANA, BEN, NOON, RUI, VELHA, make_match

X_WON, DRAWN, O_WON = "xxx oo. ...", "xox xoo oxx", "xx. ooo x.."


def over(number: int, board: str = X_WON, **changes: Any) -> Match:
    """A match that is over, in a channel of its own; those with greater numbers ended later."""
    place = Place(1_000 + number, 20, "pt-BR", message_id=500 + number)
    ended_at = NOON - timedelta(minutes=11) + timedelta(seconds=number)
    given: dict[str, Any] = {"id": number, "place": place, "ended_at": ended_at} | changes
    return make_match(board, **given)


@on_postgresql
def test_only_one_of_two_processes_counts_at_a_time(app: App) -> None:
    match = app.add(over(1))
    with app.other_store.database.transaction() as connection:
        connection.execute(text("SELECT * FROM facts WHERE name = 'counting' FOR UPDATE"))
        assert app.store.stats.count([match.id], {}) == []
    assert app.store.stats.count([match.id], {}) == [match]


def test_whoever_counts_locks_the_row_for_it(store: Store) -> None:
    store.key_values.put("another", "fact")
    with store.database.autocommit() as connection:
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
    ids, _matches = store.stats.uncounted()
    numbers = count(1)

    def stop(*_given: object) -> None:
        if next(numbers) == at_statement:
            raise CrashError

    engine = store.database.engine
    event.listen(engine, "before_cursor_execute", stop)
    with suppress(CrashError):
        store.stats.count(ids, {})
    event.remove(engine, "before_cursor_execute", stop)


def count_at_once(stores: list[Store]) -> None:
    def work(store: Store) -> None:
        ids, _matches = store.stats.uncounted()
        store.stats.count(ids, {})

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


def test_after_any_history_the_tallies_equal_a_fresh_count(url: URL) -> None:
    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
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
                assert store.matches.add(history[-1])
            case "count":
                count_at_once(stores)
            case "crash":
                crash_while_counting(rival, *given_with)
            case "forget":
                forgotten[given_with[0]] = number
                store.privacy.start_forgetting_user(given_with[0], number)
            case "sweep":
                if user := rival.privacy.next_user_to_forget():
                    rival.privacy.forget_user_matches(*user, leave)
            case _:
                raise ValueError(what)
    while store.stats.uncounted()[0]:
        count_at_once(stores)
    found = {(who, k): t for who in (ANA, BEN, RUI) for k, t in store.stats.tallies(who).items()}
    assert found == recount(history, forgotten)
    assert not store.stats.tallies(DELETED_USER_ID)
    assert not store.stats.tallies(VELHA)
