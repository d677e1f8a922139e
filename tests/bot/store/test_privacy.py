"""Deleting people and servers, in batches and by several processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import URL, create_engine, text

from bot.domain.match_actions import end_by_moderator, leave
from bot.domain.matches import Ending, EndReason, Place, Player
from bot.store.privacy import PrivacyTable
from bot.store.store import Store
from engine import Mark
from tests.bot.store.test_matches import a_match


@pytest.mark.logs_errors
def test_rows_that_cannot_be_read_are_logged_once_and_finished_matches_stay(
    store: Store, url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 6):
        over = replace(a_match(number), early_ending=Ending(EndReason.RESIGNED, Mark.X))
        store.matches.add(over)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET rules = '3x3' WHERE id > 1"))
    assert [match.id for match in store.privacy.matches_of(11, 10)[0]] == [1]
    with engine.begin() as connection:
        reason = connection.execute(text("SELECT DISTINCT ended_how FROM matches")).scalars().all()
    engine.dispose()
    assert reason == ["resigned"], "a newer release may well read them"
    assert len(caplog.records) == 1
    assert "4 matches" in caplog.text


Marking = Callable[[int, int], None]
Reading = Callable[[], tuple[int, int] | None]


def forgetting(privacy: PrivacyTable) -> list[tuple[Marking, Reading, Marking]]:
    """How forgetting starts, who is next and how it ends: of people, then of servers."""
    return [
        (
            privacy.start_forgetting_user,
            privacy.next_user_to_forget,
            privacy.finish_forgetting_user,
        ),
        (
            privacy.start_forgetting_guild,
            privacy.next_guild_to_forget,
            privacy.finish_forgetting_guild,
        ),
    ]


def test_a_second_request_during_a_deletion_is_not_lost(store: Store) -> None:
    for start, to_forget, finish in forgetting(store.privacy):
        start(11, 1)
        start(11, 2)
        finish(11, 1)
        assert to_forget() == (11, 2)
        finish(11, 2)
        assert to_forget() is None


def test_of_two_deletions_asked_for_at_once_the_other_is_not_lost(
    store: Store,
) -> None:
    for start, to_forget, finish in forgetting(store.privacy):
        for its_id in (11, 12):
            start(its_id, 1)
        finish(11, 1)
        assert to_forget() == (12, 1)


def test_a_deleted_row_cannot_be_changed_by_a_version_loaded_before(store: Store) -> None:
    over = replace(a_match(1, channel_id=1), early_ending=Ending(EndReason.RESIGNED, Mark.O))
    there = replace(over, id=2, place=Place(2, 21, "pt-BR"), x=Player(13), opened_by=13)
    assert store.matches.add(over)
    assert store.matches.add(there)
    store.privacy.forget_user_matches(11, 10, leave)
    store.privacy.forget_guild_matches(21, 10, end_by_moderator)
    for match in (over, there):
        assert store.matches.save(replace(match, rematch_asked_by=12)) is None
