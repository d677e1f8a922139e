"""The process that a learner's file runs in, seen from its parent: start it, receive, kill it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.check.finding import FindingKind

_POLL_SECONDS = 0.1


class WorkerLostError(Exception):
    """The worker hangs or has ended, as `kind` says."""

    def __init__(self, kind: FindingKind) -> None:
        super().__init__(kind)
        self.kind = kind


@contextmanager
def worker_process(
    target: Callable[..., None], path: Path, *arguments: object
) -> Iterator[Connection]:
    """Start a worker that runs a file, and kill it and its children at the end of the context."""
    context = multiprocessing.get_context("spawn")
    connection, worker_connection = context.Pipe()
    process = context.Process(
        target=target, args=(str(path), worker_connection, *arguments), daemon=True
    )
    process.start()
    worker_connection.close()
    try:
        yield connection
    finally:
        _kill_group(process.pid)
        process.kill()
        process.join()
        connection.close()


def receive(
    connection: Connection,
    clock: Callable[[], float],
    deadline: float,
    while_waiting: Callable[[], None] = lambda: None,
) -> Any:
    """The next message of the worker.

    Raises:
        WorkerLostError: It sent nothing until the deadline, or it has ended.
    """
    while not connection.poll(_POLL_SECONDS):
        if clock() > deadline:
            raise WorkerLostError(FindingKind.HANGS)
        while_waiting()
    try:
        return connection.recv()
    except (EOFError, OSError):
        raise WorkerLostError(FindingKind.EXITS) from None


def _kill_group(pid: int | None) -> None:
    """Kill the processes that the worker has started; the worker leads their group."""
    if pid is None or not hasattr(os, "killpg"):
        return
    with suppress(ProcessLookupError, PermissionError):  # it may not have made its group yet
        os.killpg(pid, signal.SIGKILL)
