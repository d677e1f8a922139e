"""What time brings about, by itself; and sweep after sweep, whatever goes wrong in one."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import parse_url
from bot.domain.ids import time_snowflake
from bot.domain.match_actions import BoardChanged, MatchAction, PressOutcome
from bot.domain.matches import Ending, EndReason, Match, MatchOpened, MatchStopped
from bot.domain.refusals import Refusal, Refused
from bot.handlers.boards import BoardMessages
from bot.messaging.emojis import Emojis
from bot.messaging.messages import Messages
from bot.services.clock import Clock
from bot.services.matches import MatchService
from engine import Mark
from tests.bot.backend import YEAR, Backend, Room
from tests.bot.drawn import ANA, BEN, CHANNEL, MATCH, NEXT, NOON, UNSHOWN, against_velha, drawn

PLAYED = "x.. .o. ..."
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STOPPED = Ending(EndReason.STOPPED)


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")


def keeping(room: Room, keep: timedelta) -> MatchService:
    """The service of a host who keeps matches for so long."""
    return Backend(room.store, room.clock, keep=keep).services.matches


# Ending


async def test_what_is_due_is_ended_once_and_nothing_else(room: Room) -> None:
    due = room.put(drawn(PLAYED))
    other = replace(due, id=NEXT, place=UNSHOWN, deadline_at=NOON + HOUR)
    room.put(replace(other, place=replace(UNSHOWN, channel_id=CHANNEL + 1)))
    assert await room.services.matches.expire() == []
    room.now = NOON
    over = replace(due, early_ending=Ending(EndReason.TIMED_OUT, Mark.O), ended_at=NOON, version=1)
    assert await room.services.matches.expire() == [over]
    assert await room.services.matches.expire() == []


async def test_nothing_ends_or_is_forgotten_while_nobody_knows_what_time_it_is(
    room: Room,
) -> None:
    due = room.put(drawn(PLAYED))
    old = room.put(drawn(id=NEXT, early_ending=STOPPED))
    unheard_of = Clock(lambda: NOON + 1000 * DAY)
    matches = Backend(room.store, unheard_of, keep=DAY).services.matches
    assert await matches.expire() == []
    assert await matches.prune() == 0
    assert (room.stands(due), room.stands(old)) == (due, old)


# Forgetting


def over_since(room: Room, ago: timedelta, board: str) -> Match:
    moment = room.now - ago
    return drawn(board, id=time_snowflake(moment), early_ending=STOPPED, deadline_at=moment)


@pytest.mark.parametrize(
    ("board", "keep", "ago", "forgotten"),
    [
        (PLAYED, YEAR, 300 * DAY, 0),
        (PLAYED, 3 * DAY, 3 * DAY - HOUR, 0),
        (PLAYED, 3 * DAY, 3 * DAY + HOUR, 1),
        (PLAYED, 50_000 * DAY, 3 * DAY, 0),
        ("... ... ...", YEAR, DAY - HOUR, 0),
        ("... ... ...", YEAR, DAY + HOUR, 1),
        ("... ... ...", 50_000 * DAY, DAY + HOUR, 1),
    ],
)
async def test_matches_are_kept_as_long_as_the_host_says_and_those_without_a_move_for_a_day(
    room: Room, board: str, keep: timedelta, ago: timedelta, forgotten: int
) -> None:
    room.now = datetime(2045, 1, 1, tzinfo=UTC)
    room.clock.observe(room.now)
    over = room.put(over_since(room, ago, board))
    matches = keeping(room, keep)
    assert await matches.prune() == 0, "nothing is forgotten that has not been counted"
    await room.count()
    assert await matches.prune() == forgotten
    assert (await room.services.matches.load(over.id) is None) is bool(forgotten)


async def test_a_sweep_tells_how_many_it_forgot_of_both_kinds(room: Room) -> None:
    for days, board in ((4, PLAYED), (5, PLAYED), (6, "... ... ...")):
        room.put(over_since(room, days * DAY, board))
    await room.count()
    assert await keeping(room, 3 * DAY).prune() == 3


# Again and again


@pytest.fixture
async def bot(room: Room, url: URL) -> AsyncIterator[VelhaBot]:
    async with room.unconnected_bot(url) as bot:
        yield bot


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = [record for record in caplog.records if record.levelno >= logging.ERROR]
    return [record.getMessage() for record in records]


@pytest.mark.logs_errors
async def test_a_sweep_that_fails_in_a_way_nobody_foresaw_is_logged_and_the_next_works(
    room: Room, bot: VelhaBot, caplog: pytest.LogCaptureFixture
) -> None:
    match = room.put(drawn(PLAYED, place=UNSHOWN))
    room.now = NOON
    room.break_clock(ZeroDivisionError("the host's clock is broken"))
    await bot.background_tasks.sweep()
    assert room.stands(match).is_live
    assert errors(caplog) == ["A sweep failed."]
    await bot.background_tasks.sweep()
    assert not room.stands(match).is_live
    assert len(errors(caplog)) == 1


# What comes too late to be said in answer


async def test_a_match_opened_too_late_to_be_shown_gives_its_channel_back(
    room: Room, bot: VelhaBot
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await bot.handlers.matches.show_late(MatchOpened(match))
    assert not room.stands(match).is_live


@pytest.mark.parametrize(
    "late",
    [
        Refused(Refusal.CHANNEL_BUSY, drawn(place=UNSHOWN)),
        BoardChanged(drawn(place=UNSHOWN)),
        MatchStopped(drawn(place=UNSHOWN)),
    ],
)
async def test_whatever_else_comes_late_ends_nobody_s_match(
    room: Room, bot: VelhaBot, late: PressOutcome
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await bot.handlers.matches.show_late(late)
    assert room.stands(match) == match


@pytest.mark.logs_errors  # there is no connection by which to draw the old board
@pytest.mark.parametrize(
    ("before", "asked"),
    [(drawn("xxx oo. ...", rematch_asked_by=BEN), BEN), (against_velha("xxx oo. ..."), None)],
)
async def test_a_rematch_opened_too_late_may_be_asked_for_again(
    room: Room, bot: VelhaBot, before: Match, asked: int | None
) -> None:
    room.put(before)
    opened = await room.press(before, MatchAction.REMATCH, ANA)
    assert isinstance(opened, MatchOpened)
    await bot.handlers.matches.show_late(opened)
    assert not room.stands(opened.match).is_live
    stands = room.stands(before)
    assert stands.rematch_asked_by == asked
    again = await room.press(stands, MatchAction.REMATCH, ANA, interaction_id=NEXT + 1)
    assert isinstance(again, MatchOpened)


async def test_a_match_that_another_process_showed_is_not_given_back(
    room: Room, bot: VelhaBot
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await room.services.matches.record_shown(match, 100)
    await bot.handlers.matches.show_late(MatchOpened(match))
    assert room.stands(match).is_live


@pytest.fixture
def boards(room: Room, bot: VelhaBot) -> BoardMessages:
    return BoardMessages(Messages(bot, Emojis()), room.services.matches)


async def test_a_board_without_a_message_cannot_be_drawn(room: Room, boards: BoardMessages) -> None:
    assert not await boards.redraw(room.put(drawn(place=UNSHOWN, id=MATCH)))


async def test_a_board_that_was_drawn_is_drawn_though_nobody_knows_how_it_stands(
    room: Room, boards: BoardMessages
) -> None:
    await room.backend.executor.finish((), 0)
    await boards.redraw_if_changed(drawn())


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_drawn_disturbs_no_other(
    boards: BoardMessages, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody foresaw one that is to be drawn before there is a connection."""
    await boards.redraw_all([drawn(), drawn(place=UNSHOWN)])
    assert errors(caplog) == ["A board could not be drawn."]
