"""Health checks: whether a running bot can answer people, not just whether it is running."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from discord.ext import commands

from bot.game.refusal import OutageError
from bot.replies.reply import Replies
from bot.service.clock import Clock
from bot.service.engine_pool import EnginePool
from bot.service.executor import Executor
from bot.service.sweeps import Sweeps
from bot.store import Store

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

    async def look(self, late_seconds: float = 0) -> list[str]:
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
            await self._running.executor.do_in_time(self._running.store.ping)
        except OutageError as error:
            return f"the database does not answer: {error}"
        return None

    def _sweeps(self) -> str | None:
        is_late = self._running.sweeps.idle_for > _SWEPT_WITHIN
        return "no sweep has succeeded for two minutes" if is_late else None

    def _queues(self) -> list[str]:
        queues = self._running.engine.queues
        return [f"too many wait for {name}" for name, queue in queues.items() if queue.is_full]
