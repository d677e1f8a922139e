"""Boards in their messages: posted, redrawn, and left alone."""

from __future__ import annotations

import pytest

from bot.client.bot import VelhaBot
from bot.handlers.match_messages import MatchMessages
from bot.messaging.emojis import Emojis
from bot.messaging.messages import Messages
from tests.bot.backend import App
from tests.bot.client.test_tasks import errors
from tests.bot.example_matches import MATCH, UNPOSTED, make_match


@pytest.fixture
def boards(app: App, unconnected_bot: VelhaBot) -> MatchMessages:
    return MatchMessages(Messages(unconnected_bot, Emojis()), app.services.matches)


async def test_a_board_without_a_message_cannot_be_drawn(app: App, boards: MatchMessages) -> None:
    assert not await boards.redraw(app.add(make_match(place=UNPOSTED, id=MATCH)))


async def test_redrawing_is_skipped_quietly_without_a_database(
    app: App, boards: MatchMessages
) -> None:
    await app.backend.executor.finish((), 0)
    await boards.redraw_if_changed(make_match())


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_drawn_does_not_affect_others(
    boards: MatchMessages, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody foresaw one that is to be drawn before there is a connection."""
    await boards.redraw_all([make_match(), make_match(place=UNPOSTED)])
    assert errors(caplog) == ["A board could not be drawn."]
