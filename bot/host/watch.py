"""Monitoring a bot while it runs: heartbeats and, if METRICS_PORT is set, metrics."""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord

from bot.host.health import Health, RunningBot
from bot.host.heartbeat import BEAT_SECONDS, UNWELL_SECONDS, beat, end
from bot.settings import Settings
from bot.texts import LANGUAGES

_log = logging.getLogger(__name__)


@asynccontextmanager
async def watched(running: RunningBot, settings: Settings) -> AsyncIterator[None]:
    """Write heartbeats, and serve metrics if wanted, while the block runs."""
    _log.info("Running on %s.", _runs_on(running, settings))
    health = Health(running)
    tasks = [asyncio.create_task(_beat(health, settings.heartbeat_file))]
    if settings.metrics_port is not None:
        from bot.host.http import serve
        from bot.host.metrics import Metrics

        address = settings.metrics_host, settings.metrics_port
        tasks.append(asyncio.create_task(serve(health, Metrics(running, health), address)))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _runs_on(running: RunningBot, settings: Settings) -> str:
    """A line for the log about what this process runs on, without secrets."""
    shards = "as many shards as Discord advises"
    if settings.shard_count is not None:
        mine = settings.shard_ids or range(settings.shard_count)
        shards = f"shards {', '.join(map(str, mine))} of {settings.shard_count}"
    queues = running.engine.queues.items()
    waiting = ", ".join(f"{queue.limits.waiting} may wait for {name}" for name, queue in queues)
    on = f"Python {platform.python_version()}, discord.py {discord.__version__}"
    database, languages = running.store.engine.dialect.name, ", ".join(LANGUAGES)
    return f"{on} and {database}; {shards}; languages: {languages}; {waiting}"


async def _beat(health: Health, file: Path) -> None:
    loop, late_seconds, was_told = asyncio.get_running_loop(), 0.0, False
    try:
        while True:
            pause_seconds = BEAT_SECONDS
            try:
                if problems := await health.look(late_seconds):
                    pause_seconds = UNWELL_SECONDS
                await asyncio.to_thread(beat, file, problems)
            except OSError as error:
                if not was_told:
                    _log.warning("HEARTBEAT_FILE: %s cannot be written: %s", file, error.strerror)
                was_told = True
            except Exception:  # noqa: BLE001 - the next look may well succeed
                _log.exception("It could not be seen whether the bot is well.")
            due_at = loop.time() + pause_seconds
            await asyncio.sleep(pause_seconds)
            late_seconds = loop.time() - due_at
    finally:
        end(file)
