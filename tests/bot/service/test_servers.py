"""What is kept about servers: what they have chosen, until they are forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import URL

from bot.game.match import Ending, How, Match, Place
from bot.game.people import NOWHERE
from bot.store.schema import matches, memberships, servers
from bot.store.statements import FORGOTTEN_ROWS
from engine import Level
from tests.bot.drawn import CHANNEL, SERVER, drawn
from tests.bot.services import Room

ELSEWHERE = 31
LATER = 10_000
A_DAY = timedelta(days=1)


@pytest.fixture
async def room(url: URL) -> AsyncIterator[Room]:
    room = Room(url)
    yield room
    await room.close()


def finished(room: Room, number: int, guild_id: int | None = SERVER) -> Match:
    there = Place(CHANNEL + number, guild_id, "pt-BR", 500 + number)
    return room.put(drawn("xxx oo. ...", id=number, place=there))


def about(room: Room, guild_id: int) -> int:
    """How many rows of the tables know of a server."""
    with room.store._connections.one() as connection:
        rows = [connection.execute(t.select()).mappings() for t in (matches, memberships, servers)]
        return sum(row["guild_id"] == guild_id for table in rows for row in table)


async def look(room: Room, *guild_ids: int, days: int = 1) -> None:
    """Days pass, and the bot looks of which servers it is a member."""
    room.now += days * A_DAY
    await room.served.servers.look(guild_ids)
    await room.forget()


async def test_a_server_that_asks_is_forgotten_and_its_matches_are_nowhere(room: Room) -> None:
    over, other = finished(room, 1), finished(room, 2, ELSEWHERE)
    going = room.put(drawn("x.. .o. ...", id=3))
    await room.servers.set_level(SERVER, Level.EASY)
    forgotten = await room.servers.forget(SERVER, LATER)
    assert [match.ending for match in forgotten.also] == [Ending(How.STOPPED)]
    assert forgotten.also[0].place == going.place, "so that its board can be drawn a last time"
    await room.forget()
    for match in (over, going):
        place = room.stands(match).place
        assert (place.guild_id, place.channel_id, place.message_id) == (None, NOWHERE, None)
    assert room.stands(over).players == over.players
    assert room.stands(over).moves == over.moves
    assert room.stands(other) == other
    assert about(room, SERVER) == 0
    assert await room.servers.level(SERVER) is Level.IMPOSSIBLE


async def test_a_server_with_a_long_history_is_forgotten_in_batches(room: Room) -> None:
    for number in range(1, 2 * FORGOTTEN_ROWS + 3):
        finished(room, number)
    await room.servers.forget(SERVER, LATER)
    assert about(room, SERVER) > 0
    await room.forget()
    assert about(room, SERVER) == 0


async def test_a_server_is_forgotten_thirty_days_after_the_bot_was_found_to_have_left(
    room: Room,
) -> None:
    finished(room, 1)
    finished(room, 2, ELSEWHERE)
    await look(room, SERVER, ELSEWHERE)
    await look(room, ELSEWHERE)
    await look(room, ELSEWHERE, days=29)
    assert about(room, SERVER) > 0
    await look(room, ELSEWHERE)
    assert about(room, SERVER) == 0
    assert about(room, ELSEWHERE) == 2


async def test_a_server_that_the_bot_comes_back_to_is_remembered(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    await look(room)
    await look(room, SERVER, days=29)
    await look(room, days=2)
    await look(room, days=29)
    assert about(room, SERVER) > 0


async def test_servers_that_the_bot_was_never_a_member_of_are_not_meant(room: Room) -> None:
    finished(room, 1)
    await look(room, ELSEWHERE)
    await look(room, ELSEWHERE, days=60)
    assert about(room, SERVER) == 1


async def test_no_server_is_found_to_be_left_by_a_clock_that_is_wrong(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    room.host_is_fast_by = timedelta(minutes=3)
    await look(room)
    room.host_is_fast_by = timedelta()
    await look(room)
    assert about(room, SERVER) > 0


async def test_nothing_is_forgotten_by_a_clock_that_is_wrong(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    await look(room)
    room.host_is_fast_by = timedelta(minutes=3)
    await look(room, days=60)
    assert about(room, SERVER) > 0


async def test_a_board_that_is_posted_while_its_server_is_forgotten_is_nowhere(room: Room) -> None:
    going = room.put(drawn("x.. .o. ..."))
    await room.servers.forget(SERVER, LATER)
    await room.matches.shown(going, 700)
    assert room.stands(going).place.message_id is None


async def test_two_processes_may_look_at_once(room: Room, url: URL) -> None:
    if url.get_backend_name() == "sqlite":
        pytest.skip("it has one writer at a time, and the others wait")
    room.before_next(
        "INSERT INTO memberships", lambda: room.rival.memberships.note({SERVER}, room.now)
    )
    await look(room, SERVER, ELSEWHERE)
    assert about(room, SERVER) == 1
