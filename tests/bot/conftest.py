"""Fixtures: the bot in a simulated server, its services alone, and databases."""

from __future__ import annotations

import logging
import random
import re
import signal
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import simcord
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import Config, parse_url
from bot.messaging.emojis import IMAGES
from bot.playground.simcord_patches import World, set_clock_at_start
from bot.store.facts import load_facts, save_fact
from bot.store.store import Store
from tests.bot.backend import App
from tests.bot.databases import (
    call,
    delete_all_rows,
    empty_database,
    skip_without_server,
    sqlite_with_tables,
)
from tests.bot.fake_discord import FakeDiscord
from tests.bot.logged import errors
from tests.bot.loop_clock import LoopClock
from tests.bot.processes import BotProcess, Spawn
from tests.bot.simulated_guild import PATIENT_LIMITS, TURN_MINUTES, SimulatedGuild
from tests.bot.statements import watched_reads, watched_refusals
from tests.bot.workers import KeptWorker

_SETTLE_TIMEOUT_SECONDS = 300
_POLL_SECONDS = 0.005


class Env(simcord.Env):
    """SimCord, polling ten times as often whether a bot's threads are done."""

    async def _settle_internal(self, *, idle: float = _POLL_SECONDS, **options: Any) -> None:
        await super()._settle_internal(idle=idle, **options)


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    with world.patch_simcord():
        yield world


@pytest.fixture
def settings(tmp_path: Path) -> Config:
    config = Config.from_env({"DISCORD_TOKEN": "t", "TURN_MINUTES": str(TURN_MINUTES)})
    return replace(config, database_url=sqlite_with_tables(tmp_path))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, for commands; the environment sets nothing of ours."""
    monkeypatch.chdir(tmp_path)
    for name in Config.names():
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def minds_ctrl_c() -> Iterator[None]:
    """Whatever is started minds SIGINT; what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def starts_at() -> datetime:
    """When the simulated clock starts: if it jumped later, the bot would run every missed sweep."""
    return datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def emojis_at_start() -> Collection[str]:
    """The application's emojis before the bot starts: all that it uploads."""
    return IMAGES


@dataclass
class SyncedCommands:
    """The commands that Discord has from an earlier start, and the bot's digests of them."""

    commands: dict[Any, Any] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)


_first_sync = SyncedCommands()


@pytest.fixture
def synced_at_start() -> SyncedCommands:
    """The commands of the first test: translating them takes longer than most tests."""
    return _first_sync


@pytest.fixture
async def guild(
    world: World,
    settings: Config,
    starts_at: datetime,
    emojis_at_start: Collection[str],
    synced_at_start: SyncedCommands,
) -> AsyncIterator[SimulatedGuild]:
    bot = VelhaBot(settings, random.Random(1), PATIENT_LIMITS, KeptWorker)
    env = Env(bot, shard_count=1, settle_timeout=_SETTLE_TIMEOUT_SECONDS)
    env.backend.advance_clock((starts_at - env.now()).total_seconds())
    for name in emojis_at_start:
        env.backend.create_application_emoji(name)
    for guild_id, commands in synced_at_start.commands.items():
        env.backend.commands[guild_id] = commands
        for _ in commands:
            env.backend.snowflake()  # skips the ids of these commands
    store = Store.at(settings.database_url)
    for key, digest in synced_at_start.digests.items():
        call(store, save_fact, key, digest)
    set_clock_at_start(bot)
    await env.start()
    if not _first_sync.digests:
        _first_sync.commands = env.backend.commands.copy()
        _first_sync.digests = call(store, load_facts, "commands ")
    store.close()
    guild = SimulatedGuild(env, world, settings, bot)
    yield guild
    await guild.close()
    env.raise_errors()


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord() as discord:
        yield discord


@pytest.fixture
async def spawn(
    discord: FakeDiscord, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Spawn]:
    """Bots as processes of their own, which are ended with the test.

    They log no error, unless the test is marked with `logs_errors`.
    """
    may_fail = request.node.get_closest_marker("logs_errors") is not None
    bots = list[BotProcess]()

    async def spawn(**settings: str) -> BotProcess:
        sessions = discord.sessions
        bots.append(BotProcess.fork(discord.url, tmp_path, **settings))
        await discord.wait_for_sessions(sessions + 1)
        return bots[-1]

    yield spawn
    for bot in bots:
        await bot.kill()
        assert may_fail or not re.search("ERROR|Traceback", bot.log), bot.log


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> LoopClock:
    return LoopClock(monkeypatch)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database: on SQLite, and on PostgreSQL if TEST_DATABASE_URL names one."""
    if request.param == "postgresql":
        skip_without_server()
    with empty_database(request.param, tmp_path) as database_url:
        yield database_url


@pytest.fixture(scope="session")
def schema() -> Iterator[URL]:
    """A schema with tables on PostgreSQL, which the tests of a worker share."""
    skip_without_server()
    with empty_database("postgresql", Path()) as database_url:
        url = parse_url(database_url)
        Store.open(url).close()
        yield url


@pytest.fixture
def empty_url(database_url: str) -> URL:
    return parse_url(database_url)


@pytest.fixture
def database_kind() -> str:
    """SQLite, unless a test is marked with `both_databases`."""
    return "sqlite"


@pytest.fixture
def url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """A database with this release's tables."""
    if database_kind == "sqlite":
        return sqlite_with_tables(tmp_path)
    schema: URL = request.getfixturevalue("schema")
    delete_all_rows(schema)
    return schema


@pytest.fixture
async def app(url: URL) -> AsyncIterator[App]:
    app = App(url)
    yield app
    await app.close()


@pytest.fixture
async def unconnected_bot(app: App, url: URL) -> AsyncIterator[VelhaBot]:
    async with app.unconnected_bot(url) as bot:
        yield bot


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Undo `bot.logs.set_up` after a test that calls it."""
    names = ("", "discord.state", "discord.shard", "alembic")
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger.level, logger.handlers.copy(), logger.filters.copy()) for logger in loggers]
    yield
    for logger, (level, handlers, filters) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.handlers[:] = handlers
        logger.filters[:] = filters


@pytest.fixture(autouse=True)
def no_errors_are_logged(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fail a test that logs an error, unless it is marked with `logs_errors`."""
    yield
    if request.node.get_closest_marker("logs_errors") is not None:
        return
    assert not errors(caplog)


@pytest.fixture(autouse=True)
def reads_only_select() -> Iterator[None]:
    """Fail a test in which `DatabaseJobs.read` writes, or locks rows."""
    with watched_reads() as others:
        yield
    assert not others


@pytest.fixture(autouse=True)
def refusals_only_end_matches() -> Iterator[None]:
    """Fail a test in which a refusal commits more than the end of matches that it names."""
    with watched_refusals() as written:
        yield
    assert not written
