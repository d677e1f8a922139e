"""The engine's processes, kept for the next test: one takes longer to start than most tests."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.services.bounded_lock import BoundedLock
from bot.services.engine_pool import EnginePool
from bot.services.worker_process import WorkerProcess
from tests.bot.limits import PATIENT_QUEUE

_kept: defaultdict[str, list[Any]] = defaultdict(list)
"""The executors that no worker uses now, by what for."""


class KeptWorker(WorkerProcess):
    """A worker whose process another one takes over, unless it is closed during a job."""

    async def _submit(self, function: Any) -> Any:
        if self._executor is None and _kept[self._name]:
            self._executor = _kept[self._name].pop()
        return await super()._submit(function)

    def _kill(self) -> None:
        if self._executor is not None and not self.queue._lock.locked():
            _kept[self._name].append(self._executor)
            self._executor = None
        super()._kill()


def kept_engine(rng: random.Random) -> EnginePool:
    """An engine that computes as long as it takes, in processes that are there already."""
    engine = EnginePool(rng)
    engine._moves = KeptWorker("moves", PATIENT_QUEUE)
    engine._lessons = KeptWorker("lessons", PATIENT_QUEUE)
    engine._long_lessons = BoundedLock("long lessons", PATIENT_QUEUE)
    return engine


def new_bot(
    config: Config, rng: random.Random | None = None, limits: BotLimits | None = None
) -> VelhaBot:
    """A bot with a `kept_engine`."""
    bot = VelhaBot(config, rng, limits)
    bot.engine = kept_engine(bot._rng)
    return bot
