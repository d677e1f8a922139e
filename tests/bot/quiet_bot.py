"""python -m bot against the smallest Discord there is: it logs bots in and then says nothing.

The tokens `refused`, `broken` and `reset` are turned away, each in its own way.

Run by the tests as a process of its own. It prints `connected` once the bot is. Everything of
the bot, sockets included, is the real thing; only Discord's address is another.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from typing import Any

from aiohttp import WSMsgType, web
from discord.http import Route

from bot.__main__ import main

USER = {"id": "1", "username": "velha", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {"id": "1", "flags": 0}
STATUS_FOR = {"refused": 401, "broken": 503}
GATEWAY_LIMITS = {"total": 1, "remaining": 1, "reset_after": 0, "max_concurrency": 1}


async def who_am_i(request: web.Request) -> web.Response:
    token = request.headers["Authorization"].removeprefix("Bot ")
    if token in STATUS_FOR:
        return _json({"message": "no", "code": 0}, status=STATUS_FOR[token])
    return _json(USER)


async def describe_application(_request: web.Request) -> web.Response:
    empty = dict.fromkeys(("name", "description", "icon", "verify_key"), "")
    public = dict.fromkeys(("bot_public", "bot_require_code_grant"), True)
    return _json(APPLICATION | empty | public | {"rpc_origins": None, "owner": USER})


async def take_commands(_request: web.Request) -> web.Response:
    return _json([])


async def describe_gateway(request: web.Request) -> web.Response:
    url = f"ws://{request.host}/gateway"
    return _json({"url": url, "shards": 1, "session_start_limit": GATEWAY_LIMITS})


async def be_the_gateway(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await _send(socket, op=10, d={"heartbeat_interval": 45000})
    async for message in socket:
        if message.type is WSMsgType.TEXT and json.loads(message.data)["op"] == 2:
            if json.loads(message.data)["d"]["token"] == "reset":
                await socket.close(code=4004, message=b"Authentication failed.")
                break
            ready = {"v": 10, "user": USER, "guilds": [], "session_id": "1", "shard": [0, 1]}
            ready |= {"application": APPLICATION, "resume_gateway_url": str(request.url)}
            await _send(socket, op=0, t="READY", s=1, d=ready)
            print("connected", flush=True)
    return socket


def _json(data: Any, status: int = 200) -> web.Response:
    # Without a charset, as Discord sends it: discord.py compares the whole header.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


async def _send(socket: web.WebSocketResponse, **event: Any) -> None:
    await socket.send_str(json.dumps({"t": None, "s": None} | event))


async def serve(listening: threading.Event) -> None:
    app = web.Application()
    app.router.add_get("/users/@me", who_am_i)
    app.router.add_get("/oauth2/applications/@me", describe_application)
    app.router.add_put("/applications/1/commands", take_commands)
    app.router.add_get("/gateway/bot", describe_gateway)
    app.router.add_get("/gateway", be_the_gateway)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    Route.BASE = f"http://127.0.0.1:{runner.addresses[0][1]}"
    listening.set()
    await asyncio.Event().wait()


if __name__ == "__main__":
    listening = threading.Event()
    threading.Thread(target=lambda: asyncio.run(serve(listening)), daemon=True).start()
    listening.wait()
    if "NO_DISCORD" in os.environ:
        Route.BASE = "http://127.0.0.1:9"
    raise SystemExit(main(sys.argv[1:]))
