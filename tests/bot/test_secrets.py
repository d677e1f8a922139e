"""Secrets stay with the bot: not in the processes it starts, nor in anything it logs."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.bot.processes import BotProcess
from tests.bot.small_discord import SmallDiscord

ANA, BEN = 11, 12

Spawn = Callable[..., Awaitable[BotProcess]]


@pytest.fixture
async def spawn(discord: SmallDiscord, tmp_path: Path) -> AsyncIterator[Spawn]:
    """Starts a bot that is ended with the test."""
    bots = []

    async def spawn(**settings: str) -> BotProcess:
        bots.append(await BotProcess.spawn(discord.url, tmp_path, **settings))
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
    started = children(bot.process.pid)
    assert any("spawn_main" in (path / "cmdline").read_text() for path in started)
    for path in started:
        environment = (path / "environ").read_text()
        assert "TURN_MINUTES=7" in environment
        assert "the-token" not in environment
        assert "the-secret-place" not in environment
