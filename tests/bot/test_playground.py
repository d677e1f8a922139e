"""The playground: it answers, explains itself, lets one tab play, and stores little."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from urllib.parse import urldefrag

import discord
import pytest
from aiohttp import ClientSession
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.preview import Preview

from bot.__main__ import main
from bot.playground import one_tab, playground
from bot.playground.guide import MAX_MESSAGES
from tests.bot.simulated_guild import SimulatedGuild

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
def test_an_unusable_setting_is_reported_in_one_sentence(
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
            assert preview.channel.history(viewer=viewer)[-1].id == message.id


async def test_boards_are_in_the_language_of_the_person_who_opens_them() -> None:
    async with playground() as (_env, preview):
        for who, resign in ((0, "Desistir"), (1, "Resign")):
            await _member(preview, who).slash(preview.channel, "velha start")
            assert f"label='{resign}'" in str(preview.channel.history()[-1].components)
            await _member(preview, who).slash(preview.channel, "velha stop")


async def test_time_passes_as_in_the_real_world() -> None:
    async with playground() as (env, _preview):
        assert abs((env.now() - datetime.now(UTC)).total_seconds()) < 60


async def test_visitors_are_told_what_to_type_in_both_languages() -> None:
    async with playground() as (_env, preview):
        (greeting,) = preview.channel.history()
        assert greeting.content.count("`/velha start`") == 2
        assert "Vamos jogar?" in greeting.content
        assert "Shall we play?" in greeting.content


async def test_a_command_sent_as_text_is_answered_with_how_to_send_it() -> None:
    answers = ["Isso saiu como texto.", "That went out as text."]
    async with playground() as (_env, preview):
        for text in ("/velha start", "  /velha", "/start", "velha start"):
            for who, answer in enumerate(answers):
                await _member(preview, who).send(preview.channel, text)
                assert preview.channel.history()[-1].content.startswith(answer), text


async def test_other_messages_are_not_answered() -> None:
    async with playground() as (_env, preview):
        for text in ("boa!", "1/2", "a velha ganhou", "https://example.org/velha"):
            await _member(preview, 0).send(preview.channel, text)
            assert preview.channel.history()[-1].content == text


def cell_of(channel: ChannelHandle, board: discord.Message, name: str) -> str:
    """The custom_id of a free cell, on a message as it is by now."""
    message = next(message for message in channel.history() if message.id == board.id)
    (box,) = (part for part in message.components if isinstance(part, discord.Container))
    rows = [part for part in box.children if isinstance(part, discord.ActionRow)]
    buttons = [item for row in rows for item in row.children if isinstance(item, discord.Button)]
    (cell,) = (one for one in buttons if one.emoji is not None and one.emoji.name == name)
    assert cell.custom_id is not None
    return cell.custom_id


async def test_the_greeting_the_newest_messages_and_live_boards_are_kept() -> None:
    async with playground() as (env, preview):
        (greeting,) = preview.channel.history()
        ana, ben, _rui = preview.viewers
        await ana.slash(preview.channel, "velha start", opponent=ben)
        board = preview.channel.history()[-1]
        await ben.click(board, label="Aceitar")
        for text in map(str, range(MAX_MESSAGES - 1)):
            await ben.send(preview.channel, text)
        await env.advance_time(1)
        await ana.click(board, custom_id=cell_of(preview.channel, board, "B2"))
        for text in map(str, range(MAX_MESSAGES - 1)):
            await ben.send(preview.channel, text)
        left = preview.channel.history()
        assert [left[0].id, left[1].id] == [greeting.id, board.id]
        assert len(left) == 1 + MAX_MESSAGES
        await ben.click(board, custom_id=cell_of(preview.channel, board, "A1"))


async def test_old_ephemeral_messages_are_not_kept_either() -> None:
    async with playground() as (_env, preview):
        for _ in range(2 * MAX_MESSAGES):
            await _member(preview, 0).slash(preview.channel, "velha help")
        assert len(preview.channel.history(viewer=_member(preview, 0))) == 1 + MAX_MESSAGES + 1


async def test_one_tab_plays_and_a_second_says_so_until_the_first_is_closed() -> None:
    async with playground() as (_env, preview), one_tab(preview, "pt-BR", "en-US") as url:
        address, capability = urldefrag(url)
        async with ClientSession(address, headers={"X-Simcord-Capability": capability}) as browser:
            assert "SimCord" in await _opened(browser)
            async with browser.post("/api/pages", json={}) as answer:
                context = (await answer.json())["context"]["id"]
            second = await _opened(browser)
            assert "Você está jogando em outra aba." in second
            assert escape("You're playing in another tab.") in second
            first = {"X-Simcord-Context": context}
            async with browser.get("/api/state", headers=first) as answer:
                assert answer.status == 200, "the first plays on"
            async with browser.delete(f"/api/pages/{context}", headers=first) as answer:
                assert answer.status == 200
            async with browser.head("/") as answer:
                assert answer.status == 200, "a second tab that asks may open now"
            assert "SimCord" in await _opened(browser)


async def _opened(browser: ClientSession) -> str:
    async with browser.get("/") as answer:
        return await answer.text()


def _member(preview: Preview, number: int) -> MemberActor:
    member: MemberActor = preview.viewers[number]
    return member


async def test_a_server_s_list_leaves_out_channels_that_the_bot_may_not_view(
    guild: SimulatedGuild,
) -> None:
    hidden = guild.handle.create_text_channel("secreto")
    guild.deny_bot("view_channel", hidden)
    fetched = await guild.bots[-1].fetch_guild(guild.handle.id)
    assert [channel.id for channel in await fetched.fetch_channels()] == [guild.channel.id]
