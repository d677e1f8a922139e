"""Boards in their messages: posted, redrawn, and left alone."""

from __future__ import annotations

import pytest

from bot.features.match_messages import redraw, redraw_all
from tests.bot.backend import App
from tests.bot.example_matches import MATCH, UNPOSTED, make_match
from tests.bot.logged import errors


async def test_a_board_without_a_message_cannot_be_drawn(app: App) -> None:
    assert not await redraw(app.backend.runtime, app.add(make_match(place=UNPOSTED, id=MATCH)))


async def test_redrawing_is_skipped_quietly_without_a_database(app: App) -> None:
    await app.backend.database.finish((), 0)
    assert not await redraw(app.backend.runtime, make_match(place=UNPOSTED))


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_drawn_does_not_affect_others(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody foresaw one that is to be drawn before there is a connection."""
    await redraw_all(app.backend.runtime, [make_match(), make_match(place=UNPOSTED)])
    assert errors(caplog) == ["A board could not be drawn."]
