"""The tables of moments, on SQLite always and on PostgreSQL where TEST_DATABASE_URL names one."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match_actions import end_by_moderator
from bot.domain.matches import Ending, EndReason, Place
from bot.domain.moments import GuessCount, Moment
from bot.store.store import Store
from engine import Mark
from tests.bot.store.test_matches import a_match, at_once

RESIGNED = Ending(EndReason.RESIGNED, Mark.X)
MATCH = replace(a_match(), moves=(0, 3, 1, 4), early_ending=RESIGNED)


def test_a_match_has_one_moment(store: Store) -> None:
    assert store.matches.add(MATCH)
    assert store.moments.load(1) is None
    added = at_once(lambda ply: store.moments.add(1, ply), [4] * 5)
    assert sorted(added) == [False] * 4 + [True]
    assert store.moments.load(1) == Moment(MATCH, 4)
    store.moments.record_message(1, 500)
    assert store.moments.load(1) == Moment(MATCH, 4, 500)
    store.moments.remove(1)
    assert store.moments.load(1) is None
    assert store.moments.add(1, 4)


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
        assert store.moments.add(match_id, 4)
        assert store.moments.add_guess(match_id, 11, is_found=True)
    assert store.moments.prune(20) == 2
    assert store.moments.guesses_of(11) == {2: True, 30: True}
    assert store.moments.load(2)
    assert store.moments.prune(20) == 0


def test_a_forgotten_server_has_no_moments(store: Store) -> None:
    assert store.matches.add(MATCH)
    assert store.moments.add(1, 4)
    store.privacy.forget_guild_matches(20, 10, end_by_moderator)
    assert store.moments.load(1) is None


def test_the_tries_of_a_deleted_person_are_deleted(store: Store) -> None:
    assert store.moments.add_guess(1, 11, is_found=True)
    assert store.moments.add_guess(1, 12, is_found=True)
    store.privacy.start_forgetting_user(11, 10)
    assert store.moments.count(1) == GuessCount(total=1, correct=1)
