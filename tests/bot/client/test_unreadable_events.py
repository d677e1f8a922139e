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

CHANNEL_SENTENCE = "I don't know this kind of channel. Play in another: `/velha start`"


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


DAMAGES: dict[str, tuple[Callable[[Payload], object], str]] = {
    "no file size limit": (without("attachment_size_limit"), "KeyError: 'attachment_size_limit'"),
    "no entitlements": (without_value("entitlements"), "TypeError: 'NoneType'"),
    "no channel": (without_value("channel"), "TypeError: 'NoneType'"),
    "no owners": (without_value("authorizing_integration_owners"), "AttributeError: 'NoneType'"),
    "a user without an id": (without_user_id, "KeyError: 'id'"),
}


def errors(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(("damage", "fault"), DAMAGES.values(), ids=DAMAGES)
@pytest.mark.logs_errors
async def test_a_press_that_cannot_be_read_is_logged_in_a_line_and_everybody_plays_on(
    discord: FakeDiscord,
    caplog: pytest.LogCaptureFixture,
    damage: Callable[[Payload], object],
    fault: str,
) -> None:
    message = await discord.start(ANA, 1000, opponent=BEN)
    discord.damage = damage
    lost = discord.send_press(BEN, "Accept", message)
    discord.damage = None
    await discord.press(BEN, "Accept", message)
    await discord.press(ANA, "B2", message)
    assert message.board == "... .x. ..."
    assert lost.answers == []
    (record,) = errors(caplog)
    assert "INTERACTION_CREATE" in record.getMessage()
    assert fault in record.getMessage()
    assert "\n" not in record.getMessage()
    assert record.exc_info is None


@pytest.mark.parametrize("damage", [damage for damage, _ in DAMAGES.values()], ids=DAMAGES)
@pytest.mark.logs_errors
async def test_a_command_that_cannot_be_read_hinders_no_other(
    discord: FakeDiscord, damage: Callable[[Payload], object]
) -> None:
    discord.damage = damage
    lost = discord.send_start(ANA, 1000)
    discord.damage = None
    assert (await discord.start(BEN, 2000)).board == "... ... ..."
    assert lost.answers == []


@pytest.mark.logs_errors
async def test_any_other_event_that_cannot_be_read_is_logged_with_its_type(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    discord.send_event("ENTITLEMENT_CREATE", {})
    assert (await discord.start(ANA, 1000)).board == "... ... ..."
    (record,) = errors(caplog)
    assert "ENTITLEMENT_CREATE" in record.getMessage()


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        ("{", "JSONDecodeError: "),
        ('{"op": 0, "t": "RESUMED", "s": 5, "d": null}', "TypeError: 'NoneType'"),
        ('{"op": 0, "t": "READY", "s": 5, "d": {}}', "KeyError: 'session_id'"),
    ],
)
@pytest.mark.logs_errors
async def test_what_is_no_event_at_all_is_dropped_and_the_connection_stays(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture, sent: str, fault: str
) -> None:
    (socket,) = discord.sockets[0]
    await socket.send_str(sent)
    assert (await discord.start(ANA, 1000)).board == "... ... ..."
    (record,) = errors(caplog)
    assert fault in record.getMessage()
    assert record.exc_info is None
    assert discord.sessions == 1


async def test_a_command_in_a_kind_of_channel_yet_to_be_invented_is_refused_in_a_sentence(
    discord: FakeDiscord,
) -> None:
    discord.damage = in_unknown_channel
    assert (await discord.ask_start(ANA, 1000)).private_text == CHANNEL_SENTENCE


async def test_a_press_in_a_kind_of_channel_yet_to_be_invented_is_refused_in_a_sentence(
    discord: FakeDiscord,
) -> None:
    message = await discord.start(ANA, 1000)
    discord.damage = in_unknown_channel
    assert await discord.press_refused(ANA, "B2", message) == CHANNEL_SENTENCE
    discord.damage = None
    await discord.press(ANA, "B2", message)
    assert message.board.count("x") == 1


@pytest.mark.parametrize(("command", "said"), [("help", "## Velha"), ("learn", "## 1/7")])
async def test_what_needs_no_channel_is_there_in_one_of_a_kind_yet_to_be_invented(
    discord: FakeDiscord, command: str, said: str
) -> None:
    discord.damage = in_unknown_channel
    asked = discord.send_command(ANA, 1000, command)
    await discord.wait_until(lambda: said in str(asked.answers))
