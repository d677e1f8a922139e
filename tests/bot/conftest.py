"""A house for every test: the real bot, a real database, a simulated Discord."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import simcord

from bot.client import VelhaBot
from bot.playground import World
from bot.settings import Settings
from tests.bot.house import TURN_MINUTES, House

_SETTLE_SECONDS = 20


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    with world.installed():
        yield world


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    database = (tmp_path / "velha.db").as_posix()
    return Settings.from_env(
        {
            "DISCORD_TOKEN": "t",
            "DATABASE_URL": f"sqlite:///{database}",
            "TURN_MINUTES": str(TURN_MINUTES),
        }
    )


@pytest.fixture
async def house(world: World, settings: Settings) -> AsyncIterator[House]:
    bot = VelhaBot(settings, random.Random(1))
    env = simcord.Env(bot, shard_count=1, settle_timeout=_SETTLE_SECONDS)
    await env.start()
    house = House(env, world, settings, bot)
    yield house
    await house.close()
    env.raise_errors()


@pytest.fixture(autouse=True)
def nothing_is_swallowed(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """An error that was logged fails the test, unless the test is marked as about one."""
    yield
    if request.node.get_closest_marker("logs_errors") is None:
        errors = [
            record for record in caplog.get_records("call") if record.levelno >= logging.ERROR
        ]
        assert not errors, [record.getMessage() for record in errors]
