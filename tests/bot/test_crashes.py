"""Processes that are killed, two at once, and a database that is silent or locked.

Real processes over real sockets: what a simulation in one process cannot show. Which of two
concurrent changes counts is tested where they are stored.
"""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web
from discord import MessageFlags
from sqlalchemy import URL

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.puzzles import SharePage
from engine import Grade
from tests.bot.databases import locked_by_another_program, on_new_postgresql, on_new_sqlite
from tests.bot.fake_discord import (
    FakeDiscord,
    Handler,
    Interaction,
    Message,
    error,
    message_payload,
    new_id,
)
from tests.bot.processes import BotProcess, Spawn

ANA, BEN = 11, 12
CHANNEL = 1000


@pytest.fixture
def spawn(database_url: str, spawn: Spawn) -> Spawn:
    # In this order: the database goes when the bots have ended.
    return partial(spawn, DATABASE_URL=database_url)


async def start_match(discord: FakeDiscord, channel_id: int = CHANNEL) -> Message:
    """Ana has challenged Ben, who has accepted: Ana is X."""
    message = await discord.start(ANA, channel_id, opponent=BEN)
    await discord.wait_until_idle()
    await discord.press(BEN, "Accept", message)
    return message


async def test_a_move_lost_by_a_kill_can_be_made_again(
    discord: FakeDiscord, spawn: Spawn, empty_url: URL
) -> None:
    bot = await spawn()
    message = await start_match(discord)
    with locked_by_another_program(empty_url):
        lost = discord.send_press(ANA, "A1", message)
        await asyncio.sleep(0.5)
        await bot.kill()
    assert not lost.answered.is_set()
    await spawn()
    assert not (await discord.press(ANA, "A1", message)).private_text
    assert message.board == "x.. ... ..."


@on_new_sqlite
async def test_a_move_stored_before_a_kill_is_shown_at_the_next_press(
    discord: FakeDiscord, spawn: Spawn
) -> None:
    bot = await spawn()
    message = await start_match(discord)

    async def kill(_request: web.Request, _handler: Handler) -> web.StreamResponse:
        await bot.kill()
        return error(503, 0)

    discord.fault = kill
    lost = discord.send_press(ANA, "A1", message)
    await bot.wait()
    discord.fault = None
    assert not lost.answered.is_set()
    assert message.board == "... ... ..."
    await spawn()
    assert "out of date" in await discord.press_refused(BEN, "B2", message)
    assert message.board == "x.. ... ..."
    assert not (await discord.press(BEN, "B2", message)).private_text
    assert message.board == "x.. .o. ..."


@on_new_sqlite
async def test_two_shards_in_two_processes_share_nothing_but_the_database(
    discord: FakeDiscord, spawn: Spawn
) -> None:
    await spawn(SHARD_COUNT="2", SHARD_IDS="0")
    second = await spawn(SHARD_COUNT="2", SHARD_IDS="1")
    even, odd = [await start_match(discord, CHANNEL + shard) for shard in (0, 1)]
    await second.kill()
    await discord.press(ANA, "A1", even)
    assert even.board == "x.. ... ...", "the first shard does not miss the second"
    await spawn(SHARD_COUNT="2", SHARD_IDS="1")
    await discord.press(ANA, "A1", odd)
    assert odd.board == "x.. ... ..."


@on_new_sqlite
async def test_everything_happens_once_during_a_rolling_release(
    discord: FakeDiscord, spawn: Spawn
) -> None:
    """Old and new process run the same shard for a while: both get every press."""
    old = await spawn()
    await spawn()
    message = await start_match(discord)
    for who, label in ((ANA, "A1"), (BEN, "A2"), (ANA, "B1")):
        assert not (await discord.press(who, label, message)).private_text
    assert await old.terminate() == 0
    for who, label in ((BEN, "B2"), (ANA, "C1")):
        assert not (await discord.press(who, label, message)).private_text
    assert message.board == "xxx oo. ..."
    assert len(discord.messages) == 1


async def press_in_two_slow_processes(
    discord: FakeDiscord, url: URL, custom_id: str, message: Message
) -> Interaction:
    """Have Ana press a button while the database takes a second, and wait for all that follows."""
    with locked_by_another_program(url):
        interaction = discord.send_custom_id(ANA, custom_id, message)
        await asyncio.sleep(1)
    await discord.answer(interaction)
    await discord.wait_until(lambda: not interaction.is_deferred)
    await discord.wait_until_idle(1)
    return interaction


def page() -> Message:
    """A message that only one person sees."""
    message_id = new_id()
    data = {"flags": MessageFlags.ephemeral.flag, "components": []}
    return Message(message_id, CHANNEL, message_payload(message_id, CHANNEL, data))


async def test_a_rematch_in_two_slow_processes_is_one_message(
    discord: FakeDiscord, spawn: Spawn, empty_url: URL
) -> None:
    await spawn()
    await spawn()
    message = await discord.start(ANA, CHANNEL)
    await discord.press(ANA, "B2", message)
    await discord.resign(ANA, message)
    await press_in_two_slow_processes(discord, empty_url, message.custom_id("Rematch"), message)
    assert len(discord.messages) == 2
    rematch = discord.newest(CHANNEL)
    free = next(cell for cell in ("A1", "B1", "C1") if cell in rematch.labels)
    assert not (await discord.press(ANA, free, rematch)).private_text
    assert rematch.board.count("x") == 1 or rematch.board.count("o") == 1


async def test_a_match_from_a_page_in_two_slow_processes_is_one_message(
    discord: FakeDiscord, spawn: Spawn, empty_url: URL
) -> None:
    await spawn()
    await spawn()
    play = custom_id(ShortcutPage(Shortcut.START), 1)
    interaction = await press_in_two_slow_processes(discord, empty_url, play, page())
    assert len(discord.messages) == 1
    assert not interaction.private_text
    match = discord.newest(CHANNEL)
    assert not (await discord.press(ANA, "B2", match)).private_text
    assert match.board.count("x") == match.board.count("o") == 1


async def test_a_share_in_two_slow_processes_is_one_message(
    discord: FakeDiscord, spawn: Spawn, empty_url: URL
) -> None:
    await spawn()
    await spawn()
    share = custom_id(SharePage(datetime.now(UTC).date(), Grade.EASY, wrong_tries=1), 1)
    interaction = await press_in_two_slow_processes(discord, empty_url, share, page())
    assert len(discord.messages) == 1
    assert not interaction.private_text


@on_new_sqlite
async def test_a_process_that_finds_a_match_posted_does_not_draw_it_again(
    discord: FakeDiscord, spawn: Spawn
) -> None:
    """Its answer is late, and its edits are slow: they would set back what is shown meanwhile."""
    await spawn()
    await spawn()
    is_late = asyncio.Event()
    answers = itertools.count(1)
    boards: list[str] = []

    async def be_late(request: web.Request, handler: Handler) -> web.StreamResponse:
        is_answer = "take_answer" in handler.__name__
        if is_answer and next(answers) == 2:
            await is_late.wait()
        if "take_edit" in handler.__name__:
            await asyncio.sleep(1.2)
        response = await handler(request)
        boards.extend(message.board for message in discord.messages.values())
        return response

    discord.fault = be_late
    message = await discord.start(ANA, CHANNEL, opponent=BEN)
    await discord.press(BEN, "Accept", message)
    await discord.press(ANA, "B2", message)
    is_late.set()
    await discord.wait_until(lambda: discord.requests["give_original"])
    for cell, who in zip(("A1", "B1", "B3", "C1", "A3", "A2", "C2"), (BEN, ANA) * 4, strict=False):
        await discord.press(who, cell, message)
        await asyncio.sleep(0.3)
    await discord.wait_until_idle(3)
    assert discord.requests["take_edit"] <= 1
    assert times_set_back(boards) == 0
    assert message.board == "oxx xxo oo."


def times_set_back(boards: list[str]) -> int:
    """How often a board had fewer marks than before."""
    marks = [sum(cell in "xo" for cell in board) for board in boards]
    return sum(later < earlier for earlier, later in itertools.pairwise(marks))


class Relay:
    """Between a bot and its database: it can stop passing anything on, and still hold the line."""

    def __init__(self, url: URL) -> None:
        self._to = url
        self._lines: list[list[asyncio.StreamWriter]] = []
        self._muted: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        here = self._to.set(drivername="postgresql", host="127.0.0.1", port=port)
        return here.render_as_string(hide_password=False)

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for writer in itertools.chain.from_iterable(self._lines):
            writer.transport.abort()
        await asyncio.sleep(0.1)

    def mute(self) -> None:
        """Whoever is connected now hears nothing more; who connects anew does."""
        self._muted |= {writer for line in self._lines for writer in line}

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward = await asyncio.open_connection(self._to.host, self._to.port or 5432)
        self._lines.append([writer, onward[1]])
        await asyncio.gather(self._pass(reader, onward[1]), self._pass(onward[0], writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while some := await reader.read(65536):
                if writer not in self._muted:
                    writer.write(some)
        writer.close()


@on_new_postgresql
async def test_a_silent_database_is_disconnected_and_reconnected(
    discord: FakeDiscord, tmp_path: Path, empty_url: URL
) -> None:
    relay = Relay(empty_url)
    async with relay as relayed_url:
        bot = BotProcess.fork(discord.url, tmp_path, DATABASE_URL=relayed_url)
        await discord.wait_for_sessions()
        message = await start_match(discord)
        relay.mute()
        assert "can't reach my memory" in await discord.press_refused(ANA, "A1", message)
        while message.board != "x.. ... ...":  # until the silent connections are cut
            await discord.press(ANA, "A1", message)
        assert not (await discord.press(BEN, "B2", message)).private_text
        relay.mute()
        discord.send_press(ANA, "C3", message)
        await asyncio.sleep(0.2)
        assert await bot.terminate() == 0
        assert "Traceback" not in bot.log


async def test_the_bot_exits_with_a_locked_database_and_shows_what_it_stored(
    discord: FakeDiscord, spawn: Spawn, empty_url: URL
) -> None:
    bot = await spawn()
    messages = [await start_match(discord, CHANNEL + number) for number in range(3)]
    with locked_by_another_program(empty_url):
        presses = [discord.send_press(ANA, "A1", message) for message in messages]
        await asyncio.sleep(0.3)
        leaving = asyncio.create_task(bot.terminate())
        await asyncio.sleep(0.3)
    assert await leaving == 0
    await spawn()
    for message, press in zip(messages, presses, strict=True):
        if "A1" in message.labels:
            assert press.private_text or not press.answered.is_set()
            assert not (await discord.press(ANA, "A1", message)).private_text
        assert message.board == "x.. ... ..."
