"""The table of matches, on SQLite always and on PostgreSQL where TEST_DATABASE_URL names one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy import URL, insert, text

from bot.domain.matches import Ending, EndReason, HeadToHead, Match, Place, Player
from bot.features.matches import end_overdue
from bot.store.match_rows import to_row
from bot.store.matches import (
    EXPIRE_BATCH_SIZE,
    LAST_MATCHES,
    PRUNE_BATCH_SIZE,
    add,
    compare_and_set,
    find_overdue,
    last_played_by,
    live_in,
    load_match,
    prune,
    prune_unplayed,
    record_message,
)
from bot.store.schema import matches
from bot.store.store import Store
from engine import INFINITE, TIC_TAC_TOE, Level, Mark, Rules
from tests.bot.databases import call, count_hint, on_postgresql, wait_for_waiters
from tests.bot.example_matches import NOON

Given = TypeVar("Given")
Result = TypeVar("Result")


def a_match(match_id: int = 1, channel_id: int = 10) -> Match:
    return Match(
        id=match_id,
        place=Place(channel_id, 20, "pt-BR"),
        x=Player(11),
        o=Player(12, Level.MEDIUM),
        opened_by=11,
        accepted=True,
        deadline_at=NOON,
    )


def at_once(work: Callable[[Given], Result], given: Iterable[Given]) -> list[Result]:
    """Do the same with each, in as many threads."""
    with ThreadPoolExecutor(20) as threads:
        return list(threads.map(work, given))


@pytest.mark.parametrize(
    "match",
    [
        a_match(),
        replace(a_match(), accepted=False, o=Player(12)),
        replace(a_match(), moves=(4, 0, 8)),
        replace(a_match(), moves=(0, 3, 1, 4, 2)),
        replace(a_match(), moves=(0, 1, 2, 4, 3, 5, 7, 6, 8)),
        replace(a_match(), early_ending=Ending(EndReason.RESIGNED, Mark.O), rematch_asked_by=12),
        replace(a_match(), early_ending=Ending(EndReason.STOPPED), next_id=2),
        replace(a_match(), rules=Rules(5, 5, 4), moves=(24, 0, 20), x=Player(1, Level.EASY)),
        replace(a_match(), rules=INFINITE, moves=(0, 1, 2, 4, 6, 8, 5, 3, 0)),
        replace(
            a_match(),
            turn_minutes=7,
            is_open=True,
            hints=2,
            ended_at=NOON,
            head_to_head=HeadToHead(1, 2, 3),
        ),
        replace(a_match(2**63 - 1, 2**63 - 1), place=Place(2**63 - 1, None, "en-US", 2**63 - 1)),
    ],
)
def test_a_match_is_loaded_as_it_was_stored(store: Store, match: Match) -> None:
    assert call(store, add, match)
    assert call(store, load_match, match.id) == match


def test_an_unknown_match_is_none(store: Store) -> None:
    assert call(store, load_match, 404) is None
    assert call(store, live_in, 404) is None


def test_a_channel_holds_one_live_match(store: Store) -> None:
    first = a_match()
    assert call(store, add, first)
    assert not call(store, add, a_match(2))
    assert call(store, live_in, 10) == first
    assert call(store, add, a_match(3, channel_id=11))


def test_a_finished_match_frees_its_channel(store: Store) -> None:
    call(store, add, a_match())
    call(store, compare_and_set, replace(a_match(), early_ending=Ending(EndReason.STOPPED)))
    assert call(store, live_in, 10) is None
    assert call(store, add, a_match(2))


def test_only_the_first_of_two_changes_to_a_version_is_kept(store: Store) -> None:
    call(store, add, a_match())
    first = call(store, compare_and_set, replace(a_match(), moves=(4,)))
    second = call(store, compare_and_set, replace(a_match(), moves=(0,)))
    assert first == replace(a_match(), moves=(4,), version=1)
    assert second is None
    assert call(store, load_match, 1) == first


def test_exactly_one_of_many_concurrent_changes_is_kept(store: Store) -> None:
    call(store, add, a_match())
    changes = [replace(a_match(), moves=(cell,)) for cell in TIC_TAC_TOE.cells]
    saved = [
        match
        for match in at_once(lambda changed: call(store, compare_and_set, changed), changes)
        if match is not None
    ]
    assert len(saved) == 1
    assert call(store, load_match, 1) == saved[0]


def test_exactly_one_of_many_matches_opened_at_once_is_kept(store: Store) -> None:
    assert sum(at_once(lambda number: call(store, add, a_match(number)), range(1, 21))) == 1


def test_the_newest_message_is_the_board_s(store: Store) -> None:
    call(store, add, a_match())
    for message_id, expected in ((100, 100), (99, 100), (101, 101)):
        call(store, record_message, 1, message_id)
        match = call(store, load_match, 1)
        assert match is not None
        assert match.place.message_id == expected
        assert match.version == 0, "moving a board is no move"


def test_a_concurrent_move_does_not_bring_the_old_message_back(store: Store) -> None:
    call(store, add, a_match())
    call(store, record_message, 1, 100)
    loaded = call(store, load_match, 1)
    assert loaded is not None
    call(store, record_message, 1, 101)
    assert call(store, compare_and_set, replace(loaded, moves=(4,))) is not None
    match = call(store, load_match, 1)
    assert match is not None
    assert match.place.message_id == 101


def test_an_overdue_match_is_ended_once(store: Store) -> None:
    call(store, add, a_match())
    call(store, add, replace(a_match(2, channel_id=11), deadline_at=NOON + timedelta(minutes=1)))
    assert call(store, find_overdue, NOON) == [1]
    sweeps = at_once(lambda match_id: call(store, end_overdue, match_id, NOON), [1, 2] * 4)
    ended = [match for match in sweeps if match]
    assert [match.id for match in ended] == [1]
    assert ended[0].ending == Ending(EndReason.CALLED_OFF)
    assert call(store, load_match, 1) == ended[0]
    assert call(store, live_in, 11) is not None


def test_either_a_move_or_the_end_of_its_time_comes_first(store: Store) -> None:
    """One process has just loaded the match; another's sweep finds its time to be up."""
    call(store, add, a_match())
    moved = replace(a_match(), moves=(4,), deadline_at=NOON + timedelta(minutes=30))
    works: list[Callable[[], Any]] = [
        lambda: call(store, compare_and_set, moved),
        lambda: call(store, end_overdue, 1, NOON),
    ]
    saved, ended = at_once(lambda work: work(), works)
    assert bool(saved) is not bool(ended)
    assert call(store, load_match, 1) == (saved or ended)


@on_postgresql
def test_a_sweep_waits_for_a_move_that_is_being_stored(store: Store, url: URL) -> None:
    call(store, add, a_match())
    other = Store.at(url)
    moved = replace(a_match(), moves=(4,), deadline_at=NOON + timedelta(minutes=30))
    with ThreadPoolExecutor() as threads:
        with other.database.transaction() as connection:
            saved = compare_and_set(connection, moved)
            sweep = threads.submit(call, store, end_overdue, 1, NOON)
            wait_for_waiters(1, connection)
        assert sweep.result() is None
    assert call(store, load_match, 1) == saved
    other.close()


def test_old_matches_are_pruned_once_they_are_over(store: Store) -> None:
    for match_id in (1, 2, 3):
        assert call(store, add, a_match(match_id, channel_id=match_id))
    for match_id in (1, 3):
        call(
            store,
            compare_and_set,
            replace(a_match(match_id), early_ending=Ending(EndReason.STOPPED)),
        )
    assert call(store, prune, NOON, before_id=3) == 0, "their time would not have been up"
    later = NOON + timedelta(seconds=1)
    assert call(store, prune, later, before_id=3) == 1
    assert [call(store, load_match, match_id) is None for match_id in (1, 2, 3)] == [
        True,
        False,
        False,
    ]
    assert call(store, prune, later, before_id=3) == 0


def test_matches_are_pruned_in_batches_the_oldest_first(store: Store) -> None:
    over = replace(a_match(), early_ending=Ending(EndReason.STOPPED))
    ids = range(1, PRUNE_BATCH_SIZE + 2)
    rows = [to_row(replace(over, id=number)) for number in ids]
    with store.database.transaction() as connection:
        connection.execute(insert(matches), rows)
    assert call(store, prune, NOON + timedelta(days=1), before_id=10**6) == PRUNE_BATCH_SIZE
    assert call(store, load_match, PRUNE_BATCH_SIZE + 1) is not None
    assert call(store, prune, NOON + timedelta(days=1), before_id=10**6) == 1


def test_overdue_matches_are_found_in_batches_the_longest_overdue_first(store: Store) -> None:
    for number in range(1, EXPIRE_BATCH_SIZE + 2):
        due = replace(a_match(number, number), deadline_at=NOON - timedelta(seconds=number))
        assert call(store, add, due)
    batch = call(store, find_overdue, NOON)
    assert batch == list(range(EXPIRE_BATCH_SIZE + 1, 1, -1))
    for match_id in [*batch, 1]:
        assert call(store, end_overdue, match_id, NOON)
    assert call(store, find_overdue, NOON) is None


def test_a_hint_is_counted_once_a_version_and_survives_a_concurrent_move(store: Store) -> None:
    call(store, add, a_match())
    for _ in range(2):
        assert count_hint(store, a_match())
    assert call(store, compare_and_set, replace(a_match(), moves=(4,))) is None, (
        "it was loaded before the hint"
    )
    loaded = call(store, load_match, 1)
    assert loaded is not None
    assert loaded.hints == 1
    moved = call(store, compare_and_set, replace(loaded, moves=(4,)))
    assert moved is not None
    assert not count_hint(store, loaded), "that match has changed since"
    assert count_hint(store, moved)
    again = call(store, load_match, 1)
    assert again is not None
    assert again.hints == 2


def test_somebody_s_last_matches_are_over_and_have_moves(store: Store) -> None:
    as_x = replace(a_match(), moves=(4,), early_ending=Ending(EndReason.RESIGNED, Mark.O))
    as_o = replace(as_x, x=as_x.o, o=as_x.x)
    for number in range(1, LAST_MATCHES + 3):
        match = as_o if number % 2 else as_x
        call(store, add, replace(match, id=number, place=Place(number, 20, "pt-BR")))
    call(store, add, replace(as_x, id=90, moves=()))
    call(store, add, replace(a_match(91), moves=(4,)))
    call(store, add, replace(as_x, id=92, x=Player(13)))
    found = [match.id for match in call(store, last_played_by, 11)]
    assert found == list(range(LAST_MATCHES + 2, 2, -1))
    assert call(store, last_played_by, 14) == []


def test_only_matches_that_ended_without_a_move_are_pruned_early(store: Store) -> None:
    ended = Ending(EndReason.DECLINED)
    kept = [
        replace(a_match(1, channel_id=1), moves=(4,), early_ending=ended),
        a_match(2, channel_id=2),
        replace(a_match(20, channel_id=3), early_ending=ended),
    ]
    for match in [*kept, replace(a_match(3, channel_id=4), early_ending=ended)]:
        assert call(store, add, match)
    assert call(store, prune_unplayed, before_id=10) == 1
    assert call(store, load_match, 3) is None
    assert [call(store, load_match, match.id) for match in kept] == kept


def test_a_match_that_an_older_release_could_not_read_is_over(store: Store) -> None:
    call(store, add, a_match())
    with store.database.connection() as connection:
        connection.execute(text("UPDATE matches SET live = FALSE"))
    ended = call(store, load_match, 1)
    assert ended is not None
    assert ended.ending == Ending(EndReason.CALLED_OFF)
