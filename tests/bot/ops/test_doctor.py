"""`python -m bot doctor`, beside what `test_main` has of faults that end a start."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web
from sqlalchemy import URL, make_url

from bot.config import Config, parse_url
from bot.ops.doctor.discord_api import check_discord
from bot.ops.notes import OTHER_BOT, OUTAGE, save_note
from bot.store.processes import record_seen
from bot.store.store import Store
from tests.bot.databases import call, write_sqlite_file
from tests.bot.discord_address import use_discord_at
from tests.bot.fake_discord import OWNER_WEBHOOK, FakeDiscord, Fault, Handler, error
from tests.bot.loop_clock import LoopClock
from tests.bot.processes import BotProcess, Spawn


async def examine(
    folder: Path, discord: FakeDiscord, *arguments: str, code: int = 0, **settings: str
) -> list[str]:
    """The lines that it prints."""
    doctor = BotProcess.fork(discord.url, folder, ["doctor", *arguments], **settings)
    assert await doctor.wait() == code, doctor.log
    return doctor.log.splitlines()


def of(check: str, lines: list[str]) -> str:
    """The line about one thing."""
    (line,) = (line for line in lines if line.split()[1] == check)
    return line


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_before_the_first_start_it_says_what_there_is_and_makes_nothing(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    lines = await examine(tmp_path, discord, TURN_MINUTES="7")
    assert "DISCORD_TOKEN=***, TURN_MINUTES=7." in of("settings", lines)
    assert of("database", lines).startswith(f"well  database  {tmp_path}/velha.db is new: ")
    assert of("bot", lines).startswith("look  bot       No bot is running here")
    assert of("copies", lines).startswith("look  copies    There are none")
    assert "It is velha's, of application 1" in of("token", lines)
    assert of("clock", lines) == "well  clock     It is right."
    assert "1,000 sessions may be started today" in of("starts", lines)
    assert "Discord does not offer" in of("commands", lines)
    assert {path.suffix for path in files(tmp_path)} == {".log"}
    assert discord.sessions == 0
    assert discord.requests.total() <= 8


async def test_beside_a_running_bot_all_is_well(
    tmp_path: Path, discord: FakeDiscord, spawn: Spawn
) -> None:
    await spawn()
    await discord.wait_until(lambda: discord.commands)
    heartbeat = tmp_path / "velha.heartbeat"
    await discord.wait_until(lambda: heartbeat.exists() and heartbeat.read_text()[:4] == "well")
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / f"velha-{datetime.now(UTC):%Y%m%d-%H%M%S}.db").touch()
    lines = await examine(tmp_path, discord)
    assert [line for line in lines if not line.startswith("well")] == [of("emojis", lines)]
    assert "It is of this release." in of("database", lines)
    assert "Discord offers Challenge to tic-tac-toe, Tic-tac-toe results" in of("commands", lines)
    assert len(of("processes", lines).split(",")) == 1


async def test_a_database_is_left_as_it_is(
    tmp_path: Path, discord: FakeDiscord, database_url: str
) -> None:
    """Also without tables, and where it is not yet in the mode in which the bot uses it."""
    url = parse_url(database_url)
    if url.get_backend_name() == "postgresql":
        lines = await examine(tmp_path, discord, DATABASE_URL=database_url)
        assert "It is new: it has no tables" in of("database", lines)
    Store.open(url).close()
    store = Store.at(url)
    call(store, record_seen, "another")
    store.close()
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(url.database))) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")
    before = contents(url)
    lines = await examine(tmp_path, discord, DATABASE_URL=database_url)
    assert "It is of this release." in of("database", lines)
    assert "another" in of("processes", lines)
    assert contents(url) == before


def contents(url: URL) -> object:
    """All of a file, or the rows that the doctor might have written."""
    if url.get_backend_name() == "sqlite":
        return {
            path.name: path.read_bytes() for path in Path(str(url.database)).parent.glob("*.db*")
        }
    store = Store.at(url)
    with store.engine.connect() as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        queries = [tables, "SELECT name, value FROM facts", "SELECT name FROM processes"]
        found = [sorted(map(str, connection.exec_driver_sql(query))) for query in queries]
    store.close()
    return found


async def test_a_database_of_another_release_is_read_and_not_brought_up_to_date(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    write_sqlite_file(tmp_path / "velha.db")
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    assert "of a newer release (9999)" in of("database", await examine(tmp_path, discord))


async def test_damage_is_found_wherever_it_is(tmp_path: Path, discord: FakeDiscord) -> None:
    file = tmp_path / "velha.db"
    write_sqlite_file(file)
    with file.open("r+b") as damaged:
        damaged.seek(file.stat().st_size // 2)
        damaged.write(b"\xff" * 4096)
    lines = await examine(tmp_path, discord, code=2)
    assert of("database", lines).startswith("well")
    assert "velha.db is damaged: " in of("damage", lines)


async def test_what_a_bot_has_noted_is_told_and_is_new_for_a_day(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    write_sqlite_file(tmp_path / "velha.db")
    store = Store.at(parse_url(f"sqlite:///{tmp_path / 'velha.db'}"))
    now = datetime.now(UTC)
    call(store, save_note, OUTAGE, now - timedelta(days=3), "It was away.")
    call(store, save_note, OTHER_BOT, now - timedelta(hours=3), "Another bot answers.")
    store.close()
    lines = await examine(tmp_path, discord)
    later, earlier = (line for line in lines if " noted " in line)
    assert later.startswith("look")
    assert later.endswith(" UTC: Another bot answers.")
    assert earlier.startswith("well")
    assert earlier.endswith(" UTC: It was away.")


async def test_the_owner_s_webhook_is_looked_up_and_not_shown(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    known = await examine(tmp_path, discord, OWNER_WEBHOOK_URL=OWNER_WEBHOOK)
    assert of("owner", known).startswith("well")
    gone = OWNER_WEBHOOK.replace("owner", "other")
    unknown = await examine(tmp_path, discord, OWNER_WEBHOOK_URL=gone, DEV_GUILD_ID="7")
    assert "its webhook was deleted" in of("owner", unknown)
    assert discord.requests.total() <= 2 * 8
    assert not discord.told_owner
    assert "owner-owner" not in "".join(known)
    assert "other-other" not in "".join(unknown)


async def test_the_report_can_be_read_as_json(tmp_path: Path, discord: FakeDiscord) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKN=abc\n")
    said = "\n".join(await examine(tmp_path, discord, "--json", code=2, DISCORD_TOKEN=""))
    found = json.loads(said)
    assert found["exit_code"] == 2
    first, second, *others = found["checks"]
    assert first["check"] == "settings"
    assert first["state"] == "wrong"
    assert first["message"].startswith("DISCORD_TOKEN: it is missing")
    assert second["state"] == "look"
    assert second["message"] == "DISCORD_TOKN is not a setting: is it DISCORD_TOKEN?"
    assert {each["check"] for each in others} == {"database", "copies"}


async def fail_after_login(request: web.Request, handler: Handler) -> web.StreamResponse:
    return await handler(request) if request.path.endswith("@me") else error(502, 0)


async def fail_after_greeting(request: web.Request, handler: Handler) -> web.StreamResponse:
    is_asked = request.path.endswith("@me") or "gateway" in request.path
    return await handler(request) if is_asked else error(502, 0)


TOO_OFTEN = "Discord does not say: it fails too often to be asked again"


@pytest.mark.parametrize(
    ("fault", "check", "sentence", "code"),
    [
        (fail_after_login, "discord", "Discord cannot be reached: ", 1),
        (fail_after_greeting, "emojis", TOO_OFTEN, 0),
    ],
)
async def test_it_asks_discord_eight_times_at_most(  # noqa: PLR0913, PLR0917 - a row
    discord: FakeDiscord,
    settings: Config,
    clock: LoopClock,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
    check: str,
    sentence: str,
    code: int,
) -> None:
    """discord.py repeats what fails, for half a minute."""
    use_discord_at(discord.url, monkeypatch.setattr)
    discord.fault = fault
    checking = asyncio.create_task(check_discord(settings))
    await clock.turn_until(checking.done)
    found = {finding.check: finding for finding in await checking}
    assert found["token"].state == "well"
    assert found[check].sentence.startswith(sentence)
    assert max(finding.exit_code for finding in found.values()) == code
    assert discord.requests.total() <= 8


@pytest.fixture
async def silent() -> AsyncIterator[str]:
    """The address of a PostgreSQL that takes connections and says nothing."""

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield make_url(f"postgresql://u:the-password@{host}:{port}/d").render_as_string(
            hide_password=False
        )


async def test_a_silent_database_does_not_keep_it_from_the_rest(
    tmp_path: Path, discord: FakeDiscord, silent: str
) -> None:
    lines = await examine(tmp_path, discord, code=1, DATABASE_URL=silent)
    assert of("database", lines).startswith("wrong database  DATABASE_URL: this postgresql")
    assert of("token", lines).startswith("well")
    assert "the-password" not in "".join(lines)
