"""The HTTP server at PORT, which hosts of web services probe: one word, and nothing else."""

from __future__ import annotations

from aiohttp import web

from bot.ops.health import Health
from bot.ops.web_server import listen


async def serve_probes(health: Health, port: int) -> None:
    """Answer `/` and `/healthz` at all addresses until cancelled.

    `/` says that there is a bot; `/healthz` has status 503 while people get no answers.
    """

    async def root(_request: web.Request) -> web.Response:
        return web.Response(text="velha\n")

    async def healthz(_request: web.Request) -> web.Response:
        is_well = not health.problems
        return web.Response(
            text="well\n" if is_well else "unwell\n", status=200 if is_well else 503
        )

    async def hide_versions(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers.pop("Server", None)

    app = web.Application()
    app.add_routes([web.get("/", root), web.get("/healthz", healthz)])
    app.on_response_prepare.append(hide_versions)
    await listen(app, None, port, settings="PORT")
