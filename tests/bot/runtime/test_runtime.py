"""Transactions: they happen as a whole, and not at all if their caller has given up."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import Connection

from bot.domain.refusals import DatabaseTimeoutError
from bot.domain.settings import GuildSettings, Setting
from bot.features import settings
from engine import Level
from tests.bot.backend import PATIENT_EXECUTOR, App
from tests.bot.databases import both_databases, load_settings
from tests.bot.example_matches import SERVER
from tests.bot.loop_clock import LoopClock

PATIENCE_SECONDS = int(PATIENT_EXECUTOR.answer_seconds)

CHOSEN = GuildSettings(level=Level.EASY, turn_minutes=5)


def choose_both(connection: Connection) -> str:
    settings.save(connection, SERVER, Setting.LEVEL, Level.EASY)
    settings.save(connection, SERVER, Setting.TURN, 5)
    return "chosen"


@both_databases
async def test_several_writes_are_one_transaction(app: App) -> None:
    assert await app.backend.runtime.database.transact(choose_both) == "chosen"
    assert load_settings(app.other_store, SERVER) == CHOSEN


@both_databases
async def test_an_error_takes_back_all_of_a_transaction(app: App) -> None:
    def choose_and_fail(connection: Connection) -> None:
        choose_both(connection)
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it is ours
        await app.backend.runtime.database.transact(choose_and_fail)
    assert load_settings(app.other_store, SERVER) == GuildSettings()


@pytest.mark.logs_errors
@both_databases
async def test_nothing_is_stored_once_the_caller_has_given_up(app: App, clock: LoopClock) -> None:
    begun, gave_up = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def choose_late(connection: Connection) -> None:
        choose_both(connection)
        loop.call_soon_threadsafe(begun.set)
        gave_up.wait()

    caller = asyncio.create_task(app.backend.runtime.database.transact(choose_late))
    await begun.wait()
    await clock.turn(PATIENCE_SECONDS, step=PATIENCE_SECONDS)
    with pytest.raises(DatabaseTimeoutError):
        await caller
    gave_up.set()
    await app.backend.executor.finish((), PATIENCE_SECONDS)
    assert load_settings(app.other_store, SERVER) == GuildSettings()


@pytest.mark.logs_errors
@both_databases
async def test_a_commit_under_way_is_waited_for(app: App, clock: LoopClock) -> None:
    is_committing, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def commit_slowly() -> None:
        loop.call_soon_threadsafe(is_committing.set)
        go_on.wait()

    app.before_sql("COMMIT", commit_slowly)
    caller = asyncio.create_task(app.backend.runtime.database.transact(choose_both))
    await is_committing.wait()
    await clock.turn(PATIENCE_SECONDS, step=PATIENCE_SECONDS)
    assert not caller.done()
    go_on.set()
    assert await caller == "chosen"
    assert load_settings(app.other_store, SERVER) == CHOSEN
