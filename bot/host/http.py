"""The HTTP server for a host's monitoring: /healthz and /metrics."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.host.health import Health
from bot.host.metrics import Metrics

_TRY_AGAIN_SECONDS = 10

_log = logging.getLogger(__name__)


async def serve(
    health: Health,
    metrics: Metrics,
    address: tuple[str, int],
    try_again_seconds: float = _TRY_AGAIN_SECONDS,
) -> None:
    """Serve until cancelled; while another process holds the port, keep trying to get it."""

    async def healthz(_request: web.Request) -> web.Response:
        problems = "\n".join(health.problems)
        return web.Response(text=f"{problems or 'well'}\n", status=503 if problems else 200)

    async def figures(_request: web.Request) -> web.Response:
        shown = await metrics.show()
        return web.Response(body=shown, headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/metrics", figures)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await _open(runner, address, try_again_seconds)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


async def _open(runner: web.AppRunner, address: tuple[str, int], try_again_seconds: float) -> None:
    (host, port), was_told = address, False
    while True:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            if not was_told:
                _log.warning("METRICS_PORT: %s:%d is not to be had: %s", host, port, error.strerror)
            was_told = True
            await asyncio.sleep(try_again_seconds)
        else:
            _log.info("Figures are at http://%s:%d/metrics.", host, port)
            return
