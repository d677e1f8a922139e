"""Checks a learner's file in a worker process, which the file may block or crash.

This is no sandbox: the file is the learner's own and runs with the learner's permissions.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES, boards_for, effort
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.worker import BoardResult, LoadResult, run_checks, run_player
from engine.grid import Mark
from engine.rules import Cell

_POLL_SECONDS = 0.1
_MIN_SLOW_FREE_CELLS = 7
"""With this many free cells or more, a correct plain minimax may be slow."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds of `clock` a call may take, and all calls of one function together.

    Once a function is known to be wrong, its checks end after `wrong_function` seconds: further
    boards would only raise the counts.
    """

    call: float = 10
    function: float = 60
    wrong_function: float = 5
    clock: Callable[[], float] = time.monotonic


class Judgement(Enum):
    """What is known about a function."""

    RIGHT = "right"
    RIGHT_SO_FAR = "right so far"
    WRONG = "wrong"
    NOT_JUDGED = "not judged"


@dataclass(slots=True)
class FunctionReport:
    """The findings about one function, on the first `boards_checked` of its boards.

    `findings` has the first finding of each kind and family, and its number of boards.
    `result_calls` is how often `minimax` called `result` for `largest_board`, the last unfinished
    board that was checked. `wrong_for` has the players to move on boards with a mistake.
    `hanging_function` is the one that kept this one from being checked.
    """

    name: str
    boards_checked: int = 0
    findings: dict[tuple[FindingKind, str], tuple[Finding, int]] = field(default_factory=dict)
    result_calls: int = 0
    largest_board: Board | None = None
    wrong_for: set[Mark] = field(default_factory=set)
    hanging_function: str = ""

    def add(self, finding: Finding) -> None:
        if self.name == "initial_state":  # it takes no board
            finding = replace(finding, board=None)
        key = finding.kind, finding.family
        first, count = self.findings.get(key, (finding, 0))
        self.findings[key] = first, count + 1
        if finding.kind.is_fault and finding.board is not None:
            self.wrong_for.add(finding.board.to_move)

    @property
    def boards_total(self) -> int:
        return len(boards_for(self.name)) if self.name in FUNCTION_NAMES else 0

    @property
    def is_wrong(self) -> bool:
        return any(kind.is_fault for kind, _ in self.findings)

    @property
    def judgement(self) -> Judgement:
        if self.is_wrong:
            return Judgement.WRONG
        if self.hanging_function:
            return Judgement.NOT_JUDGED
        is_complete = self.boards_checked == self.boards_total
        return Judgement.RIGHT if is_complete else Judgement.RIGHT_SO_FAR

    @property
    def ended_early(self) -> bool:
        """Whether a wrong function was left before its last board, although it still returned."""
        ends_process = {FindingKind.HANGS, FindingKind.EXITS}
        is_lost = any(kind in ends_process for kind, _ in self.findings)
        return self.is_wrong and not is_lost and self.boards_checked < self.boards_total


class _WorkerLostError(Exception):
    """The worker hangs or has ended."""

    def __init__(self, kind: FindingKind) -> None:
        super().__init__(kind)
        self.kind = kind


Progress = Callable[[str, float, float], None]
"""A callback: a function's name, how much of its work is done (0 to 1), and for how many seconds.

It is also called while a board takes long.
"""


def check_file(
    path: Path, limits: TimeLimits, progress: Progress, *, only: str | None = None
) -> Iterator[FunctionReport]:
    """Check a file, or `only` one of its functions. The first report, named "", is on the file.

    When the worker hangs or ends, another one continues with the next function. Once a function
    hangs, `minimax` would hang in it, and is not judged.
    """
    names = list(FUNCTION_NAMES) if only is None else [only]
    is_first_worker = True
    hanging = ""
    while names:
        with _worker(run_checks, path, tuple(names)) as connection:
            try:
                loaded: LoadResult = _receive(connection, limits, limits.clock() + limits.call)
            except _WorkerLostError as lost:
                yield _file_report([Finding(lost.kind)])
                return
            if is_first_worker:
                yield _file_report(loaded.findings)
                is_first_worker = False
            if not loaded.is_usable:
                return
            names = [name for name in names if name not in loaded.missing]
            while names:
                name = names.pop(0)
                if name == "minimax" and hanging:
                    yield FunctionReport(name, hanging_function=hanging)
                    continue
                report, is_alive = _function_report(name, connection, limits, progress)
                yield report
                if any(kind is FindingKind.HANGS for kind, _ in report.findings):
                    hanging = name
                if not is_alive:
                    break


@contextmanager
def learner_player(path: Path, limits: TimeLimits) -> Iterator[Callable[[Board], Cell]]:
    """A function that asks the file's `minimax` for a move on an unfinished board.

    Raises:
        FindingError: The file cannot be used, or its move is none.
    """
    with _worker(run_player, path) as connection:
        loaded: LoadResult = _answer(connection, limits, None, TimeLimits().call)
        if loaded.findings:
            raise FindingError(loaded.findings[0])

        def choose(board: Board) -> Cell:
            connection.send(board)
            move: Cell | Finding = _answer(connection, limits, board, limits.call)
            if isinstance(move, Finding):
                raise FindingError(move)
            return move

        yield choose


def _answer(connection: Connection, limits: TimeLimits, board: Board | None, seconds: float) -> Any:
    try:
        return _receive(connection, limits, limits.clock() + seconds)
    except _WorkerLostError as lost:
        raise FindingError(Finding(lost.kind, board)) from None


def _file_report(findings: Sequence[Finding]) -> FunctionReport:
    report = FunctionReport("")
    for finding in findings:
        report.add(finding)
    return report


def _function_report(
    name: str, connection: Connection, limits: TimeLimits, progress: Progress
) -> tuple[FunctionReport, bool]:
    """Collect the results of a function; also return whether the worker is still usable."""
    report = FunctionReport(name)
    boards = boards_for(name)
    started = limits.clock()
    total = sum(effort(name, board) for board in boards)
    effort_done = 0

    def show_progress() -> None:
        progress(name, effort_done / total, limits.clock() - started)

    for board in boards:
        show_progress()
        seconds = limits.clock() - started
        if seconds > limits.function or (report.is_wrong and seconds > limits.wrong_function):
            return report, False
        may_be_slow = name == "minimax" and len(board.actions()) >= _MIN_SLOW_FREE_CELLS
        deadline = started + (limits.function if may_be_slow else seconds + limits.call)
        try:
            result: BoardResult = _receive(connection, limits, deadline, show_progress)
        except _WorkerLostError as lost:
            is_slow = lost.kind is FindingKind.HANGS and may_be_slow
            if not is_slow:
                report.add(Finding(lost.kind, board))
            return report, False
        effort_done += effort(name, board)
        report.boards_checked += 1
        if not board.is_terminal:
            report.result_calls = result.result_calls
            report.largest_board = board
        for finding in _distinct(result.findings):
            report.add(finding)
    return report, True


def _distinct(findings: Sequence[Finding]) -> list[Finding]:
    """The first finding of each kind and family: a board counts once for each."""
    first_findings: dict[tuple[FindingKind, str], Finding] = {}
    for finding in reversed(findings):
        first_findings[finding.kind, finding.family] = finding
    return list(first_findings.values())


def _receive(
    connection: Connection,
    limits: TimeLimits,
    deadline: float,
    show_progress: Callable[[], None] = lambda: None,
) -> Any:
    """The next message of the worker.

    Raises:
        _WorkerLostError: It sent nothing until the deadline, or it has ended.
    """
    while not connection.poll(_POLL_SECONDS):
        if limits.clock() > deadline:
            raise _WorkerLostError(FindingKind.HANGS)
        show_progress()
    try:
        return connection.recv()
    except (EOFError, OSError):
        raise _WorkerLostError(FindingKind.EXITS) from None


@contextmanager
def _worker(target: Callable[..., None], path: Path, *arguments: object) -> Iterator[Connection]:
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


def _kill_group(pid: int | None) -> None:
    """Kill the processes that the worker has started; the worker leads their group."""
    if pid is None or not hasattr(os, "killpg"):
        return
    with suppress(ProcessLookupError, PermissionError):  # it may not have made its group yet
        os.killpg(pid, signal.SIGKILL)
