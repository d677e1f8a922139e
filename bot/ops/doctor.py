"""`python -m bot doctor`: checks everything that a start needs; it starts and changes nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import discord
from discord.ext import commands
from sqlalchemy import URL, Connection

from bot import __version__, logs
from bot.client.bot import VelhaBot, invite_link
from bot.config import Config, describe_url, read_database_url
from bot.environment import (
    ENV_FILE,
    SECRETS,
    ConfigError,
    read_environment,
    unknown_settings,
)
from bot.exits import CANNOT_START, ENDING_ERRORS, WRONG_SETTING, exit_because_of
from bot.messaging.emojis import IMAGES
from bot.messaging.errors import DISCORD_ERRORS, error_summary
from bot.ops.backups import BACKUPS, database_files, newest_backup
from bot.ops.heartbeat import find_problem
from bot.ops.notes import load_notes
from bot.store.database import Database, StoreError, create_engine
from bot.store.facts import save_fact
from bot.store.migrations import current_revision, is_newer, known_revisions
from bot.store.processes import running_processes
from bot.store.sqlite_file import is_missing

Result = TypeVar("Result")

_MAX_REQUESTS = 8

_DISCORD_SECONDS = 40
_GREETING_SECONDS = 10
_DATABASE_SECONDS = 10
_READING_SECONDS = 60
"""For reading a SQLite file from beginning to end: half a gigabyte a second, from a fast disk."""

_MIN_FREE_BYTES = 100_000_000
_MAX_COPY_AGE = timedelta(days=2)
_RECENTLY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has found: all is well, or what to do.

    Attributes:
        check: What was checked, in a word.
        sentence: What was found.
        needs_you: Whether there is something to do.
        exit_code: With what a start would end because of it; 0 if it would go on.
    """

    check: str
    sentence: str
    needs_you: bool = False
    exit_code: int = 0

    @property
    def state(self) -> str:
        if self.exit_code:
            return "wrong"
        return "look" if self.needs_you else "well"


def diagnose(*, as_json: bool = False) -> int:
    """Print what is found; return the exit code: that of a start, or 0 if it would go on."""
    secrets: list[str] = []
    try:
        environment = read_environment()
        config = Config.from_env(environment)
    except ConfigError as error:
        logs.set_up(logging.CRITICAL, "text", secrets)
        findings = asyncio.run(_check_without_settings(error))
    else:
        secrets = config.secrets()
        logs.set_up(logging.CRITICAL, "text", secrets)
        findings = asyncio.run(_check(config, environment))
    mask = logs.masker(secrets)
    exit_code = max(finding.exit_code for finding in findings)
    if as_json:
        checks = [
            {"check": each.check, "state": each.state, "message": mask(each.sentence)}
            for each in findings
        ]
        print(json.dumps({"exit_code": exit_code, "checks": checks}, indent=2, ensure_ascii=False))
    else:
        for each in findings:
            print(f"{each.state:6}{each.check:10}{mask(each.sentence)}")
    return exit_code


def _look(check: str, sentence: str) -> Finding:
    return Finding(check, sentence, needs_you=True)


def _wrong(check: str, sentence: str, exit_code: int) -> Finding:
    return Finding(check, sentence, needs_you=True, exit_code=exit_code)


async def _check_without_settings(error: ConfigError) -> list[Finding]:
    """What is wrong with the settings, and what can be checked all the same."""
    findings = [_wrong("settings", line, WRONG_SETTING) for line in str(error).splitlines()]
    if not ENV_FILE.exists():
        findings.append(_look("settings", f"There is no {ENV_FILE.absolute()}."))
    with suppress(ConfigError):
        findings += [_look("settings", line) for line in unknown_settings(Config.names())]
        findings += await _check_database(read_database_url())
    return [*findings, _copies()]


async def _check(config: Config, environment: Mapping[str, str | None]) -> list[Finding]:
    database, of_discord = await asyncio.gather(
        _check_database(config.database_url), _check_discord(config)
    )
    findings = [_settings(config, environment)]
    findings += [_look("settings", sentence) for sentence in config.warnings(environment)]
    return [*findings, _heartbeat(config.heartbeat_file), *database, _copies(), *of_discord]


def _settings(config: Config, environment: Mapping[str, str | None]) -> Finding:
    """Where the settings come from, and those that are not as by default."""
    file = ENV_FILE.absolute()
    source = f"From {file} and" if ENV_FILE.exists() else f"There is no {file}; from"
    changed = [
        f"{each.name.upper()}={_shown(each.name, getattr(config, each.name))}"
        for each in fields(config)
        if (environment.get(each.name.upper()) or "").strip()
    ]
    sentence = f"Velha {__version__}. {source} the environment: {', '.join(changed)}."
    return Finding("settings", f"{sentence} All others have their defaults.")


def _shown(name: str, value: Any) -> str:
    if isinstance(value, URL):
        return describe_url(value)
    if name.upper() in SECRETS:
        return "***"
    return logging.getLevelName(value) if name == "log_level" else str(value)


def _heartbeat(file: Path) -> Finding:
    if problem := find_problem(file):
        return _look("bot", f"{problem[0].upper()}{problem[1:]}.")
    return Finding("bot", "It runs here, and is well.")


def _copies() -> Finding:
    try:
        newest = newest_backup()
    except OSError as error:
        return _look("copies", f"{error.filename} cannot be read: {error.strerror}")
    folder = BACKUPS.absolute()
    if newest is None:
        return _look("copies", f"There are none in {folder}: run `backup` every day.")
    age = datetime.now(UTC) - newest
    sentence = f"The newest in {folder} is {_length(age)} old"
    if age > _MAX_COPY_AGE:
        return _look("copies", f"{sentence}: run `backup` every day.")
    return Finding("copies", f"{sentence}.")


def _length(time: timedelta) -> str:
    hours = time // timedelta(hours=1)
    return f"{hours} hours" if hours < 72 else f"{hours // 24} days"


def _size(count: float) -> str:
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"


# The database


async def _check_database(url: URL) -> list[Finding]:
    name = describe_url(url)
    is_sqlite = url.get_backend_name() == "sqlite"
    try:
        if is_sqlite and is_missing(url):
            sentence = f"{name} is new: there is no such file, and the start makes it."
            another = (
                "If there were matches, DATABASE_URL, the folder or the volume is another one."
            )
            return [Finding("database", f"{sentence} {another}")]
    except StoreError as error:
        return [_because_of("database", error, url)]
    database = Database(create_engine(url, keeps_journal=True))
    try:
        findings = await _in_time(database, _DATABASE_SECONDS, lambda: _read(database, url))
        if is_sqlite:
            findings += await _read_through(database, url)
    except TimeoutError:
        sentence = f"DATABASE_URL: {name} did not answer within {_DATABASE_SECONDS} seconds."
        return [_wrong("database", sentence, CANNOT_START)]
    except StoreError as error:
        return [_because_of("database", error, url)]
    finally:
        database.close()
    return findings


async def _in_time(database: Database, seconds: float, work: Callable[[], Result]) -> Result:
    """Run a function in a thread.

    Raises:
        TimeoutError: The database has not answered in time; the function was cut off.
    """
    job = asyncio.create_task(asyncio.to_thread(work))
    done, _ = await asyncio.wait({job}, timeout=seconds)
    if not done:
        database.abort_stuck()
        with suppress(StoreError):
            await job
        raise TimeoutError
    return await job


def _read(database: Database, url: URL) -> list[Finding]:
    """Read what is in a database, and try to write to it."""
    with database.connection() as connection:
        revision = current_revision(connection)
        findings = [_describe(connection, url, revision)]
        if revision is not None:
            findings += [_processes(connection), *_notes(connection)]
    _try_to_write(database, is_new=revision is None)
    return findings


class _UndoneError(Exception):
    """Rolls a transaction back that was only to be tried."""


def _try_to_write(database: Database, *, is_new: bool) -> None:
    """Write, as a start does, and roll it back.

    Raises:
        StoreError: The database takes no writes.
    """

    def undo() -> None:
        raise _UndoneError

    with suppress(_UndoneError), database.transaction(undo) as connection:
        if is_new:
            connection.exec_driver_sql("CREATE TABLE velha_doctor (id INTEGER)")
        else:
            save_fact(connection, "doctor", "")


def _describe(connection: Connection, url: URL, revision: str | None) -> Finding:
    if revision is None:
        tables = "new: it has no tables, and the start makes them"
    elif is_newer(revision):
        tables = f"of a newer release ({revision}), on which this one runs"
    elif revision == known_revisions()[-1]:
        tables = "of this release"
    else:
        tables = f"of an older release ({revision}), which the start brings up to date"
    sentence = f"{describe_url(url)} can be read and written to. It is {tables}"
    if url.get_backend_name() == "postgresql":
        query = "SELECT pg_database_size(current_database())"
        size = connection.exec_driver_sql(query).scalar_one()
        return Finding("database", f"{sentence}. It has {_size(size)}.")
    file = Path(str(url.database))
    size = sum(part.stat().st_size for part in database_files(file) if part.exists())
    free = shutil.disk_usage(file.absolute().parent).free
    sentence = f"{sentence}. It has {_size(size)}, and {_size(free)} are free."
    if free < _MIN_FREE_BYTES:
        return _look("database", f"{sentence} Make room.")
    return Finding("database", sentence)


def _processes(connection: Connection) -> Finding:
    names = sorted(running_processes(connection))
    if not names:
        return Finding("processes", "None runs on this database.")
    sentence = f"On this database: {', '.join(names)}."
    if len(names) > 1:
        hint = "Stop all but one, unless it is a deploy or each has its shards."
        return _look("processes", f"{sentence} {hint}")
    return Finding("processes", sentence)


def _notes(connection: Connection) -> Iterator[Finding]:
    """What a running bot has noted."""
    for time, sentence in load_notes(connection):
        said = f"{time:%Y-%m-%d %H:%M} UTC: {sentence}"
        yield Finding("noted", said, needs_you=datetime.now(UTC) - time < _RECENTLY)


async def _read_through(database: Database, url: URL) -> list[Finding]:
    """Read a SQLite file from beginning to end, as damage shows only where it is."""

    def check() -> str:
        with database.connection() as connection:
            return str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())

    try:
        said = await _in_time(database, _READING_SECONDS, check)
    except TimeoutError:
        return [Finding("damage", "It takes long to look for any: `backup` does, too.")]
    except StoreError as error:
        return [_because_of("damage", error, url)]
    if said == "ok":
        return [Finding("damage", "There is none.")]
    sentence = f"{describe_url(url)} is damaged: {' '.join(said.split())}. Restore a copy."
    return [_wrong("damage", sentence, WRONG_SETTING)]


def _because_of(check: str, error: Exception, database: URL) -> Finding:
    """What a start says of an error, and how it ends."""
    ending = exit_because_of(error, database)
    return _wrong(check, ending.sentence, ending.code)


# Discord


class _Visitor(VelhaBot):
    """The bot, which logs in and asks, but never connects; its database is not opened.

    It sends `_MAX_REQUESTS` at most: discord.py repeats those that fail.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.config = config
        self._requests = 0
        trace = self.http.http_trace
        assert trace is not None, "the bot has one"
        trace.on_request_start.append(self._count)

    async def _count(self, *_: object) -> None:
        self._requests += 1
        if self._requests > _MAX_REQUESTS:
            raise aiohttp.ClientError("it fails too often to be asked again")

    async def login(self, token: str) -> None:
        await commands.AutoShardedBot.login(self, token)

    async def setup_hook(self) -> None:
        await self.add_commands()


async def _check_discord(config: Config) -> list[Finding]:
    findings = []
    try:
        async with asyncio.timeout(_DISCORD_SECONDS), _Visitor(config) as bot:
            await bot.login(config.discord_token)
            async for finding in _ask(bot):
                findings.append(finding)  # noqa: PERF401 - stays if the next raises an error
    except ENDING_ERRORS as error:
        findings.append(_because_of("discord", error, config.database_url))
    return findings


async def _ask(bot: _Visitor) -> AsyncIterator[Finding]:
    """Ask Discord one thing after the other.

    Raises:
        One of ENDING_ERRORS: It cannot be asked any more.
    """
    yield _application(bot)
    warning = bot.clock.skew_warning()
    yield _look("clock", warning) if warning else Finding("clock", "It is right.")
    shards, gateway, sessions = await bot.fetch_gateway()
    yield _starts(bot, shards, sessions)
    yield await _network(bot, gateway)
    checks = {"commands": _commands, "emojis": _emojis}
    if bot.config.owner_webhook_url is not None:
        checks["owner"] = _owner
    for check, ask in checks.items():
        try:
            yield await ask(bot)
        except DISCORD_ERRORS as error:
            yield _look(check, f"Discord does not say: {error_summary(error)}")


def _application(bot: _Visitor) -> Finding:
    application = bot.application
    assert application is not None, "known since login"
    if application.interactions_endpoint_url:
        sentence = (
            "Discord sends what people press to the application's interactions endpoint URL, not to"
            " the bot: empty it in the developer portal, under General Information."
        )
        return _look("token", sentence)
    servers = application.approximate_guild_count
    sentence = f"It is {bot.user}'s, of application {application.id}, in some {servers:,} servers."
    return Finding("token", f"{sentence} Invite me: {invite_link(application.id)}")


def _starts(bot: _Visitor, advised: int, sessions: Mapping[str, Any]) -> Finding:
    remaining = sessions["remaining"]
    sentence = f"{remaining:,} sessions may be started today. Shards advised: {advised}."
    if remaining > (bot.config.shard_count or advised):
        return Finding("starts", sentence)
    more = _length(timedelta(milliseconds=sessions["reset_after"]))
    return _look("starts", f"{sentence} Let it run: it waits until there are more, in {more}.")


async def _network(bot: _Visitor, gateway: str) -> Finding:
    """Connect to the gateway, as far as its greeting: that starts no session."""
    try:
        socket = await bot.http.ws_connect(f"{gateway}?v=10&encoding=json")
        async with asyncio.timeout(_GREETING_SECONDS):
            greeting = await socket.receive()
        await socket.close()
    except (aiohttp.ClientError, OSError) as error:
        sentence = f"The gateway takes no connection; a proxy may forbid it: {error_summary(error)}"
        return _wrong("network", sentence, CANNOT_START)
    if greeting.type is not aiohttp.WSMsgType.TEXT:
        raise discord.ConnectionClosed(socket, shard_id=None)
    way = "through HTTPS_PROXY" if bot.http.proxy else "directly"
    trusted = os.environ.get("SSL_CERT_FILE")
    hint = f" by {trusted}" if trusted else ""
    return Finding("network", f"Discord is reached {way}; its certificate is trusted{hint}.")


async def _commands(bot: _Visitor) -> Finding:
    """Whether Discord offers our commands."""
    ours = {command.name for command in bot.tree.get_commands()}
    everywhere = {command.name for command in await bot.tree.fetch_commands()}
    guild_id = bot.config.dev_guild_id
    found, where = everywhere, "everywhere"
    if guild_id is not None:
        try:
            registered = await bot.tree.fetch_commands(guild=discord.Object(guild_id))
        except (discord.Forbidden, discord.NotFound):
            return _look("commands", f"DEV_GUILD_ID: I am not in server {guild_id}.")
        found, where = {command.name for command in registered}, f"in server {guild_id}"
        if ours & everywhere:
            sentence = f"Server {guild_id} is offered each twice: everybody has them, too."
            return _look("commands", f"{sentence} Empty DEV_GUILD_ID, and start anew.")
    if missing := sorted(ours - found):
        sentence = f"Discord does not offer {', '.join(missing)} {where}: a start registers them."
        return _look("commands", sentence)
    return Finding("commands", f"Discord offers {', '.join(sorted(ours))} {where}.")


async def _emojis(bot: _Visitor) -> Finding:
    """Whether Discord has the emojis of our boards."""
    names = {emoji.name for emoji in await bot.fetch_application_emojis()}
    missing = len(IMAGES.keys() - names)
    if not missing:
        return Finding("emojis", f"Discord has all {len(IMAGES)}.")
    sentence = f"Discord lacks {missing} of {len(IMAGES)}: boards have labels until it has them."
    return _look("emojis", f"{sentence} A running bot uploads them within some minutes.")


async def _owner(bot: _Visitor) -> Finding:
    """Whether Discord knows the webhook to which a word to the owner is posted."""
    webhook = discord.Webhook.from_url(str(bot.config.owner_webhook_url), client=bot)
    webhook.proxy = bot.http.proxy
    try:
        await webhook.fetch(prefer_auth=False)
    except discord.NotFound:
        return _look("owner", "OWNER_WEBHOOK_URL: its webhook was deleted. Make another.")
    return Finding("owner", "A word to you goes to the webhook of OWNER_WEBHOOK_URL.")
