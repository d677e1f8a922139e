"""Checks a learner's file in a worker process, which the file may block or crash.

This is no sandbox: the file is the learner's own and runs with the learner's permissions.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES, boards_for
from engine.check.finding import Finding, FindingKind
from engine.check.worker import BoardResult, LoadResult, run_worker
from engine.grid import Mark

_POLL_SECONDS = 0.1
_MIN_SLOW_FREE_CELLS = 7
"""With this many free cells or more, a correct plain minimax may be slow."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds of `clock` a call may take, and all calls of one function together."""

    call: float = 10
    function: float = 60
    clock: Callable[[], float] = time.monotonic


@dataclass(slots=True)
class FunctionReport:
    """The findings about one function, on the first `boards_checked` of its boards.

    `findings` has the first finding of each kind and family, and its number of boards.
    `result_calls` is how often `minimax` called `result` for `largest_board`, the last unfinished
    board that was checked. `wrong_for` has the players to move on boards with a mistake.
    """

    name: str
    boards_checked: int = 0
    findings: dict[tuple[FindingKind, str], tuple[Finding, int]] = field(default_factory=dict)
    result_calls: int = 0
    largest_board: Board | None = None
    wrong_for: set[Mark] = field(default_factory=set)

    def add(self, finding: Finding) -> None:
        if self.name == "initial_state":  # nobody gave it a board
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
    def ran_out_of_time(self) -> bool:
        """Whether all calls together took too long, though no single one did."""
        if self.boards_checked == self.boards_total:
            return False
        ends_process = {FindingKind.HANGS, FindingKind.SLOW, FindingKind.EXITS}
        return not any(kind in ends_process for kind, _ in self.findings)

    @property
    def is_wrong(self) -> bool:
        return any(kind.is_fault for kind, _ in self.findings)


class _WorkerLostError(Exception):
    """The worker hangs or has ended."""

    def __init__(self, kind: FindingKind) -> None:
        super().__init__(kind)
        self.kind = kind


Progress = Callable[[str, int, int], None]
"""A callback: a function's name, its number of boards checked, and its number of boards."""


def check_file(path: Path, limits: TimeLimits, progress: Progress) -> Iterator[FunctionReport]:
    """Check a file, function by function. The first report, named "", is on the file itself.

    When the worker hangs or ends, another one continues with the next function.
    """
    names: list[str] | None = None
    while names is None or names:
        with _worker(path, names or FUNCTION_NAMES) as receiver:
            try:
                loaded: LoadResult = _receive(receiver, limits)
            except _WorkerLostError as lost:
                yield _file_report([Finding(lost.kind)])
                return
            if names is None:
                names = [name for name in FUNCTION_NAMES if name not in loaded.missing]
                yield _file_report(loaded.findings)
            if not loaded.is_usable:
                return
            while names:
                report, is_alive = _function_report(names.pop(0), receiver, limits, progress)
                yield report
                if not is_alive:
                    break


def _file_report(findings: Sequence[Finding]) -> FunctionReport:
    report = FunctionReport("")
    for finding in findings:
        report.add(finding)
    return report


def _function_report(
    name: str, receiver: Connection, limits: TimeLimits, progress: Progress
) -> tuple[FunctionReport, bool]:
    """Collect the results of a function; also return whether the worker is still usable."""
    report = FunctionReport(name)
    deadline = limits.clock() + limits.function
    for board in boards_for(name):
        progress(name, report.boards_checked, report.boards_total)
        if limits.clock() > deadline:
            return report, False
        try:
            result: BoardResult = _receive(receiver, limits)
        except _WorkerLostError as lost:
            report.add(Finding(_loss_kind(lost.kind, name, board), board))
            return report, False
        report.boards_checked += 1
        if not board.is_terminal:
            report.result_calls = result.result_calls
            report.largest_board = board
        # A board counts once for each kind and family.
        first_findings = {(item.kind, item.family): item for item in reversed(result.findings)}
        for finding in first_findings.values():
            report.add(finding)
    return report, True


def _loss_kind(kind: FindingKind, name: str, board: Board) -> FindingKind:
    """The kind of a finding that ended the worker; slowness is no fault where trees are large."""
    may_be_slow = name == "minimax" and len(board.actions()) >= _MIN_SLOW_FREE_CELLS
    return FindingKind.SLOW if kind is FindingKind.HANGS and may_be_slow else kind


def _receive(receiver: Connection, limits: TimeLimits) -> Any:
    """The next message of the worker.

    Raises:
        _WorkerLostError: It sent nothing within the limit of a call, or it has ended.
    """
    deadline = limits.clock() + limits.call
    while not receiver.poll(_POLL_SECONDS):
        if limits.clock() > deadline:
            raise _WorkerLostError(FindingKind.HANGS)
    try:
        return receiver.recv()
    except EOFError:
        raise _WorkerLostError(FindingKind.EXITS) from None


@contextmanager
def _worker(path: Path, names: Sequence[str]) -> Iterator[Connection]:
    """Start a worker that checks functions in turn, and kill it at the end of the context."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(
        target=run_worker, args=(str(path), tuple(names), sender), daemon=True
    )
    process.start()
    sender.close()
    try:
        yield receiver
    finally:
        process.kill()
        process.join()
        receiver.close()
