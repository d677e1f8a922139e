"""Worker processes that are kept for the next test: one takes longer to start than most tests."""

from __future__ import annotations

import random
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.engine_pool import EnginePool
from bot.runtime.worker_process import WorkerProcess
from tests.bot.limits import PATIENT_QUEUE

_idle: defaultdict[tuple[str, int], list[ProcessPoolExecutor]] = defaultdict(list)
"""The executors that no worker uses now, by the name and the niceness of their worker."""


class KeptWorker(WorkerProcess):
    """A worker whose process is left to the next one, unless it is stopped during a job."""

    def __init__(self, name: str, limits: QueueLimits) -> None:
        super().__init__(name, limits)
        self._idle_executors = _idle[name, limits.niceness]

    def start_executor(self) -> ProcessPoolExecutor:
        return self._idle_executors.pop() if self._idle_executors else super().start_executor()

    def stop_executor(self, executor: ProcessPoolExecutor) -> None:
        if self.queue._lock.locked():
            super().stop_executor(executor)
        else:
            self._idle_executors.append(executor)


def kept_engine(rng: random.Random) -> EnginePool:
    """An engine that computes as long as it takes, in processes that may be there already."""
    return EnginePool(rng, moves=PATIENT_QUEUE, lessons=PATIENT_QUEUE, worker_class=KeptWorker)
