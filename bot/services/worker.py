"""A worker process behind a queue of limited length.

Measured on two cores while the hardest position known was searched: with the search in a thread the
event loop was late by 5 ms on average (30 ms with four at once), because a computing thread gives
up the GIL only every 5 ms; with a process, by 0.1 ms. A process takes 0.1 s to start, and starts
when needed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from bot.domain.refusals import OverloadedError, ShuttingDownError

Given = ParamSpec("Given")

Result = TypeVar("Result")

_Executor = ProcessPoolExecutor | ThreadPoolExecutor

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many may wait, for how long, and how long one job may run."""

    waiting: int
    wait_seconds: float
    run_seconds: float


class BoundedLock:
    """A lock that limits how many may wait for it, and how long.

    `waiting` is how many do; `waits` is how many waits are over, in vain or not, and
    `waited_seconds` how long all of those took.
    """

    def __init__(self, name: str, limits: QueueLimits) -> None:
        self._name = name
        self.limits = limits
        self._lock = asyncio.Lock()
        self._was_full = False
        self.waiting = self.waits = 0
        self.waited_seconds = 0.0

    @property
    def is_full(self) -> bool:
        return self.waiting >= self.limits.waiting

    async def acquire(self) -> None:
        """Wait for one's turn.

        Raises:
            OverloadedError: Too many wait, or it took too long.
        """
        if self.is_full:
            self._warn_host()
            raise OverloadedError(f"{self.waiting} wait for {self._name}")
        self.waiting += 1
        began_at = time.perf_counter()
        try:
            async with asyncio.timeout(self.limits.wait_seconds):
                await self._lock.acquire()
        except TimeoutError:
            raise OverloadedError(f"others take too long with {self._name}") from None
        finally:
            self.waiting -= 1
            self.waits += 1
            self.waited_seconds += time.perf_counter() - began_at
            self._was_full = self._was_full and self.waiting > 0

    def _warn_host(self) -> None:
        """Warn once, until nobody waits any more."""
        if not self._was_full:
            _log.warning("%d wait for %s: more are sent away.", self.waiting, self._name)
        self._was_full = True

    def release(self) -> None:
        self._lock.release()


class WorkerProcess:
    """A process that runs one job at a time; a thread, where no process can be started.

    A process that dies is replaced, and its job starts again; one that takes too long is killed and
    replaced, and its job is given up.
    """

    def __init__(self, name: str, limits: QueueLimits, *, niceness: int = 0) -> None:
        self._name = name
        self._limits = limits
        self._niceness = niceness
        self.queue = BoundedLock(name, limits)
        self._executor: _Executor | None = None
        self._is_closed = False

    async def run(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Run a function as a job; it, its arguments and its result have to be picklable.

        Raises:
            OverloadedError: Too many are waiting, it waited too long, or it took too long.
            ShuttingDownError: The bot is shutting down.
        """
        await self.queue.acquire()
        running = asyncio.ensure_future(self._run(partial(work, *given, **options)))
        running.add_done_callback(self._make_way)
        return await asyncio.shield(running)  # a caller who gives up leaves the process busy

    def _make_way(self, done: asyncio.Future[Any]) -> None:
        self.queue.release()
        if not done.cancelled():
            done.exception()  # retrieved, or asyncio would log it where nobody waits

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            async with asyncio.timeout(self._limits.run_seconds):
                while True:
                    with suppress(BrokenProcessPool):  # killed, perhaps for lack of memory
                        return await self._ask(work)
                    self._executor = None
        except TimeoutError:
            _log.warning("Thinking about %s took too long, so its process is replaced.", self._name)
            self._end()
            raise OverloadedError(f"a thought about {self._name} took too long") from None

    async def _ask(self, work: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise ShuttingDownError("the bot is leaving")
        self._executor = self._executor or _new_executor(self._niceness)
        task = asyncio.current_task()
        assert task is not None
        try:
            return await asyncio.wrap_future(self._executor.submit(work))
        except (asyncio.CancelledError, BrokenProcessPool):
            if self._is_closed and not task.cancelling():
                raise ShuttingDownError("the bot is leaving") from None
            raise

    def close(self) -> None:
        """Take no more jobs, and kill the process; its callers get a `ShuttingDownError`."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        if self._executor is not None:
            _end(self._executor)
            self._executor = None


def _new_executor(niceness: int) -> _Executor:
    process = None
    try:
        process = ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(niceness,)
        )
        process.submit(int)  # the first job starts the process, or shows that it cannot
    except (OSError, ImportError, RuntimeError) as error:  # no semaphore, process or thread
        _log.warning("No process can be started to think in, so a thread must do: %s", error)
        if process is not None:
            _end(process)
        return ThreadPoolExecutor(1)
    return process


def _end(executor: _Executor) -> None:
    processes = list((getattr(executor, "_processes", None) or {}).values())  # nothing public
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def _start_worker(niceness: int) -> None:
    """Set up the process: ignore Ctrl-C, lower its priority, and end when the bot does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    bot = parent_process()
    assert bot is not None, "a worker has a parent"
    bot.join()
    os._exit(0)
