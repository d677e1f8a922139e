"""The worker process that runs a learner's file."""

from __future__ import annotations

import io
import os
import signal
import sys
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES, boards_for, check_board
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.learner_module import CONSTANTS, LearnerModule
from engine.rules import Cell

_MAX_FORKS = 16
_MIN_LIKENESS = 0.75
"""From 0 to 1: how like a name another must be to be taken for it misspelt."""


Send = Callable[[object], None]
"""A function that sends a message to the parent process."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Which functions the file lacks, and the findings of its import."""

    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_usable: bool = True


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The findings on one board; `result_calls` is how often `minimax` called `result`."""

    findings: tuple[Finding, ...]
    result_calls: int


def run_checks(path: str, connection: Connection, names: Sequence[str]) -> None:
    """Import the file, send a `LoadResult`, then a `BoardResult` per board of each function."""
    with _isolated(connection) as (output, send):
        module, loaded = _load(path, names)
        send(loaded)
        if not loaded.is_usable:
            return
        learner = LearnerModule(module)
        for name in names:
            if name not in loaded.missing:
                _check_function(learner, name, output, send)


def run_player(path: str, connection: Connection) -> None:
    """Import the file, send a `LoadResult`; then answer each `Board` with a cell or a `Finding`."""
    with _isolated(connection) as (_, send):
        module, loaded = _load(path, ("minimax",))
        send(loaded)
        learner = LearnerModule(module)
        while True:
            board = connection.recv()
            send(_move(learner, board))


def _check_function(learner: LearnerModule, name: str, output: _Output, send: Send) -> None:
    calls = _CallCounter()
    if name == "minimax" and hasattr(learner.module, "result"):
        learner.module.result = calls.wrap(learner.module.result)
    for board in boards_for(name):
        calls.count = 0
        findings = check_board(learner, name, board)
        if output.text:
            findings.append(Finding(FindingKind.PRINTS, board, output.text))
            output.text = ""
        send(BoardResult(tuple(findings), calls.count))


class _CallCounter:
    """Counts the calls of a function, those by its own module included."""

    def __init__(self) -> None:
        self.count = 0

    def wrap(self, function: Callable[..., object]) -> Callable[..., object]:
        def counted(*args: object, **kwargs: object) -> object:
            self.count += 1
            return function(*args, **kwargs)

        return counted


def _move(learner: LearnerModule, board: Board) -> Cell | Finding:
    try:
        return learner.choose(board)
    except FindingError as error:
        return error.finding
    except BaseException as error:  # noqa: BLE001 - methods of a returned object may do anything
        return learner.error_finding(error, board)


def _load(path: str, names: Sequence[str]) -> tuple[ModuleType, LoadResult]:
    """Import the file, and find out which of these functions it lacks."""
    sys.path.insert(0, str(Path(path).parent))
    sys.argv = [path]
    sys.dont_write_bytecode = True
    loader = SourceFileLoader(Path(path).stem, path)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    if (line := _first_line_not_utf8(path)) is not None:
        return module, _unusable(Finding(FindingKind.NOT_UTF8, got=str(line)))
    try:
        loader.exec_module(module)
    except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
        return module, _unusable(LearnerModule(module).error_finding(error, None))
    return module, _inspect(module, names)


def _unusable(finding: Finding) -> LoadResult:
    return LoadResult(findings=(finding,), is_usable=False)


def _inspect(module: ModuleType, names: Sequence[str]) -> LoadResult:
    """Which of these functions and of the constants a module lacks."""
    missing = tuple(name for name in names if not callable(getattr(module, name, None)))
    if missing == FUNCTION_NAMES:
        finding = Finding(FindingKind.NOTHING_DEFINED, got=", ".join(FUNCTION_NAMES))
        return LoadResult(missing, (finding,), is_usable=False)
    missing_constants = [name for name in CONSTANTS if not hasattr(module, name)]
    findings = [_missing_finding(name, module) for name in (*missing_constants, *missing)]
    symbols = LearnerModule(module).symbols.values()
    has_equal_symbols = any(first == second for first, second in combinations(symbols, 2))
    if has_equal_symbols:
        findings.append(Finding(FindingKind.SAME_CONSTANTS))
    return LoadResult(missing, tuple(findings), is_usable=not has_equal_symbols)


def _missing_finding(name: str, module: ModuleType) -> Finding:
    """The finding that a name is missing, with the name that may be meant for it."""
    expects_function = name in FUNCTION_NAMES
    others = {
        other.lower(): other
        for other, value in vars(module).items()
        if other not in FUNCTION_NAMES and callable(value) is expects_function
    }
    close = get_close_matches(name.lower(), others, n=1, cutoff=_MIN_LIKENESS)
    if close:
        return Finding(FindingKind.MISNAMED, got=name, expected=others[close[0]], family=name)
    return Finding(FindingKind.MISSING, got=name, family=name)


def _first_line_not_utf8(path: str) -> int | None:
    """The number of the first line that is not UTF-8, unless the file declares an encoding."""
    source = Path(path).read_bytes()
    for number, line in enumerate(source.split(b"\n"), start=1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return None if _declares_encoding(source) else number
    return None


def _declares_encoding(source: bytes) -> bool:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:
        return False
    return encoding != "utf-8"


@contextmanager
def _isolated(connection: Connection) -> Iterator[tuple[_Output, Send]]:
    """Run in a process group of its own, off the terminal, and end the process afterwards.

    The context yields what the file prints, and a function that sends messages to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    _limit_forks()
    process_id = os.getpid()

    def send(message: object) -> None:
        if os.getpid() != process_id:  # this is a child that the file has forked
            os._exit(0)
        connection.send(message)

    try:
        yield _capture_output(), send
    except (EOFError, OSError):
        pass  # the parent process has gone
    finally:
        os._exit(0)  # even if the file has left threads running


def _limit_forks() -> None:
    """Let the file fork a few times, and its children never, so that it cannot fill the machine."""
    if not hasattr(os, "fork"):
        return
    fork = os.fork
    forks_left = _MAX_FORKS

    def limited_fork() -> int:
        nonlocal forks_left
        if not forks_left:
            raise BlockingIOError("too many processes")
        forks_left -= 1
        child_id = fork()
        if child_id == 0:
            forks_left = 0
        return child_id

    os.fork = limited_fork


class _Output(io.TextIOBase):
    """A stream that keeps only the beginning of what is printed."""

    text = ""

    def write(self, text: str, /) -> int:
        self.text = self.text or text.strip()[:40]
        return len(text)


def _capture_output() -> _Output:
    """Keep everything that the file prints off the terminal."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(devnull, descriptor)
    output = _Output()
    sys.stdout = sys.stderr = output
    return output
