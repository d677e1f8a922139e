"""python -m bot as a host meets it: a process of its own, its output and its exit code."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot import __version__
from bot.__main__ import main
from bot.config import describe_url, parse_url
from bot.run import stop_on_signals
from bot.store.database import StoreError, is_refused_login
from tests.bot.databases import on_new_postgresql, write_sqlite_file
from tests.bot.fake_discord import FakeDiscord
from tests.bot.processes import ROOT, BotProcess, environment

NOWHERE = "http://127.0.0.1:9"


async def complaint(folder: Path, **settings: str) -> str:
    """What it says of its settings, which it cannot use."""
    bot = BotProcess.fork(NOWHERE, folder, **{"DISCORD_TOKEN": ""} | settings)
    assert await bot.wait() == 2
    assert "Traceback" not in bot.log
    return bot.log


async def test_without_a_token_it_says_what_to_do(tmp_path: Path) -> None:
    said = await complaint(tmp_path)
    assert "DISCORD_TOKEN: it is missing" in said
    assert ".env.example" in said


async def test_settings_are_read_from_a_file_named_env(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nLOG_LEVEL=loud\n")
    said = await complaint(tmp_path)
    assert "LOG_LEVEL: it is not one of" in said
    assert "DISCORD_TOKEN" not in said


async def test_a_file_that_is_not_text_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    assert "not text in UTF-8" in await complaint(tmp_path)


async def test_a_folder_in_place_of_the_file_is_not_passed_over(tmp_path: Path) -> None:
    """Docker makes one where it is to mount a file that is not there."""
    (tmp_path / ".env").mkdir()
    assert "The file .env cannot be read: Is a directory" in await complaint(tmp_path)


async def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nLOG_LEVEL=loud\n")
    assert "LOG_LEVEL: it is not one of" in await complaint(tmp_path, LOG_LEVEL="silent")


@pytest.mark.parametrize(
    "arguments",
    [
        ["playgruond"],
        ["playground", "--language", "tlh"],
        ["restore"],
        ["copy", "sqlite:///a.db"],
    ],
)
def test_a_wrong_command_is_refused_with_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert "usage: python -m bot" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [[], ["playground"], ["health"], ["backup"], ["restore"], ["copy"], ["downgrade"]]
)
def test_each_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as helped:
        main([*command, "--help"])
    assert helped.value.code == 0
    assert capsys.readouterr().out.startswith(" ".join(["usage: python -m bot", *command]))


def test_the_version_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"Velha {__version__}\n"


async def test_a_new_database_is_named_in_the_log_and_an_older_one_is_not(
    discord: FakeDiscord, database_url: str, tmp_path: Path
) -> None:
    for sessions, is_new in ((1, True), (2, False)):
        bot = BotProcess.fork(discord.url, tmp_path, DATABASE_URL=database_url)
        await discord.wait_for_sessions(sessions)
        said = f"The database is new: {describe_url(parse_url(database_url))}\n"
        assert (said in bot.log) is is_new
        assert await bot.terminate() == 0


@pytest.mark.parametrize("arguments", [(), ("playground",)])
def test_without_the_packages_it_says_which_python_to_use(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "bot", *arguments],  # -S: without installed packages
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "make play" in done.stderr
    assert ".venv/bin/python -m bot" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_old_python_is_told_from_a_missing_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Velha needs Python 3.11 or newer, and this is 3.10.13: ")


async def fails_to_start(
    folder: Path, url: str, sentence: str, code: int = 1, **settings: str
) -> None:
    """It says why in a sentence, and gives no secret away, however much it logs."""
    bot = BotProcess.fork(url, folder, LOG_LEVEL="DEBUG", **settings)
    assert await bot.wait() == code
    assert sentence in bot.log.splitlines()[-1]
    assert "sqlalche.me" not in bot.log
    assert "Traceback" not in bot.log
    assert settings.get("DISCORD_TOKEN", "the-token") not in bot.log.replace("DISCORD_TOKEN", "")
    assert "the-password" not in bot.log


async def test_unreachable_discord_is_reported_in_one_sentence(tmp_path: Path) -> None:
    await fails_to_start(tmp_path, NOWHERE, "Discord cannot be reached")


@pytest.mark.parametrize(
    ("token", "sentence", "code"),
    [
        ("token-refused", "Discord refused DISCORD_TOKEN", 2),
        ("token-reset", "Discord refused DISCORD_TOKEN", 2),
        ("token-broken", "Discord cannot be reached: 503", 1),
    ],
)
async def test_a_permanent_login_error_is_reported_in_one_sentence(
    tmp_path: Path, discord: FakeDiscord, token: str, sentence: str, code: int
) -> None:
    await fails_to_start(tmp_path, discord.url, sentence, code, DISCORD_TOKEN=token)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_refused_at_the_start_it_does_not_end_at_once_only_to_be_started_again(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    bot = BotProcess.fork(discord.url, tmp_path, DISCORD_TOKEN="token-banned")
    await discord.wait_until(lambda: "ends the bot in 15 minutes" in bot.log)
    assert "Discord refuses to be asked, as if this address had asked too often: 429" in bot.log
    assert await bot.terminate() == 1
    assert discord.requests["describe_user"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("token", ["", "token-refused"])
async def test_told_to_hold_it_waits_with_a_wrong_setting_until_it_is_stopped(
    tmp_path: Path, discord: FakeDiscord, token: str
) -> None:
    settings = {"DISCORD_TOKEN": token, "LOG_LEVEL": "INFO"}
    bot = BotProcess.fork(discord.url, tmp_path, ["--hold"], **settings)
    await discord.wait_until(lambda: "ends the bot in 60 minutes" in bot.log)
    assert "DISCORD_TOKEN" in bot.log
    assert await bot.terminate() == 2


WITHOUT_POSIX_CALLS = """
import signal
del signal.pthread_sigmask, signal.sigtimedwait, signal.sigwait
from bot import __version__
from bot.__main__ import main
raise SystemExit(main(["--hold"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_hold_it_waits_also_where_python_lacks_calls_of_linux(
    tmp_path: Path, number: signal.Signals
) -> None:
    """As on macOS and on Windows."""
    held = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WITHOUT_POSIX_CALLS),
        cwd=tmp_path,
        env=environment({"LOG_LEVEL": "INFO"}),
        stderr=asyncio.subprocess.PIPE,
    )
    assert held.stderr is not None
    while b"ends the bot in 60 minutes" not in (line := await held.stderr.readline()):
        assert line, "it has ended"
    held.send_signal(number)
    assert await held.wait() == 2
    assert await held.stderr.read() == b""


async def test_in_json_a_wrong_setting_is_an_event_like_any_other(tmp_path: Path) -> None:
    settings = "DISCORD_TOKEN=abc\nLOG_LEVEL=loud\nLOG_FORMAT=json\nSHARD_COUNTS=2\n"
    (tmp_path / ".env").write_text(settings)
    (line,) = (await complaint(tmp_path)).splitlines()
    event = json.loads(line)
    assert event["level"] == "CRITICAL"
    assert "LOG_LEVEL: it is not one of" in event["message"]
    assert "SHARD_COUNTS is not a setting: is it SHARD_COUNT?" in event["message"]


async def test_names_that_are_no_settings_are_logged_at_the_start(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    (tmp_path / ".env").write_text("COLOUR=red\n")
    (tmp_path / ".env").chmod(0o600)
    bot = BotProcess.fork(discord.url, tmp_path, DATABSE_URL="sqlite:///elsewhere.db")
    await discord.wait_for_sessions()
    assert await bot.terminate() == 0
    assert "DATABSE_URL is not a setting: is it DATABASE_URL?" in bot.log
    assert bot.log.count("is not a setting") == 2
    assert bot.log.splitlines()[-1].endswith("bot.run: Stopped.")
    assert "\x1b" not in bot.log


@pytest.mark.parametrize(
    ("database_url", "sentence"),
    [
        ("sqlite:////nowhere/velha.db", "/nowhere/velha.db cannot be opened: there is no folder"),
        ("sqlite:///folder", "/folder cannot be opened: Is a directory"),
        ("sqlite:///moved.db", "moved.db-wal is there, but not the file to which it belongs"),
        ("sqlite:///garbage.db", "file is not a database"),
        ("postgresql://u:the-password@127.0.0.1:9/d", "this postgresql database cannot be used"),
        ("postgres://u:the-password@127.0.0.1:9/d?sslmode=require", "Connection refused"),
    ],
)
async def test_an_unusable_database_is_reported_in_one_sentence(
    tmp_path: Path, discord: FakeDiscord, database_url: str, sentence: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "moved.db-wal").touch()
    (tmp_path / "garbage.db").write_bytes(b"no database " * 100)
    await fails_to_start(tmp_path, discord.url, sentence, DATABASE_URL=database_url)


@on_new_postgresql
async def test_a_database_or_user_that_the_server_does_not_know_is_a_wrong_setting(
    tmp_path: Path, discord: FakeDiscord, database_url: str
) -> None:
    url = make_url(database_url)
    for wrong, sentence in (
        (url.set(database="nowhere"), 'database "nowhere" does not exist'),
        (url.set(username="who"), 'role "who" does not exist'),
    ):
        text = wrong.render_as_string(hide_password=False)
        await fails_to_start(tmp_path, discord.url, sentence, code=2, DATABASE_URL=text)


@pytest.mark.parametrize(
    ("said", "is_refused"),
    [
        ('FATAL:  password authentication failed for user "velha"', True),
        ("fe_sendauth: no password supplied", True),
        ("FATAL:  SASL authentication failed", True),
        ("FATAL:  no such database: velha", True),
        ("FATAL:  the database system is starting up", False),
        ("Connection refused", False),
    ],
)
def test_a_server_that_is_starting_does_not_refuse_a_password(
    said: str, *, is_refused: bool
) -> None:
    assert is_refused_login(StoreError(said)) is is_refused


@pytest.mark.parametrize(
    ("table", "revision", "sentence"),
    [
        ("bookmarks", None, "it is another program's file, with a table named 'bookmarks'"),
        ("bookmarks", "9999", "it is another program's, at revision '9999' of its tables"),
        ("matches", "ae10", "it is another program's, at revision 'ae10' of its tables"),
        ("matches", "0011", "older than release 1.1.0: check out 5e61caa and start that once"),
    ],
)
async def test_a_database_that_no_restart_would_mend_ends_it_as_a_wrong_setting_does(
    tmp_path: Path, discord: FakeDiscord, table: str, revision: str | None, sentence: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute(f"CREATE TABLE {table} (id INTEGER)")
        if revision is not None:
            database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
            database.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
            database.commit()
    await fails_to_start(tmp_path, discord.url, sentence, code=2)


async def test_a_database_of_a_newer_release_is_used_with_one_warning(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    write_sqlite_file(tmp_path / "velha.db")
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("ALTER TABLE matches ADD COLUMN colour TEXT")
        database.commit()
    bot = BotProcess.fork(discord.url, tmp_path)
    await discord.wait_for_sessions()
    message = await discord.start(11, 1000)
    await discord.press(11, "B2", message)
    assert discord.newest(1000).board.count("x") == 1
    assert await bot.terminate() == 0
    said = (
        "WARNING ] bot.store.migrations: The database is of a newer release (9999): this one runs"
    )
    assert bot.log.count(said) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize(
    ("start", "number"),
    [(BotProcess.spawn, signal.SIGTERM), (BotProcess.fork, signal.SIGINT)],
    ids=["terminated", "interrupted"],
)
async def test_it_exits_by_itself_at_a_signal(
    tmp_path: Path,
    discord: FakeDiscord,
    start: Callable[[str, Path], BotProcess],
    number: signal.Signals,
) -> None:
    bot = start(discord.url, tmp_path)
    await discord.wait_for_sessions()
    assert await bot.terminate(number) == 0
    assert "did not close" not in bot.log, "no time-out was met"
    assert "Traceback" not in bot.log


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_a_signal_is_not_lost_if_the_cancellation_is_swallowed() -> None:
    """As discord.py does while it connects a shard again."""
    was_swallowed = False

    async def run() -> None:
        nonlocal was_swallowed
        shutdown = asyncio.Event()
        stop_on_signals(shutdown)
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            was_swallowed = True
        try:
            await asyncio.sleep(10)
        finally:
            shutdown.set()

    running = asyncio.create_task(run())
    await asyncio.wait({running})
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)
    assert was_swallowed
    assert running.cancelled()


async def test_commands_are_sent_to_discord_only_if_they_changed(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    for number in (1, 2):
        bot = BotProcess.fork(discord.url, tmp_path)
        await discord.wait_for_sessions(number)
        assert await bot.terminate() == 0
    assert discord.requests["take_commands"] == 1
