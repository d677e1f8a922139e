"""python -m bot as a host meets it: a process of its own, its output and its exit code."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web
from sqlalchemy import make_url

from bot import __version__
from bot.__main__ import main
from bot.run import stop_on_signals
from bot.store.database import StoreError
from bot.store.faults import is_permanent
from tests.bot.databases import on_new_postgresql, write_sqlite_file
from tests.bot.fake_discord import FakeDiscord, Fault, Handler, error
from tests.bot.processes import ROOT, BotProcess, Spawn, environment

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.logs_errors
@pytest.mark.usefixtures("restored_logging", "here")
def test_without_a_token_it_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr().err
    assert "DISCORD_TOKEN: it is missing" in said
    assert ".env.example" in said


@pytest.mark.logs_errors
@pytest.mark.usefixtures("restored_logging")
def test_in_json_a_wrong_setting_is_an_event_like_any_other(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "DISCORD_TOKEN=abc\nLOG_LEVEL=loud\nLOG_FORMAT=json\nSHARD_COUNTS=2\n"
    (here / ".env").write_text(settings)
    assert main([]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    event = json.loads(line)
    assert event["level"] == "CRITICAL"
    assert "LOG_LEVEL: it is not one of" in event["message"]
    assert "SHARD_COUNTS is not a setting: is it SHARD_COUNT?" in event["message"]


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
    "command", [[], ["playground"], ["health"], ["doctor"], ["backup"], ["restore"], ["copy"]]
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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has rights of another kind")
async def test_what_is_worth_knowing_is_logged_at_the_start(tmp_path: Path, spawn: Spawn) -> None:
    """Which version runs on what, which files others can open, and what is not a setting."""
    exposed = {".env": "COLOUR=red\n", "velha.db": "", "token": "the-token"}
    for name, content in exposed.items():
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o640)
    settings = {"DISCORD_TOKEN": "", "DISCORD_TOKEN_FILE": "token", "DATABSE_URL": "elsewhere"}
    bot = await spawn(**settings, SHARD_COUNT="4", SHARD_IDS="0")
    assert await bot.terminate() == 0
    first, *lines, last = bot.log.splitlines()
    assert first.endswith(f"bot.run: Velha {__version__} starts.")
    assert last.endswith("bot.run: Stopped.")
    (said,) = (line for line in lines if "Running on" in line)
    assert said.endswith("and sqlite; shards 0 of 4.")
    for name in exposed:
        assert f"Other users of this machine can open {name}: chmod 600 {name}" in bot.log
    assert "DATABSE_URL is not a setting: is it DATABASE_URL?" in bot.log
    assert "Line 1 of .env is not a setting." in bot.log
    assert f"The database is new: {tmp_path / 'velha.db'}\n" in bot.log
    assert "\x1b" not in bot.log


async def test_another_start_says_nothing_of_the_database_nor_of_files_that_are_closed(
    tmp_path: Path, spawn: Spawn
) -> None:
    write_sqlite_file(tmp_path / "velha.db")
    bot = await spawn()
    assert "The database is new" not in bot.log
    assert "Other users" not in bot.log


@pytest.mark.parametrize("started", ["bot", "bot/__main__.py"])
def test_it_may_be_started_by_its_folder_or_its_file(started: str, tmp_path: Path) -> None:
    """As editors and the panels of hosts do."""
    command = [sys.executable, str(ROOT / started), "--version"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"Velha {__version__}\n"


async def test_discord_is_reached_through_a_proxy_whose_address_is_in_no_log(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    proxy = discord.url.replace("//", "//me:the-password@")
    settings = {"LOG_LEVEL": "DEBUG", "HTTPS_PROXY": proxy}
    bot = BotProcess.fork("http://discord.invalid", tmp_path, **settings)
    await discord.wait_for_sessions()
    assert await bot.terminate() == 0
    away = {"LOG_LEVEL": "DEBUG", "HTTPS_PROXY": "http://me:the-password@127.0.0.1:9"}
    bot = BotProcess.fork("http://discord.invalid", tmp_path, **away)
    assert await bot.wait() == 1
    assert "Discord cannot be reached: Cannot connect to host" in bot.log
    assert "the-password" not in bot.log
    assert "127.0.0.1:9" not in bot.log


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
    folder: Path,
    url: str,
    sentence: str,
    code: int = 1,
    *,
    foreseen: bool = True,
    **settings: str,
) -> None:
    """It says why in a sentence, and gives no secret away, however much it logs.

    `doctor` says the same, unless it cannot be foreseen.
    """
    bot = BotProcess.fork(url, folder, LOG_LEVEL="DEBUG", **settings)
    assert await bot.wait() == code
    assert sentence in bot.log.splitlines()[-1]
    doctor = BotProcess.fork(url, folder, ["doctor"], LOG_LEVEL="DEBUG", **settings)
    if foreseen:
        assert await doctor.wait() == code
        (said,) = (line for line in doctor.log.splitlines() if line.startswith("wrong"))
        assert sentence in said
    else:
        assert await doctor.wait() == 0
    for log in (bot.log, doctor.log):
        assert "sqlalche.me" not in log
        assert "Traceback" not in log
        assert settings.get("DISCORD_TOKEN", "the-token") not in log.replace("DISCORD_TOKEN", "")
        assert "the-password" not in log


async def test_unreachable_discord_is_reported_in_one_sentence(tmp_path: Path) -> None:
    await fails_to_start(tmp_path, NOWHERE, "Discord cannot be reached")


@pytest.mark.parametrize(
    ("token", "sentence", "code", "foreseen"),
    [
        ("token-refused", "Discord refused DISCORD_TOKEN", 2, True),
        ("token-reset", "Discord refused DISCORD_TOKEN", 2, False),
        ("token-broken", "Discord cannot be reached: 503", 1, True),
    ],
)
async def test_a_permanent_login_error_is_reported_in_one_sentence(  # noqa: PLR0913 - a row
    tmp_path: Path, discord: FakeDiscord, token: str, sentence: str, code: int, *, foreseen: bool
) -> None:
    await fails_to_start(
        tmp_path, discord.url, sentence, code, foreseen=foreseen, DISCORD_TOKEN=token
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_a_start_that_discord_refuses_waits_before_it_ends(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    """Its host would start it again at once."""
    bot = BotProcess.fork(discord.url, tmp_path, DISCORD_TOKEN="token-banned")
    await discord.wait_until(lambda: "ends the bot in 15 minutes" in bot.log)
    assert "Discord refuses to be asked, as if this address had asked too often: 429" in bot.log
    assert await bot.terminate() == 1
    assert discord.requests["describe_user"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_told_to_hold_it_waits_with_a_wrong_token_until_it_is_stopped(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    bot = BotProcess.fork(discord.url, tmp_path, ["--hold"], DISCORD_TOKEN="token-refused")
    await discord.wait_until(lambda: "ends the bot in 60 minutes" in bot.log)
    assert "DISCORD_TOKEN" in bot.log
    assert await bot.terminate() == 2


WITHOUT_POSIX_CALLS = """
import signal
del signal.pthread_sigmask, signal.sigtimedwait, signal.sigwait
from bot.__main__ import main
raise SystemExit(main(["--hold"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.usefixtures("minds_ctrl_c")
async def test_told_to_hold_it_waits_without_a_token_also_where_python_lacks_calls_of_linux(
    tmp_path: Path,
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
    held.send_signal(signal.SIGINT)
    assert await held.wait() == 2
    assert await held.stderr.read() == b""


@pytest.mark.parametrize(
    ("database_url", "sentence"),
    [
        ("sqlite:////nowhere/velha.db", "/nowhere/velha.db cannot be opened: there is no folder"),
        ("postgresql://u:the-password@127.0.0.1:9/d", "this postgresql database cannot be used"),
    ],
)
async def test_an_unusable_database_is_reported_in_one_sentence_and_nobody_logs_in(
    tmp_path: Path, discord: FakeDiscord, database_url: str, sentence: str
) -> None:
    await fails_to_start(tmp_path, discord.url, sentence, DATABASE_URL=database_url)
    assert discord.requests["describe_user"] == 1, "only the doctor has asked"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("folder", "folder cannot be opened: Is a directory"),
        ("text", "file is not a database"),
        ("text/velha.db", "text/velha.db cannot be opened: Not a directory"),
        ("damaged.db", "database disk image is malformed"),
    ],
)
async def test_a_file_that_no_restart_would_mend_is_a_wrong_setting(
    tmp_path: Path, discord: FakeDiscord, name: str, sentence: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("Dear diary, " * 1000)
    write_sqlite_file(tmp_path / "damaged.db")
    with (tmp_path / "damaged.db").open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"\xff" * 4096)
    url = f"sqlite:///{tmp_path / name}"
    await fails_to_start(tmp_path, discord.url, sentence, code=2, DATABASE_URL=url)
    assert discord.requests["describe_user"] == 1, "only the doctor has asked"


@on_new_postgresql
@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("colour=red", "invalid connection option"),
        ("sslmode=sometimes", "invalid sslmode value"),
        ("sslmode=require", "server does not support SSL"),
        ("options=-csearch_path%3Dnowhere", "no schema has been selected to create in"),
    ],
)
async def test_an_option_that_cannot_be_met_is_a_wrong_setting(
    tmp_path: Path, discord: FakeDiscord, database_url: str, option: str, sentence: str
) -> None:
    url = make_url(database_url).set(query={}).render_as_string(hide_password=False)
    wrong = f"{url}?{option}"
    await fails_to_start(tmp_path, discord.url, sentence, code=2, DATABASE_URL=wrong)


async def answer_with_a_page(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return web.Response(text="<title>Welcome to our network</title>", content_type="text/html")


async def redirect_to_a_page(request: web.Request, _handler: Handler) -> web.StreamResponse:
    if request.path == "/login":
        return web.Response(text="<title>Welcome</title>", content_type="text/html")
    raise web.HTTPFound("/login")


async def refuse_the_version(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(400, 50041)


async def refuse_the_token(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Once it has logged in."""
    return error(401, 0) if "gateway" in handler.__name__ else await handler(request)


def close_with(code: int) -> Fault:
    async def close(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "serve_gateway" not in handler.__name__:
            return await handler(request)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.close(code=code)
        return socket

    return close


@pytest.mark.parametrize(
    ("fault", "sentence", "code"),
    [
        (answer_with_a_page, "It is not Discord that answers", 1),
        (redirect_to_a_page, "It is not Discord that answers", 1),
        (refuse_the_version, "Discord does not speak with this release any longer", 2),
        (refuse_the_token, "Discord refused DISCORD_TOKEN", 2),
        (close_with(4012), "Discord does not speak with this release any longer", 2),
        (close_with(4013), "Discord does not speak with this release any longer", 2),
        (close_with(4011), "it wants more shards", 2),
    ],
)
async def test_each_answer_that_ends_it_has_its_sentence(
    tmp_path: Path, discord: FakeDiscord, fault: Fault, sentence: str, code: int
) -> None:
    discord.fault = fault
    await fails_to_start(tmp_path, discord.url, sentence, code)


async def test_a_certificate_that_is_not_trusted_is_not_called_an_outage(
    tmp_path: Path, untrusted: str
) -> None:
    await fails_to_start(tmp_path, untrusted, "has no certificate that is trusted")


@pytest.fixture
async def untrusted(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server with a certificate that it has signed itself."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2"
    names = ["-keyout", str(key), "-out", str(certificate)]
    making = await asyncio.create_subprocess_exec(
        *command.split(), *names, stderr=subprocess.DEVNULL
    )
    assert await making.wait() == 0
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    runner = web.AppRunner(web.Application())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    yield f"https://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


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
    assert is_permanent(StoreError(said)) is is_refused


async def test_a_database_that_no_restart_would_mend_ends_it_as_a_wrong_setting_does(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute("CREATE TABLE bookmarks (id INTEGER)")
    sentence = "it is another program's file, with a table named 'bookmarks'"
    await fails_to_start(tmp_path, discord.url, sentence, code=2)


async def test_a_database_from_before_the_first_release_ends_it_as_a_wrong_setting_does(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    write_sqlite_file(tmp_path / "velha.db")
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '0015'")
        database.commit()
    sentence = "it is of a version that was never released: move it away and start anew"
    await fails_to_start(tmp_path, discord.url, sentence, code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="there it lies elsewhere")
def test_in_an_environment_without_a_package_it_says_how_to_install_it(tmp_path: Path) -> None:
    """Not to type what has just been typed."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / ".venv")], check=True
    )
    python = next(tmp_path.glob(".venv/*/python"))
    done = subprocess.run(
        [str(python), "-m", "bot"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "-m pip install -r requirements.txt" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_it_exits_by_itself_at_a_signal(tmp_path: Path, discord: FakeDiscord) -> None:
    """In a new interpreter, as hosts start it."""
    bot = BotProcess.spawn(discord.url, tmp_path)
    await discord.wait_for_sessions()
    assert await bot.terminate(signal.SIGINT) == 0
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
