"""A worker process behind a queue of limited length.

Why not a thread: a computing thread gives up the GIL only every 5 ms. Measured on two cores during
a search of the hardest known position, the event loop was late by 5 ms on average (30 ms with four
at once); with a process, by 0.1 ms. A process takes 0.1 s to start, and starts when needed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pkgutil import resolve_name
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from bot.domain.refusals import OverloadedError, ShuttingDownError
from bot.runtime.bounded_lock import BoundedLock, QueueLimits

Params = ParamSpec("Params")

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class WorkerProcess:
    """A process that runs one job at a time.

    If the process dies, its job starts again in a new one. If a job takes too long, its process is
    killed, and the job fails.
    """

    def __init__(self, name: str, limits: QueueLimits) -> None:
        self._name = name
        self._limits = limits
        self.queue = BoundedLock(name, limits)
        self._executor: ProcessPoolExecutor | None = None
        self._is_closed = False

    @property
    def process_ids(self) -> list[int]:
        """Its process, if it has started."""
        return [process.pid for process in _processes(self._executor) if process.pid is not None]

    async def run(
        self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
    ) -> Result:
        """Run a function as a job; it, its arguments and its result must be picklable.

        Raises:
            OverloadedError: Too many are waiting, it waited too long, or it took too long.
            ShuttingDownError: The bot is shutting down.
        """
        await self.queue.acquire()
        job = asyncio.ensure_future(self._run_job(partial(function, *args, **kwargs)))
        job.add_done_callback(self._release_queue)
        return await asyncio.shield(job)  # if the caller is cancelled, the process is still busy

    def _release_queue(self, job: asyncio.Future[Any]) -> None:
        self.queue.release()
        if not job.cancelled():
            job.exception()  # marks it as retrieved: asyncio would log it if no caller is left

    async def _run_job(self, function: Callable[[], Result]) -> Result:
        try:
            async with asyncio.timeout(self._limits.run_seconds):
                while True:
                    with suppress(BrokenProcessPool):  # killed, perhaps for lack of memory
                        return await self._submit(function)
                    self._executor = None
        except TimeoutError:
            _log.warning("A job of %s took too long, so its process is replaced.", self._name)
            self._kill()
            raise OverloadedError(f"a job of {self._name} took too long") from None

    async def _submit(self, function: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise ShuttingDownError("the bot is shutting down")
        self._executor = self._executor or self.start_executor()
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        try:
            return await asyncio.wrap_future(self._executor.submit(function))
        except (asyncio.CancelledError, BrokenProcessPool):
            if self._is_closed and not task.cancelling():
                raise ShuttingDownError("the bot is shutting down") from None
            raise

    def close(self) -> None:
        """Take no more jobs, and kill the process; its callers get a `ShuttingDownError`."""
        self._is_closed = True
        self._kill()

    def _kill(self) -> None:
        if self._executor is not None:
            self.stop_executor(self._executor)
            self._executor = None

    def start_executor(self) -> ProcessPoolExecutor:
        """Start a process, once it gets a job."""
        return ProcessPoolExecutor(
            1,
            mp_context=get_context("spawn"),
            initializer=_start_worker,
            initargs=(self._limits.niceness,),
        )

    def stop_executor(self, executor: ProcessPoolExecutor) -> None:
        """Kill a process, whatever it does."""
        processes = _processes(executor)
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def call_by_name(name: str, *args: Any) -> Any:
    """Call a function such as "package.module:function", which is only imported here."""
    return resolve_name(name)(*args)


def _processes(executor: ProcessPoolExecutor | None) -> list[BaseProcess]:
    """The processes of an executor; none once it is shut down."""
    # Before Python 3.14, there is no public way to the processes of a pool.
    processes: dict[int, BaseProcess] | None = getattr(executor, "_processes", None)
    return [] if processes is None else list(processes.values())


def _start_worker(niceness: int) -> None:
    """Set up the process: ignore Ctrl-C, lower its priority, and exit when the bot does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    bot = parent_process()
    assert bot is not None, "a worker has a parent"
    bot.join()
    os._exit(0)
