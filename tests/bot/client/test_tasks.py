"""Background tasks: round after round, whatever goes wrong in one."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import parse_url
from bot.store.store import Store
from tests.bot.backend import Room
from tests.bot.drawn import (
    NOON,
    UNSHOWN,
    drawn,
)
from tests.bot.handlers.test_privacy import everything
from tests.bot.house import TURN_MINUTES, Seen, SimulatedGuild, told

PLAYED = "x.. .o. ..."


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = [record for record in caplog.records if record.levelno >= logging.ERROR]
    return [record.getMessage() for record in records]


@pytest.mark.logs_errors
async def test_an_unexpected_error_in_a_sweep_is_logged_and_the_next_sweep_works(
    room: Room, unconnected_bot: VelhaBot, caplog: pytest.LogCaptureFixture
) -> None:
    match = room.put(drawn(PLAYED, place=UNSHOWN))
    room.now = NOON
    room.break_clock(ZeroDivisionError("the host's clock is broken"))
    await unconnected_bot.background_tasks.sweep()
    assert room.stands(match).is_live
    assert errors(caplog) == ["A sweep failed."]
    await unconnected_bot.background_tasks.sweep()
    assert not room.stands(match).is_live
    assert len(errors(caplog)) == 1


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")


# Servers that the bot has left


async def test_memberships_are_recorded_once_a_day(
    house: SimulatedGuild,
) -> None:
    asked = ("GET", "/users/@me/guilds")
    await house.ana.slash(house.channel, "velha help")  # which tells the time
    await house.let_pass(minutes=12)
    assert house.requests().count(asked) == 1
    await house.let_pass(minutes=20)
    assert house.requests().count(asked) == 1
    assert str(house.guild.id) in everything(house)


async def test_a_failed_request_for_memberships_is_logged_and_harms_nothing(
    house: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    house.fail("/users/@me/guilds", (403, 50001))
    await house.let_pass(minutes=12)
    assert "The bot's servers could not be fetched" in caplog.text
    house.recover()
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert house.board().count("x") == 1


# Matches whose time is up


@pytest.mark.logs_errors
async def test_a_database_error_does_not_stop_the_sweeps(house: SimulatedGuild) -> None:
    await house.challenge()
    house.break_database()
    await house.let_pass(minutes=TURN_MINUTES)
    house.mend_database()
    await house.env.advance_time(20)
    assert "called off" in house.text()


@pytest.mark.logs_errors
async def test_a_row_that_cannot_be_read_does_not_stop_the_sweeps(house: SimulatedGuild) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana)
    await house.start(house.ana, channel=other)
    house.sql(
        f"UPDATE matches SET o_level = 'GODLIKE' WHERE channel_id = {other.id}"  # noqa: S608 - ours
    )
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()
    await house.start(house.ben, channel=other)
    assert len(house.everything_seen(other)) == 2
    assert house.is_live(other)


async def test_matches_are_pruned_after_the_configured_days(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.resign(house.ana)
    house.settings = replace(house.settings, keep_days=1)
    for days, is_known in ((0, True), (2, False)):
        house.env.backend.advance_clock(days * 24 * 60 * 60)
        await house.restart()
        await house.ben.slash(house.channel, "velha help")  # which says what time it is
        await house.env.advance_time(20)
        store = Store.open(house.settings.database_url)
        assert (store.matches.load(match_id_of(house.seen())) is not None) is is_known
        store.close()
    assert "Não conheço esta partida" in told(await house.press(house.ana, "Rematch"))


def match_id_of(seen: Seen) -> int:
    return int(seen.buttons["Rematch"]["custom_id"].split(":")[1])
