"""Secrets stay with the bot: not in the processes it starts, nor in anything it logs."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web
from sqlalchemy import URL, text

from bot.logs import MaskingFormatter
from bot.store.database import StoreError, create_engine
from bot.store.store import Store
from tests.bot.processes import BotProcess
from tests.bot.small_discord import Handler, SmallDiscord, error

ANA, BEN = 11, 12

Spawn = Callable[..., Awaitable[BotProcess]]


@pytest.fixture
async def spawn(discord: SmallDiscord, tmp_path: Path) -> AsyncIterator[Spawn]:
    """Starts a bot that is ended with the test."""
    bots = []

    async def spawn(**settings: str) -> BotProcess:
        bots.append(BotProcess.fork(discord.url, tmp_path, **settings))
        await discord.connected()
        return bots[-1]

    yield spawn
    for bot in bots:
        await bot.kill()


def children(process_id: int) -> list[Path]:
    """Where Linux tells of the processes that a process has started."""
    lists = Path(f"/proc/{process_id}/task").glob("*/children")
    return [Path(f"/proc/{child}") for each in lists for child in each.read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows a process's environment")
async def test_the_processes_in_which_the_bot_thinks_are_told_no_secret(
    discord: SmallDiscord, spawn: Spawn
) -> None:
    bot = await spawn(DATABASE_URL="sqlite:///the-secret-place.db", TURN_MINUTES="7")
    message = await discord.start(ANA, 1000, board="5x5x4")
    await discord.press(ANA, "C3", message)
    started = children(bot.pid)
    assert any("spawn_main" in (path / "cmdline").read_text() for path in started)
    for path in started:
        environment = (path / "environ").read_text()
        assert "TURN_MINUTES=7" in environment
        assert "the-token" not in environment
        assert "the-secret-place" not in environment


async def limit_rate(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    refused = error(429, 0, retry_after=0.1, **{"global": False})
    refused.headers["Via"] = "1.1 google"
    return refused


async def test_the_most_talkative_log_holds_no_secret(
    discord: SmallDiscord, spawn: Spawn, url: URL
) -> None:
    if url.password is None and url.host:
        url = url.set(password="the-password")
    database_url = url.set(drivername=url.get_backend_name())
    given = database_url.render_as_string(hide_password=False)
    bot = await spawn(DATABASE_URL=given, LOG_LEVEL="DEBUG")
    started = discord.send_start(ANA, 1000, board="5x5x4")
    await discord.answer(started)
    message = discord.newest(1000)
    done = [started, await discord.press(ANA, "C3", message)]
    done.append(await discord.press(BEN, "A1", message))
    discord.fault = limit_rate
    done.append(discord.send_press(ANA, "Hint", message))
    await discord.until(lambda: "is rate limited" in bot.log)
    assert "INTERACTION_CREATE" in bot.log
    assert "/interactions/" in bot.log
    for secret in ("the-token", "the-password", *(each.payload["token"] for each in done)):
        assert secret not in bot.log


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "POST /api/v10/interactions/12/aW5.x-_/callback took",
            "POST /api/v10/interactions/12/***/callback took",
        ),
        (
            "PATCH https://discord.com/api/v10/webhooks/12/aW5/messages/@original?wait=1",
            "PATCH https://discord.com/api/v10/webhooks/12/***/messages/@original?wait=1",
        ),
        ("{'id': '12', 'token': 'aW5', 'type': 3}", "{'id': '12', 'token': '***', 'type': 3}"),
        ('{"token":"aW5","type":3}', '{"token":"***","type":3}'),
        ("bound to 12+aW50ZXJhY3Rpb246MTIzNDU2Nzg5 now", "bound to 12+*** now"),
        ("a p@s/s word, p%40s%2Fs%20word or p%40s%2Fs+word", "a ***, *** or ***"),
        (r'{"message": "{\"token\":\"aW5\"}"}', r'{"message": "{\"token\":\"***\"}"}'),
        (r"in JSON a \"quoted\" p\u00e3ssword", "in JSON a ***"),
        (
            "PUT /api/v10/applications/12/commands took",
            "PUT /api/v10/applications/12/commands took",
        ),
    ],
)
def test_what_is_written_keeps_all_but_the_secrets(text: str, written: str) -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "%s", (text,), None)
    assert (
        MaskingFormatter(logging.Formatter(), ["p@s/s word", '"quoted" pãssword', ""]).format(
            record
        )
        == written
    )


def test_of_a_secret_that_begins_like_another_nothing_is_left() -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "s3cret-and-more", (), None)
    formatter = MaskingFormatter(logging.Formatter(), ["s3cret", "s3cret-and-more"])
    assert formatter.format(record) == "***"


def test_the_secrets_of_an_error_are_not_written_either() -> None:
    error = ConnectionError("POST /interactions/12/aW5/callback with p@ss")
    failed = (ConnectionError, error, None)
    record = logging.LogRecord("discord", logging.ERROR, "", 0, "", (), failed)
    written = MaskingFormatter(logging.Formatter(), ["p@ss"]).format(record)
    assert written.endswith("ConnectionError: POST /interactions/12/***/callback with ***")


PERSON = 812345678901234567


async def test_in_json_each_event_is_a_line_and_none_names_a_person(
    discord: SmallDiscord, spawn: Spawn
) -> None:
    """Not even where Discord fails."""
    bot = await spawn(LOG_FORMAT="json")
    message = await discord.start(PERSON, 1000)
    await discord.press(PERSON, "A1", message)
    discord.fault = limit_rate
    discord.send_press(PERSON, "Hint", message)
    await discord.until(lambda: "rate limited" in bot.log)
    await bot.terminate()
    events = [json.loads(line) for line in bot.log.splitlines()]
    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, events))
    assert any(event["message"].startswith("Running on Python") for event in events)
    assert str(PERSON) not in bot.log


def test_an_error_of_the_database_names_nobody(url: URL) -> None:
    Store.open(url).close()
    engine = create_engine(url)
    with engine.connect() as connection, pytest.raises(StoreError) as failed:
        connection.execute(text("SELECT * FROM nowhere WHERE x_id = :whose"), {"whose": PERSON})
    engine.dispose()
    assert "nowhere" in str(failed.value)
    assert str(PERSON) not in str(failed.value)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has rights of another kind")
async def test_a_host_is_told_of_files_that_others_can_open(spawn: Spawn, tmp_path: Path) -> None:
    for name, mode in ((".env", 0o644), ("velha.db", 0o640)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    bot = await spawn()
    for name in (".env", "velha.db"):
        assert f"Other users of this machine can open {name}: chmod 600 {name}" in bot.log
        (tmp_path / name).chmod(0o600)
    again = await spawn()
    assert "Other users" not in again.log


async def test_a_start_says_once_what_it_runs_on(spawn: Spawn) -> None:
    bot = await spawn(SHARD_COUNT="4", SHARD_IDS="0")
    (said,) = (line for line in bot.log.splitlines() if "Running on" in line)
    assert "and sqlite; shards 0 of 4; languages: en, " in said
    assert "; 200 may wait for moves" in said
