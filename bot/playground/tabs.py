"""A proxy in front of SimCord that serves one browser tab at a time.

SimCord would redraw every page for every tab. The tab that was opened last plays; the one before
says that it has stopped, and can take over again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, web
from simcord.preview import Preview

from bot.playground.texts import PlaygroundTexts

_PAGE_SCRIPT = Path(__file__).with_name("page.js")
_SIMCORD_SCRIPT = '<script type="module" src="/app.js"></script>'
_SCRIPTS_OF_PAGE = f'<script type="module" src="/page.js"></script>\n    {_SIMCORD_SCRIPT}'

_CONTEXT_HEADER = "X-Simcord-Context"
_FORWARDED_HEADERS = ("Content-Type", "X-Simcord-Capability", _CONTEXT_HEADER)
_HOP_BY_HOP = {"Connection", "Content-Length", "Date", "Server", "Transfer-Encoding"}

_ELSEWHERE_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Velha</title>
<style>
  body { margin: 20vh auto; padding: 1em; max-width: 32em; font: 1.2em sans-serif;
         background: #313338; color: #dbdee1; }
  a { color: #00a8fc; }
</style>
<p>SENTENCE</p>
<p><a href="/">TAKE_OVER</a></p>
<script>
  document.querySelector("a").hash = location.hash;
</script>
"""


@asynccontextmanager
async def serve_one_tab(preview: Preview, texts: PlaygroundTexts) -> AsyncIterator[str]:
    """Serve a preview to the tab that was opened last; yield the URL."""
    url = urlsplit(preview.url)
    async with ClientSession(url._replace(fragment="").geturl()) as client:
        proxy = _Proxy(client, texts)
        app = web.Application()
        app.router.add_get("/", proxy.show_page)
        app.router.add_get("/page.js", proxy.send_script)
        app.router.add_get("/elsewhere", proxy.show_elsewhere)
        app.router.add_post("/api/pages", proxy.open_page)
        app.router.add_route("*", "/{path:.*}", proxy.forward)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            _host, port = runner.addresses[0]
            yield url._replace(netloc=f"127.0.0.1:{port}").geturl()
        finally:
            await runner.cleanup()


class _Proxy:
    """Forwards requests to SimCord's server, and closes a tab's page when another opens one."""

    def __init__(self, client: ClientSession, texts: PlaygroundTexts) -> None:
        self._client = client
        self._texts = texts
        self._current_page_id: str | None = None

    async def forward(self, request: web.Request) -> web.Response:
        forwarded_request = self._client.request(
            request.method,
            request.path_qs,
            headers=_headers_to_forward(request),
            data=await request.read(),
        )
        try:
            async with forwarded_request as response:
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
        assert response.text is not None
        response.text = response.text.replace(_SIMCORD_SCRIPT, _SCRIPTS_OF_PAGE)
        return response

    async def send_script(self, _request: web.Request) -> web.FileResponse:
        return web.FileResponse(_PAGE_SCRIPT, headers={"Cache-Control": "no-store"})

    async def show_elsewhere(self, _request: web.Request) -> web.Response:
        page = _ELSEWHERE_PAGE.replace("SENTENCE", escape(self._texts.elsewhere()))
        page = page.replace("TAKE_OVER", escape(self._texts.take_over()))
        return web.Response(text=page, content_type="text/html")

    async def open_page(self, request: web.Request) -> web.Response:
        """Open a page for a tab, and close the one before: SimCord answers it with 410."""
        response = await self.forward(request)
        if response.status != web.HTTPOk.status_code:
            return response
        assert response.text is not None
        page_id = json.loads(response.text)["context"]["id"]
        previous_id = self._current_page_id
        self._current_page_id = page_id
        if previous_id is not None:
            headers = _headers_to_forward(request) | {_CONTEXT_HEADER: previous_id}
            await self._client.delete(f"/api/pages/{previous_id}", headers=headers)
        return response


def _headers_to_forward(request: web.Request) -> dict[str, str]:
    return {name: request.headers[name] for name in _FORWARDED_HEADERS if name in request.headers}
