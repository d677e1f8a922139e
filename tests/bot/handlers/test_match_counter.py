"""What is shown of matches that are counted too late."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.client.bot import VelhaBot
from bot.handlers.match_counter import MatchCounter
from bot.handlers.match_messages import MatchMessages
from bot.messaging.emojis import Emojis
from bot.messaging.late_results import LateResults
from bot.messaging.messages import Messages
from bot.runtime.executor import Executor, ExecutorLimits
from bot.services.stats import StatsService
from tests.bot.backend import App
from tests.bot.example_matches import ANA, make_bot_match, make_match


def ignore(_seconds: float) -> None:
    """No connection is stuck that could be aborted."""


@pytest.mark.logs_errors  # there is no connection by which to draw the board
async def test_a_first_win_is_redrawn_though_it_was_counted_too_late(
    app: App, unconnected_bot: VelhaBot, caplog: pytest.LogCaptureFixture
) -> None:
    app.add(make_bot_match("xxx oo. ...", ended_at=app.now))
    executor, late_results = (
        Executor(ExecutorLimits(silent_seconds=0.2), ignore),
        LateResults(set()),
    )
    stats = StatsService(app.store, executor, app.backend.engine, app.clock)
    messages = MatchMessages(Messages(unconnected_bot, Emojis()), app.services.matches)
    counter = MatchCounter(stats, messages, late_results, batch_seconds=0)
    with app.other_store.database.transaction():  # another process holds the only write lock
        assert not await counter.count()
    await executor.finish(late_results.tasks, 5)
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert errors == [
        "The database does not answer: not within 0.2 seconds",
        "A board could not be drawn.",
    ]


async def test_every_batch_of_matches_is_counted_and_nothing_twice(
    app: App, unconnected_bot: VelhaBot
) -> None:
    messages = MatchMessages(Messages(unconnected_bot, Emojis()), app.services.matches)
    counter = MatchCounter(app.services.stats, messages, LateResults(set()), batch_seconds=0)
    for played in range(1, 4):
        match = app.add(make_match("xxx oo. ...", id=played, ended_at=app.now))
        await counter.count_if_due()
        assert results(app) == played - 1, "nobody has said that it is due"
        counter.mark_due(match)
        await asyncio.gather(counter.count_if_due(), counter.count_if_due())
        assert results(app) == played


def results(app: App) -> int:
    """How many matches of Ana's are counted."""
    return sum(tally.matches for tally in app.store.stats.tallies(ANA).values())
