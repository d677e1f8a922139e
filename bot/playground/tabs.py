"""A proxy for one tab: SimCord does one thing at a time, and redraws everything for every tab."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, web
from simcord.preview import Preview

from bot.playground.texts import PlaygroundTexts
from bot.views.i18n import language_for

_OPENING_SECONDS = 5
_SILENT_SECONDS = 90
"""A tab without requests for this long is gone; browsers let hidden tabs send one a minute."""

_FORWARDED_HEADERS = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
_HOP_BY_HOP = {"Connection", "Content-Length", "Date", "Server", "Transfer-Encoding"}

_ELSEWHERE = """<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Velha</title>
<style>
  body { margin: 20vh auto; padding: 1em; max-width: 32em; font: 1.2em sans-serif;
         background: #313338; color: #dbdee1; animation: 1s steps(1) appear; }
  /* To a tab that is loaded anew its own old page is the other tab, for a moment. */
  @keyframes appear { from { opacity: 0; } }
</style>
SENTENCES
<script>
  setInterval(async () => (await fetch("/", { method: "HEAD" })).ok && location.reload(), 500);
</script>
"""


@asynccontextmanager
async def one_tab(preview: Preview, *locales: str) -> AsyncIterator[str]:
    """Serve a preview to one tab at the URL yielded; others get a notice in these languages."""
    url = urlsplit(preview.url)
    async with ClientSession(url._replace(fragment="").geturl()) as client:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", _Proxy(client, locales).answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            _host, port = runner.addresses[0]
            yield url._replace(netloc=f"127.0.0.1:{port}").geturl()
        finally:
            await runner.cleanup()


class _Proxy:
    """Forwards requests to SimCord's server, and tells from them whether a tab is open."""

    def __init__(self, client: ClientSession, locales: tuple[str, ...]) -> None:
        self._client = client
        self._locales = locales
        self._free_at = -math.inf

    async def answer(self, request: web.Request) -> web.Response:
        now = asyncio.get_running_loop().time()
        if request.path == "/" and now < self._free_at:
            return web.Response(text=self._elsewhere(), content_type="text/html", status=409)
        headers = {
            name: request.headers[name] for name in _FORWARDED_HEADERS if name in request.headers
        }
        body = await request.read()
        forwarded = self._client.request(
            request.method, request.path_qs, headers=headers, data=body
        )
        try:
            async with forwarded as response:
                if response.ok:
                    self._renew_lease(request, now)
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

    def _renew_lease(self, request: web.Request, now: float) -> None:
        """Set until when the tab that sent a request keeps others out."""
        if request.method == "DELETE":
            self._free_at = now
        elif request.path.startswith("/api/"):
            self._free_at = now + _SILENT_SECONDS
        elif request.path == "/" and request.method == "GET":
            self._free_at = now + _OPENING_SECONDS

    def _elsewhere(self) -> str:
        sentences = (
            f'<p lang="{locale}">{escape(PlaygroundTexts(language_for(locale)).elsewhere())}</p>'
            for locale in self._locales
        )
        return _ELSEWHERE.replace("SENTENCES", "\n".join(sentences))
