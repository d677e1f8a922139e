"""Health checks: whether a running bot can answer people, not just whether it is running."""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import discord
from discord.ext import commands

from bot.config import Config
from bot.domain.refusals import UnavailableError
from bot.messaging.reply import Replies
from bot.ops.heartbeat import BEAT_SECONDS, UNWELL_SECONDS, beat, end
from bot.services.clock import Clock
from bot.services.engine import EnginePool
from bot.services.executor import Executor
from bot.services.privacy import Sweeps
from bot.store.store import Store
from bot.views.i18n import LANGUAGES

_LATE_SECONDS = 1

_SWEPT_WITHIN = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class RunningBot:
    """The parts of a running bot that health checks and metrics read."""

    bot: commands.AutoShardedBot
    store: Store
    executor: Executor
    engine: EnginePool
    clock: Clock
    sweeps: Sweeps
    replies: Replies


class Health:
    """The problems found by the last check."""

    def __init__(self, running: RunningBot) -> None:
        self._running = running
        self.problems: list[str] = ["it is starting"]

    async def check(self, late_seconds: float = 0) -> list[str]:
        """Check everything and return the problems; `late_seconds` is the event loop's delay."""
        late = f"the event loop is {late_seconds:.1f} seconds late"
        found = [
            self._gateway(),
            await self._database(),
            self._sweeps(),
            late if late_seconds > _LATE_SECONDS else None,
            *self._queues(),
        ]
        self.problems = [problem for problem in found if problem]
        return self.problems

    def _gateway(self) -> str | None:
        bot = self._running.bot
        is_open = bot.is_ready() and not any(shard.is_closed() for shard in bot.shards.values())
        return None if is_open else "the gateway is not ready"

    async def _database(self) -> str | None:
        try:
            await self._running.executor.run_in_time(self._running.store.ping)
        except UnavailableError as error:
            return f"the database does not answer: {error}"
        return None

    def _sweeps(self) -> str | None:
        is_late = self._running.sweeps.idle_for > _SWEPT_WITHIN
        return "no sweep has succeeded for two minutes" if is_late else None

    def _queues(self) -> list[str]:
        queues = self._running.engine.queues
        return [f"too many wait for {name}" for name, queue in queues.items() if queue.is_full]


_log = logging.getLogger(__name__)


@asynccontextmanager
async def monitored(running: RunningBot, settings: Config) -> AsyncIterator[None]:
    """Write heartbeats, and serve metrics if wanted, while the block runs."""
    _log.info("Running on %s.", _runs_on(running, settings))
    health = Health(running)
    tasks = [asyncio.create_task(_beat(health, settings.heartbeat_file))]
    if settings.metrics_port is not None:
        from bot.ops.metrics import Metrics, serve

        address = settings.metrics_host, settings.metrics_port
        tasks.append(asyncio.create_task(serve(health, Metrics(running, health), address)))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _runs_on(running: RunningBot, settings: Config) -> str:
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
    loop, late_seconds, has_warned = asyncio.get_running_loop(), 0.0, False
    try:
        while True:
            pause_seconds = BEAT_SECONDS
            try:
                if problems := await health.check(late_seconds):
                    pause_seconds = UNWELL_SECONDS
                await asyncio.to_thread(beat, file, problems)
            except OSError as error:
                if not has_warned:
                    _log.warning("HEARTBEAT_FILE: %s cannot be written: %s", file, error.strerror)
                has_warned = True
            except Exception:  # noqa: BLE001 - the next look may well succeed
                _log.exception("It could not be seen whether the bot is well.")
            due_at = loop.time() + pause_seconds
            await asyncio.sleep(pause_seconds)
            late_seconds = loop.time() - due_at
    finally:
        end(file)
