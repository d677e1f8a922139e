"""Judges a learner's file in a child process, which it may block or crash.

This is no sandbox: the file is the learner's own and runs with the learner's permissions.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import NAMES, boards_of
from engine.check.finding import Finding, FindingKind
from engine.check.worker import Answer, Loaded, answer
from engine.grid import Mark

_LARGE = 7
"""With this many free cells or more, a plain minimax may legitimately be slow."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds a call may take, and all calls of one function together."""

    call: float = 10
    function: float = 60


@dataclass(slots=True)
class FunctionReport:
    """What was found out about one function, on the first `judged` of its boards.

    `findings` has the first finding of each kind and family, and on how many boards it was. `calls`
    is how often `minimax` called `result` for `largest`, the last unfinished board that was judged.
    `wrong_for` has the players to move on boards where something is wrong.
    """

    name: str
    judged: int = 0
    findings: dict[tuple[FindingKind, str], tuple[Finding, int]] = field(default_factory=dict)
    calls: int = 0
    largest: Board | None = None
    wrong_for: set[Mark] = field(default_factory=set)

    def add(self, finding: Finding) -> None:
        key = finding.kind, finding.family
        first, count = self.findings.get(key, (finding, 0))
        self.findings[key] = first, count + 1
        if finding.kind.is_fault and finding.board is not None:
            self.wrong_for.add(finding.board.to_move)

    @property
    def boards_total(self) -> int:
        return len(boards_of(self.name)) if self.name in NAMES else 0

    @property
    def ran_out_of_time(self) -> bool:
        """Whether all calls together took too long, though no single one did."""
        lost = {FindingKind.HANGS, FindingKind.SLOW, FindingKind.EXITS}
        return self.judged < self.boards_total and not any(
            kind in lost for kind, _ in self.findings
        )

    @property
    def is_wrong(self) -> bool:
        return any(kind.is_fault for kind, _ in self.findings)


class _LostError(Exception):
    """The process hangs or is gone."""

    def __init__(self, kind: FindingKind) -> None:
        super().__init__(kind)
        self.kind = kind


Progress = Callable[[str, int, int], None]
"""A callback: the function's name, how many of its boards are judged, and how many it has."""


def judge(path: Path, limits: TimeLimits, progress: Progress) -> Iterator[FunctionReport]:
    """Judge a file, function by function. The first judgement, named "", is of the file itself.

    When the process hangs or ends, another one goes on with the next function.
    """
    names: list[str] | None = None
    while names is None or names:
        with _process(path, names or NAMES) as answers:
            try:
                loaded: Loaded = _receive(answers, limits.call)
            except _LostError as lost:
                yield _whole_file(Loaded(findings=(Finding(lost.kind),)))
                return
            if names is None:
                names = [name for name in NAMES if name not in loaded.missing]
                yield _whole_file(loaded)
            if not loaded.is_usable:
                return
            while names:
                judgement, is_alive = _judge(names.pop(0), answers, limits, progress)
                yield judgement
                if not is_alive:
                    break


def _whole_file(loaded: Loaded) -> FunctionReport:
    judgement = FunctionReport("")
    for finding in loaded.findings:
        judgement.add(finding)
    return judgement


def _judge(
    name: str, answers: Connection, limits: TimeLimits, progress: Progress
) -> tuple[FunctionReport, bool]:
    """Collect the answers about a function; also return whether the process is still usable."""
    judgement, deadline = FunctionReport(name), time.monotonic() + limits.function
    for board in boards_of(name):
        progress(name, judgement.judged, judgement.boards_total)
        if time.monotonic() > deadline:
            return judgement, False
        try:
            answer: Answer = _receive(answers, limits.call)
        except _LostError as lost:
            judgement.add(Finding(_kind_of_loss(lost.kind, name, board), board))
            return judgement, False
        judgement.judged += 1
        if not board.is_terminal:
            judgement.calls, judgement.largest = answer.calls, board
        firsts = {(found.kind, found.family): found for found in reversed(answer.findings)}
        for finding in firsts.values():
            judgement.add(finding)
    return judgement, True


def _kind_of_loss(kind: FindingKind, name: str, board: Board) -> FindingKind:
    may_be_slow = name == "minimax" and len(board.actions()) >= _LARGE
    return FindingKind.SLOW if kind is FindingKind.HANGS and may_be_slow else kind


def _receive(answers: Connection, seconds: float) -> Any:
    """What the process sends next.

    Raises:
        _LostError: It sent nothing within `seconds`, or it is gone.
    """
    if not answers.poll(seconds):
        raise _LostError(FindingKind.HANGS)
    try:
        return answers.recv()
    except EOFError:
        raise _LostError(FindingKind.EXITS) from None


@contextmanager
def _process(path: Path, names: Sequence[str]) -> Iterator[Connection]:
    """Start a process that judges functions in turn, and kill it at the end of the context."""
    context = multiprocessing.get_context("spawn")
    answers, sender = context.Pipe(duplex=False)
    process = context.Process(target=answer, args=(str(path), tuple(names), sender), daemon=True)
    process.start()
    sender.close()
    try:
        yield answers
    finally:
        process.kill()
        process.join()
        answers.close()
