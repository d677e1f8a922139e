"""Events that discord.py cannot read, over a real socket: dropped, while everybody plays on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable

import pytest

from bot.client.bot import VelhaBot
from bot.config import Config
from tests.bot.fake_discord import FakeDiscord, Payload
from tests.bot.workers import KeptWorker

ANA, BEN = 11, 12

UNKNOWN_CHANNEL_TYPE = 99

CHANNEL_SENTENCE = "I can't play in this kind of channel. Try another with `/velha start`."

BROKEN_SENTENCE = "Something went wrong on my side, and I've made a note of it. Try again."


@pytest.fixture(autouse=True)
async def bot(discord: FakeDiscord, settings: Config) -> AsyncIterator[VelhaBot]:
    bot = VelhaBot(settings, worker_class=KeptWorker)
    async with discord.connected(bot):
        await discord.wait_for_sessions()
        yield bot


def without(field: str) -> Callable[[Payload], object]:
    return lambda payload: payload.pop(field)


def without_value(field: str) -> Callable[[Payload], object]:
    return lambda payload: payload.update({field: None})


def without_user_id(payload: Payload) -> None:
    del payload["member"]["user"]["id"]


def in_unknown_channel(payload: Payload) -> None:
    payload["channel"]["type"] = UNKNOWN_CHANNEL_TYPE


DAMAGES: list[tuple[Callable[[Payload], object], str]] = [
    (without("attachment_size_limit"), "KeyError: 'attachment_size_limit'"),
    (without_value("entitlements"), "TypeError: 'NoneType'"),
    (without_value("channel"), "TypeError: 'NoneType'"),
    (without_value("authorizing_integration_owners"), "AttributeError: 'NoneType'"),
    (without_user_id, "KeyError: 'id'"),
]
"""What an interaction may lack, and what the log says of it."""

UNREADABLE = {
    '{"op": 0, "t": "ENTITLEMENT_CREATE", "s": 5, "d": {}}': "ENTITLEMENT_CREATE",
    "{": "JSONDecodeError: ",
    '{"op": 0, "t": "INTERACTION_CREATE", "s": 5, "d": null}': "TypeError: 'NoneType'",
    '{"op": 0, "t": "INTERACTION_CREATE", "s": 5, "d": {"type": 3}}': "KeyError: ",
    '{"op": 0, "t": "RESUMED", "s": 5, "d": null}': "TypeError: 'NoneType'",
    '{"op": 0, "t": "READY", "s": 5, "d": {}}': "KeyError: 'session_id'",
}
"""Other events, and texts that are none, and what the log says of each."""


def problems(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.logs_errors
async def test_who_presses_what_cannot_be_read_is_told_so_and_everybody_plays_on(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    message = await discord.start(ANA, 1000, opponent=BEN)
    for damage, fault in DAMAGES:
        caplog.clear()
        discord.damage = damage
        lost = [discord.send_press(BEN, "Accept", message), discord.send_start(ANA, 1000)]
        discord.damage = None
        assert (await discord.ask_start(BEN, 1000)).private_text
        for interaction in lost:
            await discord.answer(interaction)
            assert interaction.private_text == BROKEN_SENTENCE
        for record in problems(caplog):
            assert "INTERACTION_CREATE" in record.getMessage()
            assert fault in record.getMessage()
            assert "\n" not in record.getMessage()
            assert record.exc_info is None
        assert len(problems(caplog)) == 2
    await discord.press(BEN, "Accept", message)
    await discord.press(ANA, "B2", message)
    assert message.board == "... .x. ..."


@pytest.mark.logs_errors
async def test_whatever_else_cannot_be_read_is_dropped_and_the_connection_stays(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    (socket,) = discord.sockets[0]
    for channel_id, (sent, said) in enumerate(UNREADABLE.items(), 1000):
        caplog.clear()
        await socket.send_str(sent)
        assert (await discord.start(channel_id, channel_id)).board == "... ... ..."
        (record,) = problems(caplog)
        assert said in record.getMessage()
        assert record.exc_info is None
    assert discord.sessions == 1


async def test_in_a_channel_of_an_unknown_kind_nobody_plays_but_there_is_help(
    discord: FakeDiscord,
) -> None:
    message = await discord.start(ANA, 1000)
    discord.damage = in_unknown_channel
    assert (await discord.ask_start(ANA, 2000)).private_text == CHANNEL_SENTENCE
    assert await discord.press_refused(ANA, "B2", message) == CHANNEL_SENTENCE
    help_page = discord.send_command(ANA, 1000, "help")
    lesson = discord.send_command(BEN, 1000, "learn")
    await discord.wait_until(lambda: "## Velha" in str(help_page.answers))
    await discord.wait_until(lambda: "## 1/5" in str(lesson.answers))
    discord.damage = None
    await discord.press(ANA, "B2", message)
    assert message.board.count("x") == 1
