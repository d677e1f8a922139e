"""How much the database has to do: few statements, each by an index, however long the history."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import URL, event

from bot.arena import Answer, Arena, Opened, Pressed, Turn
from bot.match import Match, Player
from bot.press import Press, Verb
from bot.store import Store
from engine import Level
from tests.bot.databases import plan_of
from tests.bot.test_clock import clock_at
from tests.bot.test_store import NOW, a_match

ANA, BEN, CHANNEL = 11, 12, 10
LIMIT = timedelta(minutes=30)
_NOT_SEARCHING = ("BEGIN", "COMMIT", "INSERT")


class Counted:
    """An arena, and the statements that its store sent."""

    def __init__(self, url: URL) -> None:
        self.store = Store.open(url)
        self.statements: list[tuple[str, Any]] = []
        self.arena = Arena(
            self.store,
            clock=clock_at(NOW),
            rng=random.Random(1),
            turn_limit=LIMIT,
            challenge_limit=LIMIT,
        )
        event.listen(self.store._connections.engine, "before_cursor_execute", self._note)

    def _note(self, _c: object, _cursor: object, sql: str, given: object, *_more: object) -> None:
        if sql != "SELECT 1":  # that asks whether a connection idle for a while still stands
            self.statements.append((sql, given))

    def kinds(self, work: Callable[..., Any], *given: Any) -> list[str]:
        """The first words of the statements that something takes."""
        self.statements.clear()
        work(*given)
        return [sql.split()[0] for sql, _given in self.statements]

    def hint(self, match: Match) -> Match | Answer:
        by = Pressed(ANA, CHANNEL, message_id=100, new_id=match.id + 1)
        return self.arena.hint(Press(match.id, match.version, Verb.HINT), by)

    def press(self, match: Match, verb: Verb, who: int, cell: int | None = None) -> Answer | Opened:
        message_id = match.place.message_id or 100
        by = Pressed(who, CHANNEL, message_id, new_id=match.id + 1)
        answer = self.arena.press(Press(match.id, match.version, verb, cell), by)
        assert not isinstance(answer, Turn), "on 3x3 the bot replies at once"
        return answer


@pytest.fixture
def counted(url: URL) -> Iterator[Counted]:
    counted = Counted(url)
    yield counted
    counted.store.close()


def opened(counted: Counted, **changes: Any) -> Match:
    match = replace(a_match(), deadline_at=NOW + LIMIT, **changes)
    assert isinstance(counted.arena.open(match), Opened)
    counted.arena.shown(match, 100)
    stands = counted.store.load(match.id)
    assert stands is not None
    return stands


def test_a_match_is_opened_by_one_statement(counted: Counted) -> None:
    match = replace(a_match(), deadline_at=NOW + LIMIT)
    assert counted.kinds(counted.arena.open, match) == ["INSERT"]
    assert counted.kinds(counted.arena.shown, match, 100) == ["UPDATE"]


def test_a_move_takes_two_statements_the_bot_s_reply_included(counted: Counted) -> None:
    match = opened(counted)
    assert counted.kinds(counted.press, match, Verb.PLAY, ANA, 4) == ["SELECT", "UPDATE"]
    stands = counted.store.load(match.id)
    assert stands is not None
    assert len(stands.moves) == 2


def test_a_hint_takes_two_statements(counted: Counted) -> None:
    match = opened(counted)
    assert counted.kinds(counted.hint, match) == ["SELECT", "UPDATE"]


def test_a_match_that_cannot_be_shown_is_given_up_though_a_hint_came_between(
    counted: Counted,
) -> None:
    match = replace(a_match(), deadline_at=NOW + LIMIT, x=Player(BEN, Level.EASY), o=Player(ANA))
    posted = counted.arena.open(match).match
    assert posted is not None
    assert counted.arena.open_lesson(CHANNEL, ANA).moves == posted.moves
    counted.arena.abandon(posted)
    assert counted.arena.live_match(CHANNEL) is None


def test_what_a_server_has_chosen_and_a_channel_s_last_match_take_one_each(
    counted: Counted,
) -> None:
    assert counted.kinds(counted.arena.level_in, 7) == ["SELECT"]
    assert counted.kinds(counted.arena.last_played, CHANNEL) == ["SELECT"]


def test_a_refused_press_takes_one(counted: Counted) -> None:
    match = opened(counted)
    assert counted.kinds(counted.press, match, Verb.PLAY, BEN + 1, 4) == ["SELECT"]


def test_a_rematch_is_one_transaction(counted: Counted) -> None:
    over = played_and_resigned(counted, opened(counted))
    kinds = counted.kinds(counted.press, over, Verb.REMATCH, ANA)
    assert kinds == ["SELECT", "BEGIN", "UPDATE", "INSERT", "COMMIT"]


def played_and_resigned(counted: Counted, match: Match) -> Match:
    cell = match.board.actions()[0]
    played = counted.press(match, Verb.PLAY, ANA, cell).match
    assert played is not None
    over = counted.press(played, Verb.RESIGN, ANA).match
    assert over is not None
    return over


def test_however_many_rematches_followed_an_old_press_takes_two(counted: Counted) -> None:
    match = first = opened(counted)
    for number in range(20):
        over = played_and_resigned(counted, match)
        answer = counted.press(over, Verb.REMATCH, ANA)
        assert isinstance(answer, Opened)
        counted.arena.shown(answer.match, 101 + number)
        stands = counted.store.load(answer.match.id)
        assert stands is not None
        match = stands
    assert counted.kinds(counted.press, first, Verb.PLAY, ANA, 4) == ["SELECT", "SELECT"]


def test_a_challenge_takes_one_more_to_know_whom_it_may_ping(counted: Counted) -> None:
    challenge = replace(a_match(), o=Player(BEN), accepted=False, deadline_at=NOW + LIMIT)
    assert counted.kinds(counted.arena.open, challenge) == ["INSERT", "SELECT"]


def test_a_sweep_that_finds_nothing_takes_one_transaction(counted: Counted) -> None:
    opened(counted)
    assert counted.kinds(counted.arena.sweep) == ["BEGIN", "SELECT", "COMMIT"]


def test_every_statement_of_a_match_s_life_goes_by_an_index(counted: Counted) -> None:
    match = opened(counted)
    counted.hint(match)
    counted.press(match, Verb.PLAY, ANA, 4)
    over = counted.arena.stop(CHANNEL, ANA, is_moderator=False).match
    assert over is not None
    counted.press(over, Verb.REMATCH, ANA)
    counted.press(match, Verb.PLAY, ANA, 4)
    challenge = replace(a_match(7, channel_id=11), o=Player(BEN), accepted=False)
    counted.arena.open(replace(challenge, deadline_at=NOW + LIMIT))
    counted.arena.live_match(CHANNEL)
    counted.arena.last_played(CHANNEL)
    counted.arena.sweep()
    assert counted.arena.prune(timedelta(days=1)) == 0
    searches = [s for s in counted.statements if s[0].split()[0] not in _NOT_SEARCHING]
    assert len(searches) >= 10
    with counted.store._connections.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            # A few rows are read faster without: whether an index could be used is what matters.
            connection.exec_driver_sql("SET enable_seqscan = off")
        for sql, given in searches:
            plan = "\n".join(plan_of(connection, sql, given))
            assert "SCAN matches" not in plan, f"{sql}\n{plan}"
            assert "Seq Scan on matches" not in plan, f"{sql}\n{plan}"
            if connection.dialect.name == "postgresql":
                assert "Index Cond" in plan, f"{sql}\n{plan}"
