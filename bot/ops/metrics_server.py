"""The HTTP server that a host's monitoring scrapes: `/metrics` and `/healthz`."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.ops.health import Health
from bot.ops.metrics import Metrics

_RETRY_SECONDS = 10

_log = logging.getLogger(__name__)


async def serve(
    health: Health,
    metrics: Metrics,
    address: tuple[str, int],
    retry_seconds: float = _RETRY_SECONDS,
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
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    has_warned = False
    try:
        while True:
            try:
                await web.TCPSite(runner, *address).start()
            except Exception as error:  # noqa: BLE001 - whatever it is, it ends nothing unseen
                if not has_warned:
                    reason = getattr(error, "strerror", None) or error
                    _log.warning("METRICS_HOST, METRICS_PORT: %s:%d: %s", *address, reason)
                has_warned = True
                await asyncio.sleep(retry_seconds)
            else:
                _log.info("Metrics are at http://%s:%d/metrics.", *address)
                await asyncio.Event().wait()
    finally:
        await runner.cleanup()
