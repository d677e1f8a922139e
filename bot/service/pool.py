"""A process to think in, with a queue of limited length before it.

Measured on two cores while the hardest position known was searched: in a thread the event loop was
late by 5 ms on average (30 ms with four at once), because a thread that computes gives way only
every 5 ms; beside a process by 0.1 ms. A process takes 0.1 s to start, and starts when needed.
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

from bot.game.refusal import LeavingError, TooBusyError

Given = ParamSpec("Given")
Result = TypeVar("Result")

_Executor = ProcessPoolExecutor | ThreadPoolExecutor

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many may wait, for how long, and how long one thought may take."""

    waiting: int
    waiting_seconds: float
    thinking_seconds: float


class Queue:
    """A lock for which only so many may wait, and only so long.

    It counts who waits, how many turns there have been, and how long all of them waited together.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self.limits = limits
        self._lock = asyncio.Lock()
        self._was_full = False
        self.waiting = self.turns = 0
        self.waited_seconds = 0.0

    @property
    def is_full(self) -> bool:
        return self.waiting >= self.limits.waiting

    async def acquire(self) -> None:
        """Wait for one's turn.

        Raises:
            TooBusyError: Too many wait, or it took too long.
        """
        if self.is_full:
            self._tell_host()
            raise TooBusyError(f"{self.waiting} wait for {self._name}")
        self.waiting += 1
        began_at = time.perf_counter()
        try:
            async with asyncio.timeout(self.limits.waiting_seconds):
                await self._lock.acquire()
        except TimeoutError:
            raise TooBusyError(f"others take too long with {self._name}") from None
        finally:
            self.waiting -= 1
            self.turns += 1
            self.waited_seconds += time.perf_counter() - began_at
            self._was_full = self._was_full and self.waiting > 0

    def _tell_host(self) -> None:
        """Once, until nobody waits any more."""
        if not self._was_full:
            _log.warning("%d wait for %s: more are sent away.", self.waiting, self._name)
        self._was_full = True

    def release(self) -> None:
        self._lock.release()


class Pool:
    """One process, which does one thing after the other; a thread, where no process can be had.

    A process that dies is replaced, and what it was about is begun again; one that takes too long
    is replaced too, and that thought is given up.
    """

    def __init__(self, name: str, limits: Limits, *, niceness: int = 0) -> None:
        self._name = name
        self._limits = limits
        self._niceness = niceness
        self.queue = Queue(name, limits)
        self._executor: _Executor | None = None
        self._is_closed = False

    async def do(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """What a function returns; it and all that it is given and returns have to be picklable.

        Raises:
            TooBusyError: Too many are waiting, it waited too long, or it took too long.
            LeavingError: The bot is leaving.
        """
        await self.queue.acquire()
        running = asyncio.ensure_future(self._run(partial(work, *given, **options)))
        running.add_done_callback(self._make_way)
        return await asyncio.shield(running)  # who gives up waiting leaves the process busy

    def _make_way(self, done: asyncio.Future[Any]) -> None:
        self.queue.release()
        if not done.cancelled():
            done.exception()  # perhaps nobody waits any more, and asyncio need not complain

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            async with asyncio.timeout(self._limits.thinking_seconds):
                while True:
                    with suppress(BrokenProcessPool):  # killed, by a lack of memory perhaps
                        return await self._ask(work)
                    self._executor = None
        except TimeoutError:
            _log.warning("Thinking about %s took too long, so its process is replaced.", self._name)
            self._end()
            raise TooBusyError(f"a thought about {self._name} took too long") from None

    async def _ask(self, work: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise LeavingError("the bot is leaving")
        self._executor = self._executor or _new_executor(self._niceness)
        try:
            return await asyncio.wrap_future(self._executor.submit(work))
        except (asyncio.CancelledError, BrokenProcessPool):
            if self._is_closed:
                raise LeavingError("the bot is leaving") from None
            raise

    def close(self) -> None:
        """Leave at once: a thought under way has nobody left to answer."""
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
            1, mp_context=get_context("spawn"), initializer=_begin, initargs=(niceness,)
        )
        process.submit(int)  # it starts with its first work, if at all
    except (OSError, ImportError, RuntimeError) as error:  # no semaphore, process or thread
        _log.warning("No process can be started to think in, so a thread must do: %s", error)
        if process is not None:
            _end(process)
        return ThreadPoolExecutor(1)
    return process


def _end(executor: _Executor) -> None:
    processes = list((getattr(executor, "_processes", None) or {}).values())  # no other way
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def _begin(niceness: int) -> None:
    """Leave Ctrl-C to the bot, do not outlive it, and give way to what matters more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    bot = parent_process()
    assert bot is not None, "a worker has a parent"
    bot.join()
    os._exit(0)
