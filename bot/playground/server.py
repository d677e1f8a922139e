"""A proxy in front of SimCord: it adds our script to the page, and lets nobody wait for a refresh.

SimCord does one thing at a time, and refuses what comes meanwhile.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import simcord.preview
from aiohttp import ClientError, ClientSession, web
from simcord.backend.errors import SetupError
from simcord.preview import Preview

from bot.playground import texts
from bot.views.i18n import Language

_PAGE_SCRIPT = Path(__file__).with_name("page.js")
_FONTS = Path(simcord.preview.__file__).with_name("static") / "fonts"
_SIMCORD_SCRIPT = '<script type="module" src="/app.js"></script>'
_ADDED_TO_PAGE = """<p id="slow" role="status" hidden>{slow}</p>
    <p id="closed" role="status" hidden>{closed}</p>
    <script type="module" src="/page.js"></script>
    """

_FORWARDED_HEADERS = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
_HOP_BY_HOP = {"Connection", "Content-Length", "Date", "Server", "Transfer-Encoding"}


class Server:
    """Serves a preview at `url`, which opens in any number of tabs."""

    def __init__(self, preview: Preview, client: ClientSession, language: Language) -> None:
        self.url = ""
        self._preview = preview
        self._client = client
        self._language = language
        self._acting = asyncio.Lock()
        self._refreshing: asyncio.Task[None] | None = None

    async def refresh(self) -> bool:
        """Let the bot's timers run, and show what has changed in all tabs.

        Returns:
            Whether it was completed. Whatever somebody does comes first, and ends it.
        """
        if self._acting.locked():
            return False
        self._refreshing = asyncio.create_task(self._preview.refresh())
        await asyncio.wait({self._refreshing})
        with suppress(asyncio.CancelledError, TimeoutError, SetupError):  # busy, or closed
            self._refreshing.result()
            return True
        return False

    async def act(self, request: web.Request) -> web.Response:
        """Forward what somebody does: one at a time, and not to a page that is a moment old."""
        async with self._acting:
            if self._refreshing is not None:
                self._refreshing.cancel()
                await asyncio.wait({self._refreshing})
            body = await request.read()
            response = await self._send(request, body)
            if revision := _newer_revision(response):
                action = json.loads(body) | {"published_revision": revision}
                response = await self._send(request, json.dumps(action).encode())
            return response

    async def forward(self, request: web.Request) -> web.Response:
        return await self._send(request, await request.read())

    async def _send(self, request: web.Request, body: bytes) -> web.Response:
        headers = {
            name: request.headers[name] for name in _FORWARDED_HEADERS if name in request.headers
        }
        sent = self._client.request(request.method, request.path_qs, headers=headers, data=body)
        try:
            async with sent as response:
                return web.Response(
                    body=await response.read(),
                    status=response.status,
                    headers={
                        name: value
                        for name, value in response.headers.items()
                        if name not in _HOP_BY_HOP
                    },
                )
        except ClientError:
            raise web.HTTPBadGateway from None  # the playground is closing

    async def show_page(self, request: web.Request) -> web.Response:
        response = await self.forward(request)
        assert response.text is not None, "a response has a body"
        slow, closed = escape(texts.slow(self._language)), escape(texts.closed(self._language))
        added = _ADDED_TO_PAGE.format(slow=slow, closed=closed)
        response.text = response.text.replace(_SIMCORD_SCRIPT, added + _SIMCORD_SCRIPT)
        return response

    async def send_script(self, _request: web.Request) -> web.FileResponse:
        return web.FileResponse(_PAGE_SCRIPT, headers={"Cache-Control": "no-store"})


def _newer_revision(response: web.Response) -> int | None:
    """The revision of a page that was refreshed after the tab had last asked for it."""
    if response.status != web.HTTPOk.status_code:
        return None
    assert response.text is not None, "a response has a body"
    receipt = json.loads(response.text)
    codes = [diagnostic["code"] for diagnostic in receipt["diagnostics"]]
    return receipt["revision"] if "stale-revision" in codes else None


@asynccontextmanager
async def serve(preview: Preview, language: Language) -> AsyncIterator[Server]:
    """Serve a preview on this machine."""
    url = urlsplit(preview.url)
    async with ClientSession(url._replace(fragment="").geturl()) as client:
        server = Server(preview, client, language)
        app = web.Application()
        app.router.add_get("/", server.show_page)
        app.router.add_get("/page.js", server.send_script)
        app.router.add_post("/api/action", server.act)
        app.router.add_static("/fonts", _FONTS)
        app.router.add_route("*", "/{path:.*}", server.forward)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            _host, port = runner.addresses[0]
            server.url = url._replace(netloc=f"127.0.0.1:{port}").geturl()
            yield server
        finally:
            await runner.cleanup()
