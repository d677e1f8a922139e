"""A program in any language, by the command that starts it.

It reads boards such as `xo.......`, a line each, and answers each with a cell from 0 to 8, row by
row, on a line that it flushes. Only its moves are judged. Its seconds are those of a clock.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from engine.board import Board
from engine.check.checks import OUR_SYMBOLS, boards_for, move_of, to_action
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.learner import LearnerFile, TimeLimits
from engine.check.process import (
    Answer,
    Answering,
    CallResult,
    Loaded,
    Said,
    WorkerLostError,
    drawing_of,
    end,
)
from engine.check.report import FunctionReport
from engine.check.runner import Progress, check_function
from engine.rules import Cell

_NAME = "minimax"
_POLL_SECONDS = 0.1
_MAX_LINE = 200
_ERROR = re.compile("error|exception|panic", re.IGNORECASE)


def words_of(command: str) -> list[str] | None:
    """The program of a command, with its folder, and its arguments; None if there is none."""
    is_windows = os.name == "nt"  # where a backslash separates folders
    try:
        words = shlex.split(command, posix=not is_windows)
    except ValueError:  # a quotation that isn't closed
        return None
    program = shutil.which(words[0].strip('"')) if words else None
    return None if program is None else [program, *(word.strip('"') for word in words[1:])]


class Command(LearnerFile):
    """A command, in the place of a file; its `path` is a name for it, without folders."""

    def __init__(self, words: Sequence[str], limits: TimeLimits) -> None:
        program, *others = map(Path, words)
        super().__init__(Path(" ".join([program.stem, *(each.name for each in others)])), limits)
        self.words = words

    @cached_property
    def source(self) -> str:
        return ""  # there is nothing to change, to find a cause

    def boards_for(self, name: str) -> Sequence[Board]:
        """The boards that it is asked about: those on which it can move."""
        return [board for board in boards_for(name) if not board.is_terminal]

    @contextmanager
    def fresh(
        self,
        replaced: Sequence[str] = (),  # noqa: ARG002 - it has no functions
        source: str | None = None,  # noqa: ARG002 - nor a source
    ) -> Iterator[tuple[Answering, Loaded]]:
        """A fresh process.

        Raises:
            WorkerLostError: It can't be started.
        """
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(  # noqa: S603 - it runs what it was asked to have judged
                    self.words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    start_new_session=True,  # an interrupt in the terminal is for us
                )
            except OSError as error:
                raise WorkerLostError(FindingKind.EXITS, text=str(error)) from None
            asked = _Process(process, errors)
            try:
                yield asked, Loaded({}, {}, (), "")
            finally:
                end(process, asked.reader)


class _Process:
    """A process of a program; it takes the place of a `Worker`."""

    def __init__(self, process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
        self._process = process
        self._errors = errors
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def answers(
        self, name: str, boards: Sequence[Board], *_: object, **__: object
    ) -> Iterator[Callable[..., Answer]]:
        """For each board in turn a function that asks for its move, as a `Worker` has."""
        if name != _NAME:
            raise WorkerLostError(FindingKind.MISSING)
        for board in boards:
            yield partial(self._answer, board)

    def _answer(
        self, board: Board, limit: float, while_waiting: Callable[[], None] = lambda: None
    ) -> Answer:
        started = time.monotonic()
        assert self._process.stdin is not None, "it is a pipe"
        with suppress(OSError):  # then it has ended, as is seen below
            self._process.stdin.write(drawing_of(board).encode() + b"\n")
            self._process.stdin.flush()
        while True:
            try:
                line = self._lines.get(timeout=max(0, min(limit, _POLL_SECONDS)))
            except Empty:
                if time.monotonic() - started > limit:
                    raise WorkerLostError(FindingKind.HANGS) from None
                while_waiting()
            else:
                break
        if not line:
            raise WorkerLostError(FindingKind.EXITS, text=self._last_error())
        text = line.decode(errors="replace").strip()
        is_cell = text.isdecimal() and text.isascii() and int(text) in board.rules.cells
        value = to_action(int(text)) if is_cell else text
        return Answer(Said((CallResult(value),), ""), seconds=time.monotonic() - started)

    def _read(self) -> None:
        assert self._process.stdout is not None, "it is a pipe"
        line = b"\n"
        while line:
            with suppress(OSError, ValueError):
                line = self._process.stdout.readline(_MAX_LINE)
                self._lines.put(line)

    def _last_error(self) -> str:
        """The last line on stderr that speaks of an error, or else the last of all."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        written = self._errors.read().decode(errors="replace").splitlines()
        lines = [line.strip()[:_MAX_LINE] for line in written if line.strip()]
        errors = [line for line in lines if _ERROR.search(line)]
        return ["", *lines, *errors][-1]


def check_command(command: Command, progress: Progress) -> Iterator[FunctionReport]:
    """Check the moves of a program. The first report, named "", is on the command."""
    yield FunctionReport("")
    report = FunctionReport(_NAME)
    check_function(command, progress, report, OUR_SYMBOLS)
    report.cold_calls = None
    yield report


@contextmanager
def command_player(command: Command) -> Iterator[Callable[[Board], Cell]]:
    """A function that asks the program for a move on an unfinished board.

    Raises:
        FindingError: It can't be started, or its move is none.
    """
    try:
        with command.fresh() as (process, _):

            def choose(board: Board) -> Cell:
                (ask,) = process.answers(_NAME, [board])
                try:
                    answer = ask(command.limits.call)
                except WorkerLostError as lost:
                    raise FindingError(Finding(lost.kind, board, lost.text)) from None
                return move_of(board, answer.said, OUR_SYMBOLS)

            yield choose
    except WorkerLostError as lost:
        raise FindingError(Finding(lost.kind, got=lost.text)) from None
