"""Matches that a newer release plays on the same database, and that this one cannot read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.domain.ids import DELETED_USER_ID, MAX_ID
from bot.domain.match_actions import MatchAction
from bot.domain.matches import EndReason, Place
from bot.domain.refusals import RefusalReason
from bot.features.matches import expire_overdue
from bot.store.matches import MATCH_BATCH_SIZE
from tests.bot.backend import TURN, App, match_request
from tests.bot.databases import both_databases, forget_person
from tests.bot.example_matches import (
    ANA,
    BEN,
    CHANNEL,
    MATCH,
    NEXT_MATCH,
    NOON,
    PLAYED,
    SERVER,
    make_bot_match,
    make_match,
)
from tests.bot.logged import errors
from tests.bot.refusals import Refusal

CHANGES = ["o_level = 'GODLIKE'", "rules = '3x3'", "moves = 'B2B2'", f"ended_at = {MAX_ID}"]


def make_newer(app: App, change: str = CHANGES[0], where: str = f"id = {MATCH}") -> None:
    """Change rows as a newer release may have written them."""
    with app.store.database.transaction() as connection:
        connection.execute(text(f"UPDATE matches SET {change} WHERE {where}"))  # noqa: S608 - ours


def rows(app: App) -> list[tuple[int, bool, int, str | None]]:
    """The id, whether it is live, the version and the end of each match, as stored."""
    with app.store.database.connection() as connection:
        found = connection.execute(text("SELECT id, live, version, ended_how FROM matches"))
        return [(row.id, bool(row.live), row.version, row.ended_how) for row in found]


@both_databases
@pytest.mark.parametrize("change", CHANGES)
async def test_who_only_presses_or_asks_is_refused_and_ends_nothing(app: App, change: str) -> None:
    match = app.add(make_bot_match(PLAYED, deadline_at=NOON + TURN))
    make_newer(app, change)
    for outcome in (
        await app.play(match, 0),
        await app.concede(match),
        await app.press(match, MatchAction.REMATCH),
    ):
        assert outcome == Refusal(RefusalReason.UNKNOWN_MATCH)
    assert await app.stop() == Refusal(RefusalReason.NO_MATCH_HERE)
    assert await app.matches.repost(CHANNEL) == Refusal(RefusalReason.NO_MATCH_HERE)
    assert (await app.export(ANA))["matches"] == []
    assert await app.matches.expire() == []
    assert rows(app) == [(MATCH, True, 0, None)]


@pytest.mark.logs_errors
@both_databases
@pytest.mark.parametrize("change", CHANGES)
async def test_it_makes_way_for_a_new_match(
    app: App, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    app.add(make_bot_match(PLAYED, deadline_at=NOON + TURN))
    make_newer(app, change)
    await app.open(match_request(NEXT_MATCH, BEN, CHANNEL))
    assert sorted(rows(app)) == [
        (MATCH, False, 1, EndReason.CALLED_OFF.value),
        (NEXT_MATCH, True, 0, None),
    ]
    assert len(errors(caplog)) == 1


@pytest.mark.logs_errors
@both_databases
async def test_it_makes_way_for_a_rematch(app: App) -> None:
    over = app.add(make_bot_match("xxx oo. ...", id=MATCH - 1))
    app.add(make_bot_match(PLAYED, deadline_at=NOON + TURN))
    make_newer(app)
    await app.press(over, MatchAction.REMATCH)
    assert (MATCH, False, 1, EndReason.CALLED_OFF.value) in rows(app)
    assert app.load(replace(over, id=NEXT_MATCH)).is_live


@pytest.mark.logs_errors
@both_databases
async def test_many_whose_time_is_up_keep_no_other_from_ending(app: App) -> None:
    def place(number: int) -> Place:
        return Place(1_000 + number, SERVER, "pt-BR")

    app.add_all(make_bot_match(PLAYED, id=number, place=place(number)) for number in range(1, 202))
    make_newer(app, where="id < 201")
    app.now = NOON
    ended = []
    while (batch := await expire_overdue(app.backend.runtime)) is not None:
        ended += batch
    assert [match.id for match in ended] == [201]
    assert not any(is_live for _id, is_live, _version, _end in rows(app))


@pytest.mark.logs_errors
@both_databases
async def test_it_is_forgotten_with_its_player(app: App) -> None:
    numbers = range(1, MATCH_BATCH_SIZE + 50)
    app.add_all(
        make_match(PLAYED, id=number, place=Place(number, SERVER, "pt-BR"), deadline_at=NOON + TURN)
        for number in numbers
    )
    make_newer(app, "rules = '3x3'", where="id > 0")
    forget_person(app.store, ANA, before_id=10_000)
    await app.forget_all()
    with app.store.database.connection() as connection:
        players = connection.execute(text("SELECT DISTINCT x_id, live FROM matches")).all()
    assert [tuple(player) for player in players] == [(DELETED_USER_ID, False)]
