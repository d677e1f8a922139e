"""HTTP servers for hosts: they wait until their address is free, and listen until the bot ends."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web

RETRY_SECONDS = 10

_log = logging.getLogger(__name__)


async def listen(
    app: web.Application,
    host: str | None,
    port: int,
    *,
    settings: str,
    retry_seconds: float = RETRY_SECONDS,
) -> None:
    """Serve until cancelled; retry while the address cannot be used.

    Without a `host`, listen at all addresses. `settings` names the address's settings, for the log.
    """
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    has_warned = False
    try:
        while True:
            try:
                await web.TCPSite(runner, host, port).start()
            except Exception as error:  # noqa: BLE001 - whatever it is, it ends nothing unseen
                if not has_warned:
                    reason = getattr(error, "strerror", None) or error
                    _log.warning("%s: %s:%d: %s", settings, host or "", port, reason)
                has_warned = True
                await asyncio.sleep(retry_seconds)
            else:
                _log.info("%s: listening at http://%s:%d.", settings, host or "", port)
                await asyncio.Event().wait()
    finally:
        await runner.cleanup()
