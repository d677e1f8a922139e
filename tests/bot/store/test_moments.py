"""The tables of moments, on SQLite always and on PostgreSQL where TEST_DATABASE_URL names one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

from sqlalchemy import insert

from bot.domain.matches import Ending, EndReason, Place
from bot.domain.moments import GuessCount, Moment
from bot.store.schema import moments
from bot.store.store import Store
from engine import Mark
from tests.bot.databases import forget_person, forget_server
from tests.bot.example_matches import NOON
from tests.bot.store.test_matches import a_match, at_once

RESIGNED = Ending(EndReason.RESIGNED, Mark.X)
MATCH = replace(a_match(), moves=(0, 3, 1, 4), early_ending=RESIGNED)


def test_a_match_has_one_moment(store: Store) -> None:
    assert store.matches.add(MATCH)
    assert store.moments.load(1) is None
    for now in (NOON, NOON + timedelta(seconds=20)):
        claimed = at_once(partial(store.moments.claim, 1, 4), [now] * 5)
        assert sorted(claimed) == [False] * 4 + [True]
    assert store.moments.load(1) == Moment(MATCH, 4)
    assert not store.moments.claim(1, 4, NOON + timedelta(seconds=39))
    store.moments.record_message(1, 500)
    assert not store.moments.claim(1, 4, NOON + timedelta(days=1))
    assert store.moments.load(1) == Moment(MATCH, 4, 500)
    store.moments.remove(1)
    assert store.moments.load(1) is None
    assert store.moments.claim(1, 4, NOON)


def test_a_moment_that_an_older_release_has_claimed_counts_as_posted(store: Store) -> None:
    with store.engine.connect() as connection:
        connection.execute(insert(moments).values(match_id=1, ply=4))
    assert not store.moments.claim(1, 4, NOON)


def test_the_first_try_of_each_person_counts(store: Store) -> None:
    assert store.moments.count(1) == GuessCount()
    added = at_once(lambda _: store.moments.add_guess(1, 11, is_found=True), range(5))
    assert sorted(added) == [False] * 4 + [True]
    assert not store.moments.add_guess(1, 11, is_found=False)
    assert store.moments.add_guess(1, 12, is_found=False)
    assert store.moments.add_guess(2, 12, is_found=True)
    assert store.moments.count(1) == GuessCount(total=2, correct=1)
    assert store.moments.guesses_of(12) == {1: False, 2: True}


def test_moments_go_with_their_matches(store: Store) -> None:
    for match_id in (1, 2, 30):
        if match_id > 1:
            assert store.matches.add(replace(MATCH, id=match_id, place=Place(match_id, 20, "en")))
        assert store.moments.claim(match_id, 4, NOON)
        assert store.moments.add_guess(match_id, 11, is_found=True)
    assert store.moments.prune(20) == 2
    assert store.moments.guesses_of(11) == {2: True, 30: True}
    assert store.moments.load(2)
    assert store.moments.prune(20) == 0


def test_a_forgotten_server_has_no_moments(store: Store) -> None:
    assert store.matches.add(MATCH)
    assert store.moments.claim(1, 4, NOON)
    forget_server(store, 20, 10)
    assert store.moments.load(1) is None


def test_the_tries_of_a_deleted_person_are_deleted(store: Store) -> None:
    assert store.moments.add_guess(1, 11, is_found=True)
    assert store.moments.add_guess(1, 12, is_found=True)
    forget_person(store, 11, 10)
    assert store.moments.count(1) == GuessCount(total=1, correct=1)
