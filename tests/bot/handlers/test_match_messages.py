"""Boards in their messages: posted, redrawn, and left alone."""

from __future__ import annotations

import pytest

from bot.client.bot import VelhaBot
from bot.handlers.match_messages import MatchMessages
from bot.messaging.emojis import Emojis
from bot.messaging.messages import Messages
from tests.bot.backend import Room
from tests.bot.client.test_tasks import errors
from tests.bot.drawn import MATCH, UNSHOWN, drawn


@pytest.fixture
def boards(room: Room, unconnected_bot: VelhaBot) -> MatchMessages:
    return MatchMessages(Messages(unconnected_bot, Emojis()), room.services.matches)


async def test_a_board_without_a_message_cannot_be_drawn(room: Room, boards: MatchMessages) -> None:
    assert not await boards.redraw(room.put(drawn(place=UNSHOWN, id=MATCH)))


async def test_redrawing_is_skipped_quietly_without_a_database(
    room: Room, boards: MatchMessages
) -> None:
    await room.backend.executor.finish((), 0)
    await boards.redraw_if_changed(drawn())


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_drawn_does_not_affect_others(
    boards: MatchMessages, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody foresaw one that is to be drawn before there is a connection."""
    await boards.redraw_all([drawn(), drawn(place=UNSHOWN)])
    assert errors(caplog) == ["A board could not be drawn."]
