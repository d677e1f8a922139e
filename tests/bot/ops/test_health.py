"""Whether a bot is well: that it answers people, not only that it runs."""

from __future__ import annotations

import asyncio
import os
import platform
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL, delete, select, update

from bot.__main__ import main
from bot.client.bot import VelhaBot
from bot.config import Config
from bot.ops import heartbeat
from bot.ops.health import Health, monitored
from bot.ops.neighbours import Neighbours
from bot.ops.notes import load_notes
from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.engine_pool import EnginePool
from bot.store.matches import load_match
from bot.store.processes import record_seen, running_processes
from bot.store.schema import processes
from tests.bot.backend import App
from tests.bot.databases import both_databases, call, on_postgresql
from tests.bot.ops.test_backups import limited_file_size
from tests.bot.processes import ROOT, environment

NOBODY_MAY_WAIT = QueueLimits(max_waiting=0, wait_seconds=1, run_seconds=1)
UNREADY = "the gateway is not ready"


@pytest.fixture
def bot(unconnected_bot: VelhaBot) -> VelhaBot:
    """All but its connection is as in one that is connected."""
    return unconnected_bot


async def test_a_bot_without_a_connection_to_discord_is_unhealthy(bot: VelhaBot) -> None:
    assert await Health(bot).check() == [UNREADY]


@pytest.mark.logs_errors
async def test_a_bot_without_a_database_is_unhealthy(app: App, bot: VelhaBot) -> None:
    with app.store.engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE processes RENAME TO elsewhere")
    said = "the database takes no writes: no such table: processes"
    assert await Health(bot).check() == [UNREADY, said]


@pytest.mark.logs_errors
@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
async def test_a_bot_whose_disk_is_full_is_unhealthy_until_there_is_room(bot: VelhaBot) -> None:
    health = Health(bot)
    assert call(bot.store, load_match, 1) is None
    with limited_file_size(1):
        assert call(bot.store, load_match, 1) is None, "it can be read"
        unready, problem = await health.check()
    assert unready == UNREADY
    assert re.fullmatch("the database takes no writes: (.* is full|disk I/O error)", problem)
    assert await health.check() == [UNREADY]


@pytest.mark.logs_errors
@on_postgresql
async def test_a_bot_whose_server_is_read_only_is_unhealthy(app: App, url: URL) -> None:
    options = f"{url.query['options']} -cdefault_transaction_read_only=on"
    async with app.unconnected_bot(url.update_query_dict({"options": options})) as bot:
        unready, problem = await Health(bot).check()
    assert unready == UNREADY
    assert problem.startswith("the database takes no writes: cannot execute ")
    assert problem.endswith(" in a read-only transaction")


@both_databases
async def test_a_bot_is_in_its_database_while_it_runs(app: App, bot: VelhaBot) -> None:
    with app.other_store.engine.connect() as connection:
        assert not running_processes(connection)
        health = Health(bot)
        await health.check()
        (name,) = running_processes(connection)
        assert name == f"{platform.node()}:{os.getpid()}"
        connection.execute(update(processes).values(seen_at=processes.c.seen_at - 41))
        assert not running_processes(connection), "it was killed"
        call(app.other_store, record_seen, "another")
        assert len(connection.execute(select(processes)).all()) == 1
        await health.check()
        assert sorted(running_processes(connection)) == sorted(["another", name])
        await health.close()
        assert list(running_processes(connection)) == ["another"]


async def test_a_bot_whose_sweeps_fail_is_unhealthy(app: App, bot: VelhaBot) -> None:
    app.now += timedelta(minutes=2)
    assert await Health(bot).check() == [UNREADY]
    app.now += timedelta(seconds=1)
    assert await Health(bot).check() == [UNREADY, "no sweep has succeeded for two minutes"]
    await bot.background_tasks.sweep()
    assert await Health(bot).check() == [UNREADY]


async def test_a_bot_that_is_overloaded_is_unhealthy(bot: VelhaBot) -> None:
    bot.engine.close()
    bot.engine = EnginePool(random.Random(1), moves=NOBODY_MAY_WAIT)
    late = "the event loop is 2.5 seconds late"
    said = [UNREADY, late, "too many wait for moves"]
    health = Health(bot)
    assert health.problems == ["it is starting"]
    assert await health.check(late_seconds=2.5) == said
    assert health.problems == said
    assert await health.check(late_seconds=1) == [UNREADY, "too many wait for moves"]


# While it runs


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - it comes from a thread
            await asyncio.sleep(0.01)


@pytest.fixture
def config(url: URL, tmp_path: Path) -> Config:
    config = Config.from_env({"DISCORD_TOKEN": "t"})
    return replace(config, database_url=url, heartbeat_file=tmp_path / "its.heartbeat")


async def test_a_bot_writes_its_heartbeat_until_it_ends(bot: VelhaBot, config: Config) -> None:
    async with monitored(bot, config):
        await until(config.heartbeat_file.exists)
        await until(lambda: config.heartbeat_file.read_text().startswith(f"{UNREADY}\n"))
    assert not config.heartbeat_file.exists()


async def test_a_heartbeat_that_another_process_writes_is_left_to_it(
    bot: VelhaBot, config: Config
) -> None:
    file = config.heartbeat_file
    async with monitored(bot, config):
        await until(file.exists)
        for _ in range(2):  # unwell, it writes every second
            await until(lambda: heartbeat.find_writer(file) not in {"", "another"})
            heartbeat.write(file, [], "another")
        await until(lambda: heartbeat.find_writer(file) != "another")
    assert file.exists()


# Other processes


class Time:
    """A clock that the test turns."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_bot_with_another_database_is_noticed_and_warned_of_every_hour(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = Time()
    neighbours = Neighbours(now)
    said = list[int]()
    answered = 0
    for now.seconds in range(0, 2 * 60 * 60, 10):
        answered += now.seconds % 60 == 0
        neighbours.observe({}, answered)
        if neighbours.problems():
            said.append(int(now.seconds))
    assert said[0] == 120, "alone for a minute, and beaten twice"
    assert said == list(range(120, 2 * 60 * 60, 10))
    assert len(caplog.messages) == 2
    assert caplog.messages[0].startswith("Another bot with this token answers")
    now.seconds += 11 * 60
    neighbours.observe({}, answered)
    assert not neighbours.problems(), "it has stopped"


def test_a_process_on_the_same_database_is_told_of_once_unless_it_was_killed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = Time()
    neighbours = Neighbours(now)
    for now.seconds in range(0, 600, 10):
        neighbours.observe({"host:1": int(now.seconds), "killed:2": 0}, int(now.seconds))
        assert not neighbours.problems()
    (said,) = caplog.messages
    assert said.startswith("Another process runs on this database, host:1")


async def test_a_heartbeat_that_cannot_be_written_is_logged_once_and_the_bot_goes_on(
    app: App, bot: VelhaBot, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    async with monitored(bot, replace(config, heartbeat_file=Path("nowhere/at.all"))):
        await until(lambda: caplog.messages)
        with app.other_store.engine.connect() as connection:
            connection.execute(delete(processes))
            await until(lambda: running_processes(connection))
    said = "HEARTBEAT_FILE: nowhere/at.all cannot be written: No such file or directory"
    assert caplog.messages == [said]


async def test_a_bot_deletes_what_was_replaced_four_weeks_ago(
    app: App, bot: VelhaBot, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old = f"{app.now - timedelta(days=28):%Y%m%d-%H%M%S}"
    (tmp_path / "backups").mkdir()
    files = [
        tmp_path / f"velha.db.replaced-{old}",
        tmp_path / "backups" / f"velha-{old}-before-restore.db",
    ]
    for file in files:
        file.touch()
    async with monitored(bot, config):
        await until(lambda: not any(file.exists() for file in files))


async def test_the_log_warns_of_the_end_of_the_last_copy(
    app: App, bot: VelhaBot, config: Config, here: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (here / "backups").mkdir()

    async def said_after(days: int) -> list[str]:
        file = here / "backups" / f"velha-{app.now - timedelta(days=days):%Y%m%d-%H%M%S}.db"
        expired = here / "backups" / "velha-20200101-000000-before-restore.db"
        file.touch()
        expired.touch()
        caplog.clear()
        async with monitored(bot, config):
            await until(lambda: not expired.exists())
            await until(lambda: days < 7 or caplog.messages)
        assert file.exists() == (days < 28)
        file.unlink(missing_ok=True)
        return caplog.messages

    for days in (7, 27):
        (said,) = await said_after(days)
        assert said.startswith(f"No copy was made in `backups` for {days} days. The last one is")
    (said,) = await said_after(28)
    assert said.startswith("The last copy in `backups` was deleted, as it was 28 days old")
    assert await said_after(6) == []


@pytest.mark.logs_errors
async def test_an_outage_of_the_database_is_noted_once_it_is_over(app: App, bot: VelhaBot) -> None:
    health = Health(bot)
    began = app.now
    with app.store.engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE processes RENAME TO elsewhere")
        for _ in range(2):
            await health.check()
            app.now += timedelta(seconds=10)
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO processes")
    await health.check()
    said = "For 20 s the database took no writes: no such table: processes."
    assert call(app.store, load_notes) == [(began, said)]


async def test_that_a_bot_on_another_database_answers_is_noted(app: App, bot: VelhaBot) -> None:
    now = Time()
    health = Health(bot, Neighbours(now))
    for now.seconds in range(0, 120, 10):
        bot.frame.answered_elsewhere += 1
        await health.check()
    ((time, said),) = call(app.store, load_notes)
    assert time == app.now
    assert said.startswith("Another bot with this token answers")


# As a host asks


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEARTBEAT_FILE", "its.heartbeat")
    return tmp_path / "its.heartbeat"


def asked(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and the line that `python -m bot health` prints."""
    return main(["health"]), capsys.readouterr().out


def test_health_is_reported_in_a_line_and_by_the_exit_code(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = f"unhealthy: no bot is running here: there is no heartbeat ({file})\n"
    assert asked(capsys) == (1, missing)
    heartbeat.write(file, ["one thing", "another"])
    assert asked(capsys) == (1, "unhealthy: one thing; another\n")
    heartbeat.write(file, [])
    assert asked(capsys) == (0, "healthy\n")
    assert file.stat().st_mode & 0o077 == 0
    ahead = time.time() + 3600
    os.utime(file, (ahead, ahead))
    code, said = asked(capsys)
    assert code == 1
    assert said.endswith("seconds ahead: the clock was set back\n")
    file.write_text("")
    assert asked(capsys) == (1, "unhealthy: its heartbeat is empty\n")
    heartbeat.delete(file)
    assert asked(capsys) == (1, missing)


def test_a_bot_that_hangs_or_was_killed_is_unhealthy_whatever_it_wrote_last(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heartbeat.write(file, [])
    written_at = file.stat().st_mtime
    os.utime(file, (written_at - 31, written_at - 31))
    assert asked(capsys) == (0, "healthy\n")
    os.utime(file, (written_at - 41, written_at - 41))
    code, said = asked(capsys)
    assert code == 1
    assert re.fullmatch(r"unhealthy: the last heartbeat was [45]\d seconds ago\n", said)


def imported_by(what: str) -> set[str]:
    """The packages that a Python of its own has imported after that."""
    tell = f"{what}; import sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", tell],
        cwd=ROOT,
        env=environment({}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return {name.split(".")[0] for name in done.stdout.split()}


def test_asking_for_health_imports_next_to_nothing() -> None:
    asking = imported_by("from bot.__main__ import main; main(['health'])")
    assert not asking & {"discord", "sqlalchemy", "aiohttp", "babel"}


def test_a_bot_without_metrics_imports_no_library_of_theirs_and_none_to_draw() -> None:
    running = imported_by("import bot.run")
    assert "discord" in running
    assert not running & {"prometheus_client", "PIL"}
