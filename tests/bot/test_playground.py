"""The playground: the address answers, the furniture stands, and time passes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.playground import playground

ROOT = Path(__file__).parents[2]


@pytest.fixture
def minds_ctrl_c() -> Iterator[None]:
    """Whatever is started minds SIGINT; what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("minds_ctrl_c")
def test_it_prints_an_address_that_answers_and_ends_with_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "bot", "playground"],
        cwd=ROOT,
        env={"BROWSER": "true", "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    printed = iter(process.stdout.readline, "")
    urls = (re.search(r"http://127.0.0.1:\d+/", line) for line in printed)
    url = next(filter(None, urls))
    with urllib.request.urlopen(url.group()) as page:
        assert page.status == 200
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0
    assert stdout.strip().endswith("The playground is closed.")
    assert "Traceback" not in stderr


@pytest.mark.parametrize("limit", ["TURN_MINUTES", "CHALLENGE_MINUTES"])
def test_a_setting_it_cannot_use_is_one_sentence(
    limit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(limit, "x")
    assert main(["playground"]) == 2
    said = capsys.readouterr()
    assert f"{limit}: 'x' is not a whole number" in said.err
    assert said.out == "", "it is not said to be open, nor to be closed"


async def test_three_members_share_a_channel_and_see_the_same_board() -> None:
    async with playground() as (_env, preview):
        ana, ben, rui = preview.viewers
        await ana.slash(preview.channel, "velha start", opponent=ben)
        message = preview.channel.last_message
        assert message is not None
        await ben.click(message, label="Aceitar")
        for viewer in (ana, ben, rui):
            assert len(preview.channel.history(viewer=viewer)) == 1


async def test_time_passes_there_as_it_does_here() -> None:
    async with playground() as (env, _preview):
        assert abs((env.now() - datetime.now(UTC)).total_seconds()) < 60
