"""Checks a learner's file in a worker process, which the file may block or crash.

This is no sandbox: the file is the learner's own and runs with the learner's permissions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES, boards_for, effort
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.process import WorkerLostError, receive, worker_process
from engine.check.report import FunctionReport
from engine.check.worker import BoardResult, LoadResult, run_checks, run_player
from engine.rules import Cell

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
    hanging_function = ""
    while names:
        with worker_process(run_checks, path, tuple(names)) as connection:
            try:
                loaded: LoadResult = receive(connection, limits.clock, limits.clock() + limits.call)
            except WorkerLostError as lost:
                yield _file_report([Finding(lost.kind)])
                return
            if is_first_worker:
                yield _file_report(loaded.findings)
                is_first_worker = False
            if not loaded.is_usable:
                return
            names = [name for name in names if name not in loaded.missing]
            is_worker_alive = True
            while names and is_worker_alive:
                report = FunctionReport(names.pop(0))
                if report.name == "minimax" and hanging_function:
                    report.hanging_function = hanging_function
                else:
                    is_worker_alive = _check_function(report, connection, limits, progress)
                yield report
                if report.hangs:
                    hanging_function = report.name


def _file_report(findings: Sequence[Finding]) -> FunctionReport:
    report = FunctionReport("")
    for finding in findings:
        report.add(finding)
    return report


def _check_function(
    report: FunctionReport, connection: Connection, limits: TimeLimits, progress: Progress
) -> bool:
    """Add the results of a function's boards to its report.

    Returns False if the worker is lost, or busy with boards for which no time is left.
    """
    name = report.name
    boards = boards_for(name)
    started = limits.clock()
    total_effort = sum(effort(name, board) for board in boards)
    effort_done = 0

    def show_progress() -> None:
        progress(name, effort_done / total_effort, limits.clock() - started)

    for board in boards:
        show_progress()
        seconds = limits.clock() - started
        if _is_out_of_time(report, seconds, limits):
            return False
        may_be_slow = name == "minimax" and len(board.actions()) >= _MIN_SLOW_FREE_CELLS
        deadline = started + (limits.function if may_be_slow else seconds + limits.call)
        try:
            result: BoardResult = receive(connection, limits.clock, deadline, show_progress)
        except WorkerLostError as lost:
            is_only_slow = may_be_slow and lost.kind is FindingKind.HANGS
            if not is_only_slow:
                report.add(Finding(lost.kind, board))
            return False
        report.add_board(board, result.findings, result.result_calls)
        effort_done += effort(name, board)
    return True


def _is_out_of_time(report: FunctionReport, seconds: float, limits: TimeLimits) -> bool:
    if report.is_wrong and seconds > limits.wrong_function:
        return True
    return seconds > limits.function


@contextmanager
def learner_player(path: Path, limits: TimeLimits) -> Iterator[Callable[[Board], Cell]]:
    """A function that asks the file's `minimax` for a move on an unfinished board.

    Raises:
        FindingError: The file cannot be used, or its move is none.
    """
    with worker_process(run_player, path) as connection:
        loaded: LoadResult = _receive_answer(connection, limits, None, TimeLimits().call)
        if loaded.findings:
            raise FindingError(loaded.findings[0])

        def choose(board: Board) -> Cell:
            connection.send(board)
            move: Cell | Finding = _receive_answer(connection, limits, board, limits.call)
            if isinstance(move, Finding):
                raise FindingError(move)
            return move

        yield choose


def _receive_answer(
    connection: Connection, limits: TimeLimits, board: Board | None, seconds: float
) -> Any:
    try:
        return receive(connection, limits.clock, limits.clock() + seconds)
    except WorkerLostError as lost:
        raise FindingError(Finding(lost.kind, board)) from None
