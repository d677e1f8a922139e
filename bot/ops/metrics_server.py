"""The HTTP server that a host's monitoring scrapes: `/metrics` and `/healthz`."""

from __future__ import annotations

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.ops.health import Health
from bot.ops.metrics import Metrics
from bot.ops.web_server import RETRY_SECONDS, listen


async def serve(
    health: Health,
    metrics: Metrics,
    address: tuple[str, int],
    retry_seconds: float = RETRY_SECONDS,
) -> None:
    """Serve `/metrics` and `/healthz` until cancelled; retry while the address cannot be used."""

    async def healthz(_request: web.Request) -> web.Response:
        problems = "\n".join(health.problems)
        return web.Response(text=f"{problems or 'well'}\n", status=503 if problems else 200)

    async def render_metrics(_request: web.Request) -> web.Response:
        body = await metrics.render()
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/metrics", render_metrics)])
    settings = "METRICS_HOST, METRICS_PORT"
    await listen(app, *address, settings=settings, retry_seconds=retry_seconds)
