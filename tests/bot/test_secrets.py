"""Secrets stay with the bot: not in the processes it starts, nor in anything it logs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from bot.store.database import StoreError, create_engine
from bot.store.store import Store
from tests.bot.databases import on_new_sqlite
from tests.bot.fake_discord import FakeDiscord
from tests.bot.messaging.test_reply import limit_rate
from tests.bot.processes import Spawn

ANA, BEN = 11, 12


def children(process_id: int) -> list[Path]:
    """Where Linux tells of the processes that a process has started."""
    lists = Path(f"/proc/{process_id}/task").glob("*/children")
    return [Path(f"/proc/{child}") for each in lists for child in each.read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows a process's environment")
async def test_worker_processes_get_no_secrets(discord: FakeDiscord, spawn: Spawn) -> None:
    settings = {
        "DATABASE_URL": "sqlite:///the-secret-place.db",
        "POSTGRES_PASSWORD": "the-password",
    }
    bot = await spawn(**settings, TURN_MINUTES="7")
    message = await discord.start(ANA, 1000, board="5x5x4")
    await discord.press(ANA, "C3", message)
    started = children(bot.pid)
    assert any("spawn_main" in (path / "cmdline").read_text() for path in started)
    for path in started:
        environment = (path / "environ").read_text()
        assert "TURN_MINUTES=7" in environment
        assert "the-token" not in environment
        assert "the-secret-place" not in environment
        assert "the-password" not in environment


@pytest.mark.logs_errors
async def test_the_debug_log_holds_no_secret(discord: FakeDiscord, spawn: Spawn) -> None:
    bot = await spawn(LOG_LEVEL="DEBUG")
    started = discord.send_start(ANA, 1000, board="5x5x4")
    await discord.answer(started)
    message = discord.newest(1000)
    done = [started, await discord.press(ANA, "C3", message)]
    done.append(await discord.press(BEN, "Hint", message))
    discord.fault = limit_rate
    done.append(discord.send_press(ANA, "Hint", message))
    await discord.wait_until(lambda: "is rate limited" in bot.log)
    assert "INTERACTION_CREATE" in bot.log
    assert "/interactions/" in bot.log
    for secret in ("the-token", *(each.payload["token"] for each in done)):
        assert secret not in bot.log


PERSON = 812345678901234567


@pytest.mark.logs_errors
async def test_in_json_each_event_is_a_line_and_none_names_a_person(
    discord: FakeDiscord, spawn: Spawn
) -> None:
    """Not even where Discord fails."""
    bot = await spawn(LOG_FORMAT="json")
    message = await discord.start(PERSON, 1000)
    await discord.press(PERSON, "A1", message)
    discord.fault = limit_rate
    discord.send_press(PERSON, "Hint", message)
    await discord.wait_until(lambda: "rate limited" in bot.log)
    await bot.terminate()
    events = [json.loads(line) for line in bot.log.splitlines()]
    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, events))
    assert any(event["message"].startswith("Running on Python") for event in events)
    assert str(PERSON) not in bot.log


@on_new_sqlite
def test_an_error_of_the_database_names_nobody(empty_url: URL) -> None:
    Store.open(empty_url).close()
    engine = create_engine(empty_url)
    with engine.connect() as connection, pytest.raises(StoreError) as failed:
        connection.execute(text("SELECT * FROM nowhere WHERE x_id = :whose"), {"whose": PERSON})
    engine.dispose()
    assert "nowhere" in str(failed.value)
    assert str(PERSON) not in str(failed.value)
