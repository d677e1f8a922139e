"""Discord goes away and comes back: over real sockets, with a clock that the tests turn."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import logging
import re
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest
from aiohttp import web
from discord.gateway import KeepAliveHandler

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.logs import set_up
from tests.bot.discord_address import use_discord_at
from tests.bot.fake_discord import FakeDiscord, Fault, Handler, error, limited, reply
from tests.bot.loop_clock import LoopClock

MINUTE = 60

pytestmark = [
    pytest.mark.logs_errors,
    # discord.py leaves a connection open if the bot is closed while a shard connects
    pytest.mark.filterwarnings("ignore:Unclosed connection:ResourceWarning"),
]


@pytest.fixture
def shards() -> int:
    return 1


several = pytest.mark.parametrize("shards", [3])


@pytest.fixture
async def bot(
    discord: FakeDiscord, settings: Config, shards: int, clock: LoopClock
) -> AsyncIterator[VelhaBot]:
    bot = VelhaBot(replace(settings, shard_count=shards))
    async with discord.connected(bot):
        await discord.wait_for_sessions()
        await clock.turn(MINUTE // 2)
        assert discord.sessions == shards
        yield bot
    stop_heartbeats()
    gc.collect()  # here, where the warning of an unclosed connection is ignored


def stop_heartbeats() -> None:
    """End the threads that discord.py leaves where a connection ended before it was ready.

    They would send a heartbeat 45 seconds later, and fail whichever test runs then.
    """
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


async def be_unavailable(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(503, 0)


async def break_off(request: web.Request, _handler: Handler) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def never_answer(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    await asyncio.sleep(60 * MINUTE)
    raise AssertionError


async def hang_up(request: web.Request, _handler: Handler) -> web.StreamResponse:
    """Take a connection, and end it without a word."""
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.close(code=1001)
    return socket


async def ban(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return web.Response(status=429, text="<title>error code: 1015</title>")


async def forbid(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return web.Response(status=403, text="<title>Access denied</title>")


async def limit_for_hours(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return limited(40_000)


class EndSessions:
    """A gateway that ends the connection when a session is asked for; so many may be started."""

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed

    async def __call__(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if "describe_gateway" in handler.__name__:
            limits = {"total": 1000, "remaining": self.allowed}
            limits |= {"reset_after": 1000, "max_concurrency": 1}
            return reply({"url": "", "shards": 1, "session_start_limit": limits})
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 45000}})
        async for message in socket:
            asked = json.loads(message.data)["op"]
            self.allowed -= asked == 2
            if asked != 1:
                await socket.close(code=1001)
        return socket


def cycle_faults(*faults: Fault) -> Fault:
    endless = itertools.cycle(faults)

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await next(endless)(request, handler)

    return respond


def on_gateway(fault: Fault) -> Fault:
    return _on_endpoint("serve_gateway", fault)


def on_gateway_description(fault: Fault) -> Fault:
    return _on_endpoint("describe_gateway", fault)


def _on_endpoint(end: str, fault: Fault) -> Fault:
    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await (fault if end in handler.__name__ else _pass_on)(request, handler)

    return respond


async def _pass_on(request: web.Request, handler: Handler) -> web.StreamResponse:
    return await handler(request)


async def start_outage(discord: FakeDiscord, fault: Fault, shard: int | None = None) -> None:
    """Close the connections of all shards or one, and fail every request from now on."""
    discord.fault = fault
    lost = discord.sockets if shard is None else [shard]
    for socket in [socket for number in lost for socket in discord.sockets[number]]:
        await socket.close(code=1001)


def is_connected(bot: VelhaBot) -> bool:
    return not any(shard.is_closed() for shard in bot.shards.values())


OUTAGES: dict[str, Fault] = {
    "unavailable": be_unavailable,
    "broken off": break_off,
    "hung up": on_gateway(hang_up),
    "sessions ended": EndSessions(1000),
    "changing": on_gateway(cycle_faults(be_unavailable, hang_up, break_off)),
}


@several
@pytest.mark.usefixtures("restored_logging")
@pytest.mark.parametrize("fault", OUTAGES.values(), ids=OUTAGES)
async def test_the_bot_is_back_a_minute_after_an_outage_and_has_logged_two_lines_a_shard(  # noqa: PLR0913, PLR0917 - its fixtures
    bot: VelhaBot,
    discord: FakeDiscord,
    clock: LoopClock,
    capsys: pytest.CaptureFixture[str],
    shards: int,
    fault: Fault,
) -> None:
    set_up(logging.INFO, "text", [])
    before = discord.requests["serve_gateway"]
    await start_outage(discord, fault)
    await clock.turn(6 * MINUTE, step=10)
    assert discord.requests["serve_gateway"] - before < 4 * 6 * shards, "four a minute"
    assert not is_connected(bot)
    discord.fault = None
    await clock.turn(MINUTE + 5 * (shards - 1))  # five seconds between two identifies
    assert is_connected(bot)
    assert discord.sessions == 2 * shards
    # Threads wait by another clock.
    lines = capsys.readouterr().err.splitlines()
    said = sorted(line for line in lines if not re.search("outage|command_sync", line))
    for number in range(shards):
        lost, found = (line for line in said if re.search(rf"Shard (ID )?{number} ", line))
        assert re.search(r"bot.client.reconnect: Shard \d cannot connect: .+\.", found + lost)
        assert f"Shard ID {number} has connected to Gateway" in found + lost
    assert len(said) == 2 * shards


async def test_an_attempt_that_is_never_answered_lasts_a_minute(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    await start_outage(discord, never_answer)
    await clock.turn(15 * MINUTE, step=10)
    discord.fault = None
    await clock.turn(2 * MINUTE)
    assert is_connected(bot)
    assert discord.sessions == 2


async def test_sessions_that_end_at_once_do_not_use_up_the_limit(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    ending = EndSessions(6)
    await start_outage(discord, ending)
    await clock.turn(15 * MINUTE, step=10)
    assert ending.allowed == 1
    ending.allowed = 1000
    await clock.turn(15 * MINUTE, step=5)
    assert ending.allowed < 1000
    discord.fault = None
    await clock.turn(MINUTE)
    assert is_connected(bot)


async def test_after_a_short_outage_a_session_goes_on(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    await start_outage(discord, be_unavailable)
    await clock.turn(12)
    discord.fault = None
    await clock.turn(MINUTE // 4)
    assert is_connected(bot)
    assert (discord.sessions, discord.resumed) == (1, 1)


async def test_a_request_to_reconnect_is_met_at_once_without_extra_requests(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    await clock.turn(MINUTE // 2)
    before = discord.requests.copy()
    await discord.reconnect()
    await clock.turn(MINUTE // 2)
    assert discord.requests - before == {"serve_gateway": 1}
    assert (discord.sessions, discord.resumed) == (1, 1)
    assert is_connected(bot)


@several
async def test_another_shard_connects_at_once_while_one_is_away(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    await start_outage(discord, be_unavailable, shard=0)
    for _ in range(10):
        await clock.turn(MINUTE // 2)
        for socket in discord.sockets[1] + discord.sockets[2]:
            await socket.send_json({"op": 11})
    assert [shard.is_closed() for shard in bot.shards.values()] == [True, False, False]
    discord.fault = None
    await discord.reconnect()
    await clock.turn(1)
    assert discord.resumed == 2


REFUSALS: dict[str, Fault] = {
    "banned": ban,
    "forbidden": forbid,
    "description banned": on_gateway_description(ban),
    "description limited": on_gateway_description(limit_for_hours),
    "one session left": on_gateway_description(EndSessions(1)),
}


@pytest.mark.parametrize("fault", REFUSALS.values(), ids=REFUSALS)
async def test_a_refused_bot_retries_less_and_less_often(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock, fault: Fault
) -> None:
    asked_at: list[float] = []

    async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "serve_gateway" in handler.__name__:
            asked_at.append(clock.now())
        return await fault(request, handler)

    await start_outage(discord, be_unavailable)
    await clock.turn(MINUTE, step=5)  # so that it needs another session
    discord.fault = note
    await clock.turn(50 * MINUTE, step=5)
    pauses = [later - earlier for earlier, later in itertools.pairwise(asked_at)]
    assert pauses == pytest.approx([64, 128, 256, 512, 900, 900], abs=6)
    assert discord.sessions == 1
    discord.fault = None
    await clock.turn(15 * MINUTE, step=5)
    assert is_connected(bot)
    assert discord.sessions == 2


# The first connection


@pytest.fixture
async def starting_bot(
    discord: FakeDiscord,
    settings: Config,
    first_fault: Fault,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[VelhaBot]:
    """A bot that has never been connected, as Discord fails from the start."""
    set_up(logging.INFO, "text", [])
    discord.fault = first_fault
    use_discord_at(discord.url, monkeypatch.setattr)
    bot = VelhaBot(settings)
    running = asyncio.create_task(bot.start("the-token"))
    await discord.wait_until(lambda: discord.requests["describe_gateway"])
    yield bot
    running.cancel()
    await bot.close()
    with suppress(asyncio.CancelledError):
        await running
    stop_heartbeats()
    gc.collect()


AWAY: dict[str, Fault] = {
    "unavailable": on_gateway(be_unavailable),
    "broken off": on_gateway(break_off),
    "hung up": on_gateway(hang_up),
    "description unavailable": on_gateway_description(be_unavailable),
}


@pytest.mark.usefixtures("restored_logging")
@pytest.mark.parametrize("first_fault", AWAY.values(), ids=AWAY)
async def test_a_start_while_the_gateway_is_away_waits_and_says_so_once(
    starting_bot: VelhaBot,
    discord: FakeDiscord,
    clock: LoopClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await clock.turn(6 * MINUTE, step=5)
    assert discord.requests["serve_gateway"] < 4 * 6, "four a minute"
    assert discord.sessions < 1
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    (said,) = (each.getMessage() for each in records if "connect" in each.getMessage())
    assert re.fullmatch("(Shard 0|The bot) cannot connect: .+. It tries until it can.", said)
    discord.fault = None
    await clock.turn(2 * MINUTE)
    assert discord.sessions == 1
    assert is_connected(starting_bot)


NO_SESSIONS: dict[str, Fault] = {
    "no session left": on_gateway_description(EndSessions(0)),
    "description limited": on_gateway_description(limit_for_hours),
}


@pytest.mark.usefixtures("restored_logging")
@pytest.mark.parametrize("first_fault", NO_SESSIONS.values(), ids=NO_SESSIONS)
async def test_a_start_waits_where_no_session_may_be_started_today(
    starting_bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    """Discord would reset the token."""
    await clock.turn(50 * MINUTE, step=5)
    assert 4 <= discord.requests["describe_gateway"] <= 14, "each description is asked for once"
    assert not discord.requests["serve_gateway"]
    discord.fault = None
    await clock.turn(16 * MINUTE, step=5)
    assert discord.sessions == 1
    assert is_connected(starting_bot)


async def test_a_connection_that_is_lost_twice_in_a_minute_is_not_called_a_failure(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        await discord.reconnect()
        await clock.turn(10)
    assert discord.resumed == 2
    assert is_connected(bot)
    assert "cannot connect" not in caplog.text
