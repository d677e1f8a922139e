"""What a host of web services learns at PORT: that there is a bot, and whether it is well."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing, suppress

import aiohttp

from bot.client.bot import VelhaBot
from bot.ops.health import Health
from bot.ops.probe_server import serve_probes


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("", 0))
        return int(found.getsockname()[1])


async def test_it_answers_with_one_word_and_nothing_else(unconnected_bot: VelhaBot) -> None:
    health, port = Health(unconnected_bot), free_port()
    serving = asyncio.create_task(serve_probes(health, port))

    async def get(path: str, host: str = "127.0.0.1") -> tuple[int, str]:
        url = f"http://{host}:{port}{path}"
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            assert "Server" not in response.headers
            return response.status, await response.text()

    async with asyncio.timeout(60):
        while True:
            with suppress(aiohttp.ClientError):
                assert await get("/healthz") == (503, "unwell\n")
                break
            await asyncio.sleep(0.01)
    assert await get("/") == (200, "velha\n")
    health.problems.clear()
    assert await get("/healthz") == (200, "well\n")
    assert (await get("/metrics"))[0] == 404
    assert await get("/", socket.gethostbyname(socket.gethostname())) == (200, "velha\n")
    serving.cancel()
    await asyncio.wait([serving])
