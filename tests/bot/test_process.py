"""python -m bot as a host meets it: a process of its own, its output and its exit code."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUIET_BOT = str(Path(__file__).with_name("quiet_bot.py"))


def environment(**settings: str) -> dict[str, str]:
    ours = {"DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL", "DEV_GUILD_ID", "TURN_MINUTES"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return kept | {"PYTHONPATH": str(ROOT)} | settings


def run_bot(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return run_python(folder, "-m", "bot", *arguments, **settings)


def run_python(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_token_it_says_what_to_do_and_exits_with_2(tmp_path: Path) -> None:
    done = run_bot(tmp_path)
    assert done.returncode == 2
    assert "DISCORD_TOKEN: it is missing" in done.stderr
    assert ".env.example" in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_are_read_from_a_file_named_env(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nLOG_LEVEL=loud\n")
    done = run_bot(tmp_path)
    assert done.returncode == 2
    assert "LOG_LEVEL: 'loud' is not one of" in done.stderr
    assert "DISCORD_TOKEN" not in done.stderr


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=abc\nLOG_LEVEL=loud\n")
    done = run_bot(tmp_path, LOG_LEVEL="silent")
    assert "'silent' is not one of" in done.stderr


def test_an_unknown_argument_is_refused(tmp_path: Path) -> None:
    done = run_bot(tmp_path, "playgruond")
    assert done.returncode == 2
    assert "Unknown: playgruond" in done.stderr


def test_discord_out_of_reach_is_one_sentence_and_exit_code_1(tmp_path: Path) -> None:
    done = run_python(tmp_path, QUIET_BOT, DISCORD_TOKEN="the-token", NO_DISCORD="yes")
    assert done.returncode == 1
    assert "Discord cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert "the-token" not in done.stderr + done.stdout


def test_a_database_of_a_newer_release_is_one_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "velha.db")) as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
        database.commit()
    done = run_python(tmp_path, QUIET_BOT, DISCORD_TOKEN="the-token")
    assert done.returncode == 1
    assert "its tables are of another release" in done.stderr
    assert "Traceback" not in done.stderr


def start_quiet_bot(folder: Path) -> subprocess.Popen[str]:
    """A bot that is connected to a Discord in which nothing happens."""
    process = subprocess.Popen(
        [sys.executable, QUIET_BOT],
        cwd=folder,
        env=environment(DISCORD_TOKEN="abc"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "connected\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_leaves_within_five_seconds_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    process = start_quiet_bot(tmp_path)
    told_at = time.monotonic()
    process.send_signal(number)
    _, stderr = process.communicate(timeout=20)
    assert time.monotonic() - told_at < 5
    assert process.returncode == 0
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("token", "url", "sentence"),
    [
        ("refused", "sqlite:///velha.db", "Discord refused DISCORD_TOKEN"),
        ("reset", "sqlite:///velha.db", "Discord refused DISCORD_TOKEN"),
        ("broken", "sqlite:///velha.db", "Discord cannot be reached: 503"),
        ("the-token", "sqlite:////nowhere/at/all/velha.db", "DATABASE_URL: this sqlite database"),
        (
            "the-token",
            "postgresql://u:the-password@127.0.0.1:9/d",
            "DATABASE_URL: this postgresql database",
        ),
    ],
)
def test_what_no_retry_can_mend_is_one_sentence(
    tmp_path: Path, token: str, url: str, sentence: str
) -> None:
    done = run_python(tmp_path, QUIET_BOT, DISCORD_TOKEN=token, DATABASE_URL=url)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "the-password" not in done.stderr + done.stdout
    assert "the-token" not in done.stderr + done.stdout


def test_commands_are_told_to_discord_only_when_they_changed(tmp_path: Path) -> None:
    for expected in (True, False):
        process = start_quiet_bot(tmp_path)
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=20)
        assert ("Told Discord" in stderr) is expected
