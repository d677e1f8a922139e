"""A house for every test: the real bot, a real database, a simulated Discord."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import simcord
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import Config, parse_url
from bot.playground import World
from tests.bot.backend import Room
from tests.bot.databases import GIVEN, empty_database, has_server
from tests.bot.house import TURN_MINUTES, UNHURRIED, SimulatedGuild
from tests.bot.small_discord import SmallDiscord

_SETTLE_SECONDS = 300
_LOOK_AGAIN_SECONDS = 0.005


class Env(simcord.Env):
    """SimCord, but it looks ten times as often whether a bot's threads are done."""

    async def _settle_internal(self, *, idle: float = _LOOK_AGAIN_SECONDS, **given: Any) -> None:
        await super()._settle_internal(idle=idle, **given)


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    with world.installed():
        yield world


@pytest.fixture
def settings(tmp_path: Path) -> Config:
    database = (tmp_path / "velha.db").as_posix()
    return Config.from_env(
        {
            "DISCORD_TOKEN": "t",
            "DATABASE_URL": f"sqlite:///{database}",
            "TURN_MINUTES": str(TURN_MINUTES),
        }
    )


@pytest.fixture
def begins_at() -> datetime:
    """When the simulated clock starts: at a later jump, the bot would make up for every sweep."""
    return datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
async def house(
    world: World, settings: Config, begins_at: datetime
) -> AsyncIterator[SimulatedGuild]:
    bot = VelhaBot(settings, random.Random(1), UNHURRIED)
    env = Env(bot, shard_count=1, settle_timeout=_SETTLE_SECONDS)
    env.backend.advance_clock((begins_at - env.now()).total_seconds())
    await env.start()
    house = SimulatedGuild(env, world, settings, bot)
    yield house
    await house.close()
    env.raise_errors()


@pytest.fixture
async def discord() -> AsyncIterator[SmallDiscord]:
    async with SmallDiscord() as discord:
        yield discord


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of its own: SQLite always, PostgreSQL if TEST_DATABASE_URL names one."""
    if request.param == "postgresql" and not has_server():
        pytest.skip(f"{GIVEN} names no PostgreSQL")
    with empty_database(request.param, tmp_path) as database_url:
        yield database_url


@pytest.fixture
def url(database_url: str) -> URL:
    return parse_url(database_url)


@pytest.fixture
async def room(url: URL) -> AsyncIterator[Room]:
    """The services; on SQLite alone where a module's own `url` says so."""
    room = Room(url)
    yield room
    await room.close()


@pytest.fixture
async def unconnected_bot(room: Room, url: URL) -> AsyncIterator[VelhaBot]:
    async with room.unconnected_bot(url) as bot:
        yield bot


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
