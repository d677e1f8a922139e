"""The playground: it answers, explains itself, lets any tab play, and stores little."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

import discord
import pytest
import simcord
from aiohttp import ClientSession
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.preview import Preview
from simcord.preview._markdown import markdown_tokens

from bot.__main__ import main
from bot.client.bot import VelhaBot
from bot.playground import playground, serve
from bot.playground.guide import MAX_MESSAGES
from bot.playground.server import Server
from bot.playground.simcord_patches import reuse_markdown_parsers
from bot.views.i18n import language_for
from tests.bot.simulated_guild import stop

ROOT = Path(__file__).parents[2]


TERMINAL_BROWSER = """
import sys, urllib.request
print("Seen", urllib.request.urlopen(sys.argv[1], timeout=30).status)
"""
"""Python waits for a browser such as this one; a colon would separate it from another."""


@pytest.mark.usefixtures("minds_ctrl_c")
@pytest.mark.parametrize(
    ("arguments", "system_language", "number", "last_words"),
    [
        ([], "C", signal.SIGTERM, "The playground is closed."),
        ([], "pt_BR.UTF-8", signal.SIGINT, "O playground está fechado."),
        (["--language", "pt-BR"], "C", signal.SIGINT, "O playground está fechado."),
    ],
)
def test_it_prints_an_address_that_answers_and_ends_at_a_signal(
    arguments: list[str], system_language: str, number: signal.Signals, last_words: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "bot", "playground", *arguments],
        cwd=ROOT,
        env={
            "BROWSER": f"{sys.executable} -c '{TERMINAL_BROWSER}' %s",
            "PATH": "/usr/bin:/bin",
            "LC_ALL": system_language,
            "PYTHONIOENCODING": "utf-8",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    printed = iter(process.stdout.readline, "")
    assert any(re.search(r"http://127.0.0.1:\d+/", line) for line in printed)
    assert "Seen 200\n" in printed
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0
    assert stdout.strip().endswith(last_words)
    assert "Traceback" not in stderr


@pytest.mark.parametrize("limit", ["TURN_MINUTES", "CHALLENGE_MINUTES"])
def test_an_unusable_setting_is_reported_in_one_sentence(
    limit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(limit, "x")
    assert main(["playground"]) == 2
    said = capsys.readouterr()
    assert f"{limit}: it is not a whole number" in said.err
    assert said.out == "", "it is not said to be open, nor to be closed"


async def test_three_members_share_a_channel_and_see_the_same_board() -> None:
    async with playground("pt-BR") as (_env, preview):
        assert preview.channel.name == "jogo-da-velha"
        message = preview.channel.last_message
        assert message is not None
        for viewer in preview.viewers:
            assert preview.channel.history(viewer=viewer)[-1].id == message.id


@pytest.mark.parametrize(
    ("locale", "members", "greeting", "join", "settings"),
    [
        ("pt-BR", ["ana", "rui", "ben"], "É a sua vez", "Entrar", "Configurações"),
        ("en-US", ["ben", "rui", "ana"], "Your move", "Join", "settings"),
    ],
)
async def test_it_opens_with_a_board_in_the_language_of_the_reader_who_owns_the_server(
    locale: str, members: list[str], greeting: str, join: str, settings: str
) -> None:
    async with playground(locale) as (_env, preview):
        said, board = preview.channel.history()
        assert said.content.startswith(f"**{greeting}")
        assert f"label='{join}'" in str(board.components)
        assert preview.locale == locale
        assert [member.name for member in preview.viewers] == members
        form = await _member(preview, 0).slash(preview.channel, "velha settings")
        assert form.response is not None
        assert settings in str(form.response.components)


async def test_boards_are_in_the_language_of_the_person_who_opens_them() -> None:
    async with playground("pt-BR") as (_env, preview):
        reader, _rui, ben = preview.viewers
        await stop(reader, preview.channel)
        await ben.slash(preview.channel, "velha start")
        assert "label='Join'" in str(preview.channel.history()[-1].components)


async def test_commands_are_described_in_the_language_of_the_person_who_types_them() -> None:
    async with playground("pt-BR") as (env, preview):
        ana, _rui, ben = preview.viewers
        for who, description, choice in (
            (ana, "partida", "impossível"),
            (ben, "match", "impossible"),
        ):
            shown = str(env.backend.visible_commands(user_id=who.id, channel_id=preview.channel.id))
            assert description in shown
            assert f"'name': '{choice}" in shown
            assert "'name': 'opponent'" in shown


async def test_time_passes_as_in_the_real_world() -> None:
    async with playground("pt-BR") as (env, _preview):
        assert abs((env.now() - datetime.now(UTC)).total_seconds()) < 60


async def test_a_command_sent_as_text_is_answered_with_how_to_send_it() -> None:
    answers = ["Isso saiu como texto.", "That went out as text."]
    async with playground("pt-BR") as (_env, preview):
        for text in ("/velha start", "  /velha", "/start", "velha start"):
            for who, answer in zip((0, 2), answers, strict=True):
                await _member(preview, who).send(preview.channel, text)
                assert preview.channel.history()[-1].content.startswith(answer), text


async def test_other_messages_are_not_answered() -> None:
    async with playground("pt-BR") as (_env, preview):
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
    async with playground("pt-BR") as (env, preview):
        greeting, board = preview.channel.history()
        ana, ben, _rui = preview.viewers
        for text in map(str, range(MAX_MESSAGES - 1)):
            await ben.send(preview.channel, text)
        await env.advance_time(1)
        await ana.click(board, custom_id=cell_of(preview.channel, board, "B2"))
        for text in map(str, range(MAX_MESSAGES - 1)):
            await ben.send(preview.channel, text)
        left = preview.channel.history()
        assert [left[0].id, left[1].id] == [greeting.id, board.id]
        assert len(left) == 1 + MAX_MESSAGES
        await ana.click(board, label="Dica")


async def test_old_ephemeral_messages_are_deleted() -> None:
    async with playground("pt-BR") as (_env, preview):
        for _ in range(2 * MAX_MESSAGES):
            await _member(preview, 0).slash(preview.channel, "velha help")
        assert len(preview.channel.history(viewer=_member(preview, 0))) == 1 + MAX_MESSAGES + 1


@dataclass
class Tab:
    """A tab in which the first viewer looks at the playground, as SimCord's script does."""

    browser: ClientSession
    shown: dict[str, Any]
    commands: dict[str, Any]
    action_count: int = 0

    async def look(self) -> None:
        async with self.browser.get("/api/state", headers=self._headers) as answer:
            self.shown = await answer.json()

    @property
    def _headers(self) -> dict[str, str]:
        return {"X-Simcord-Context": self.shown["context"]["id"]}

    async def act(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Do something to the page as it was shown last, and return the receipt."""
        action = {
            "kind": kind,
            "protocol_version": 3,
            "request_id": str(self.action_count),
            "sequence": self.action_count + 1,
            "generation": self.shown["context"]["generation"],
            "bot_generation": self.shown["botGeneration"],
            "published_revision": self.shown["publishedRevision"],
        } | fields
        async with self.browser.post("/api/action", json=action, headers=self._headers) as answer:
            assert answer.status == HTTPStatus.OK, await answer.text()
            receipt: dict[str, Any] = await answer.json()
        self.action_count = receipt["expectedSequence"]
        return receipt

    async def command(self, name: str) -> str:
        """Send a command, and return the id of its answer; empty if it was refused."""
        entry = self.commands[name]
        receipt = await self.act(
            "run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options={},
        )
        ids = [outcome["messageId"] for outcome in receipt["outcomes"]]
        return ids[0] if ids and receipt["settlement"] == "settled" else ""

    async def press_cell(self, number: int) -> dict[str, Any]:
        """Press a cell of the only board, counted from 0."""
        buttons = [
            (message_id, button["control_key"])
            for message_id, message in self.shown["messages"].items()
            for button in _buttons(message)
        ]
        message_id, control_key = buttons[number]
        return await self.act("click", target_id=message_id, control_key=control_key)

    def board(self) -> list[str]:
        """The symbols on the buttons of the only board."""
        messages = self.shown["messages"].values()
        return [str(button.get("emoji")) for message in messages for button in _buttons(message)]


def _buttons(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the buttons of a message, or of a part of it."""
    if isinstance(part, list):
        for item in part:
            yield from _buttons(item)
    elif isinstance(part, dict):
        if part.get("type") == discord.ComponentType.button.value and "control_key" in part:
            yield part
        yield from _buttons(part.get("components"))


async def _opened_tab(browser: ClientSession) -> Tab:
    async with browser.get("/") as answer:
        assert "/page.js" in await answer.text()
    async with browser.post("/api/pages", json={}) as answer:
        tab = Tab(browser, await answer.json(), {})
    async with browser.get("/api/commands", headers=tab._headers) as answer:
        entries = (await answer.json())["entries"]
    tab.commands = {entry["invocation"]: entry for entry in entries}
    return tab


@asynccontextmanager
async def served() -> AsyncIterator[tuple[simcord.Env, Server, ClientSession]]:
    """A playground, what serves it, and a browser."""
    async with playground("en-US") as (env, preview), serve(preview, language_for("en")) as server:
        address, capability = urldefrag(server.url)
        async with ClientSession(address, headers={"X-Simcord-Capability": capability}) as browser:
            yield env, server, browser


async def test_no_refresh_begins_once_somebody_has_begun_to_act() -> None:
    """SimCord would be busy with it, and refuse what they do."""
    is_refused = asyncio.Event()

    async def send_slowly() -> AsyncIterator[bytes]:
        yield b"{"
        await is_refused.wait()
        yield b"}"

    async with served() as (_env, server, browser):
        acting = asyncio.create_task(browser.post("/api/action", data=send_slowly()))
        async with asyncio.timeout(60):
            while await server.refresh():
                pass
        is_refused.set()
        (await acting).close()


async def test_a_command_waits_neither_for_a_timer_of_the_bot_nor_for_a_refresh() -> None:
    is_awake, is_asked_again = asyncio.Event(), asyncio.Event()

    async def sleep_then_wait(interaction: discord.Interaction) -> None:
        if "stats" in str(interaction.data):
            is_asked_again.set()
            return
        await asyncio.sleep(30)
        is_awake.set()
        await is_asked_again.wait()

    async with served() as (env, server, browser):
        assert isinstance(env.bot, VelhaBot)
        env.bot.add_listener(sleep_then_wait, "on_interaction")
        tab = await _opened_tab(browser)
        assert await tab.command("velha help")
        assert not is_awake.is_set()
        env.backend.advance_clock(30)
        refreshing = asyncio.create_task(server.refresh())
        await is_awake.wait()
        env.settle_timeout = 1e6  # the refresh would never end by itself
        async with asyncio.timeout(60):
            assert await tab.command("velha stats")
        assert not await refreshing, "the command has ended it"


async def test_each_of_two_tabs_shows_what_was_pressed_in_the_other() -> None:
    async with served() as (_env, server, browser):
        first, second = [await _opened_tab(browser) for _ in range(2)]
        for tab, other, cell in (first, second, 4), (second, first, 0):
            before = other.board()
            await tab.press_cell(cell)
            await server.refresh()
            await other.look()
            assert other.board() != before


@pytest.mark.parametrize("text", ["<@1> and <@2>", "**bold**, <:X_:5>", "https://a.org ||x||"])
def test_a_text_names_those_whom_its_reader_knows_and_no_others(text: str) -> None:
    readers: list[dict[str, Any]] = [
        {"users": {"1": "Ana"}},
        {"users": {"2": "Ben"}, "emojis": {"5": {"id": "5", "name": "X_"}}},
        {},
    ]
    seen_alone = [markdown_tokens(text, context=reader) for reader in readers]
    with reuse_markdown_parsers():
        for _ in range(2):
            assert [markdown_tokens(text, context=reader) for reader in readers] == seen_alone


async def test_nobody_on_another_machine_reaches_the_playground() -> None:
    async with playground("en-US") as (_env, preview), serve(preview, language_for("en")) as server:
        address = urlsplit(server.url)
        assert address.hostname == "127.0.0.1"
        with pytest.raises(OSError, match="Connect"):
            await asyncio.open_connection("127.0.0.2", address.port)


def _member(preview: Preview, number: int) -> MemberActor:
    member: MemberActor = preview.viewers[number]
    return member
