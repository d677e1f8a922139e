"""What Discord does to requests on their way: over real sockets, with discord.py's own retries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from bot.client import VelhaBot
from bot.settings import Settings
from tests.bot.address import speak_to
from tests.bot.databases import held_by_another
from tests.bot.small_discord import Fault, Handler, SmallDiscord, error

ANA, BEN = 11, 12


@pytest.fixture(autouse=True)
async def bot(
    discord: SmallDiscord, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[VelhaBot]:
    with monkeypatch.context() as patched:
        speak_to(discord.url, patched.setattr)
        bot = VelhaBot(settings)
        running = asyncio.create_task(bot.start(settings.discord_token))
        await discord.connected()
        yield bot
        await bot.close()
        await running


def once(fault: Fault) -> Fault:
    """A fault that befalls one request, and no other."""
    left = [fault]

    async def befall(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await (left.pop()(request, handler) if left else handler(request))

    return befall


async def limit_rate(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    refused = error(429, 0, retry_after=0.1, **{"global": False})
    refused.headers["Via"] = "1.1 google"
    return refused


async def fail(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(500, 0)


async def fail_when_done(request: web.Request, handler: Handler) -> web.StreamResponse:
    await handler(request)
    return error(502, 0)


async def never_reply(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    await asyncio.sleep(60)
    raise AssertionError


async def refuse_token(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(401, 50027)


@pytest.mark.parametrize("fault", [limit_rate, fail, fail_when_done, never_reply, refuse_token])
async def test_a_move_is_shown_once_whatever_becomes_of_its_answer(
    discord: SmallDiscord, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.screen._DISCORD_SECONDS", 1.5)
    message = await discord.start(ANA, 1000, opponent=BEN)
    await discord.press(BEN, "Accept", message)
    discord.fault = once(fault)
    pressed = discord.send_press(ANA, "A1", message)
    async with asyncio.timeout(5):
        while message.board != "x.. ... ...":  # noqa: ASYNC110 - it comes from outside
            await asyncio.sleep(0.05)
    await asyncio.sleep(1.7)  # discord.py repeats itself after a second
    assert not pressed.told
    assert len(discord.messages) == 1
    assert not (await discord.press(BEN, "B2", message)).told
    assert message.board == "x.. .o. ..."


@pytest.mark.parametrize("fault", [limit_rate, fail, fail_when_done])
async def test_a_match_is_opened_once_whatever_becomes_of_its_answer(
    discord: SmallDiscord, fault: Fault
) -> None:
    discord.fault = once(fault)
    message = await discord.start(ANA, 1000, opponent=BEN)
    await asyncio.sleep(1.5)  # discord.py repeats itself after a second
    assert not (await discord.press(BEN, "Accept", message)).told
    assert message.board == "... ... ..."
    assert len(discord.messages) == 1


async def test_a_match_whose_answer_never_came_leaves_the_channel_free(
    discord: SmallDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.screen._DISCORD_SECONDS", 0.2)
    discord.fault = once(never_reply)
    told = discord.send_start(ANA, 1000)
    await discord.answer(told)
    assert "Something went wrong" in told.told
    assert (await discord.start(BEN, 1000)).board == "... ... ..."


@pytest.mark.logs_errors
async def test_a_move_stored_too_late_for_an_answer_is_shown_all_the_same(
    discord: SmallDiscord, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await discord.start(ANA, 1000, opponent=BEN)
    await discord.press(BEN, "Accept", message)
    monkeypatch.setattr("bot.threads._ANSWER_SECONDS", 0.2)
    with held_by_another(settings.database_url):
        assert "cannot reach my memory" in (await discord.press(ANA, "A1", message)).told
        assert message.board == "... ... ..."
    await discord.quiet(0.3)
    assert message.board == "x.. ... ..."


@pytest.mark.logs_errors
async def test_a_match_opened_too_late_for_an_answer_leaves_the_channel_free(
    discord: SmallDiscord, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched, held_by_another(settings.database_url):
        patched.setattr("bot.threads._ANSWER_SECONDS", 0.2)
        start = discord.send_start(ANA, 1000)
        await discord.answer(start)
        assert "cannot reach my memory" in start.told
    await discord.quiet(0.3)
    assert (await discord.start(BEN, 1000)).board == "... ... ..."
