"""The worker process that runs a learner's file."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType

from engine.check.checks import CONSTANTS, FUNCTION_NAMES, LearnerModule, boards_for
from engine.check.finding import Finding, FindingKind


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


def run_worker(path: str, names: Sequence[str], sender: Connection) -> None:
    """Import the file, send a `LoadResult`, then a `BoardResult` per board of each function."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    output = _capture_output()
    module, loaded = _load(path)
    sender.send(loaded)
    if loaded.is_usable:
        learner = LearnerModule(module)
        for name in names:
            if name not in loaded.missing:
                _check_function(learner, name, output, sender)
    os._exit(0)  # even if the file has left threads running


def _check_function(learner: LearnerModule, name: str, output: _Output, sender: Connection) -> None:
    calls = _CallCounter()
    if name == "minimax" and hasattr(learner.module, "result"):
        learner.module.result = calls.wrap(learner.module.result)
    for board in boards_for(name):
        calls.count = 0
        findings = learner.check(name, board)
        if output.text:
            findings.append(Finding(FindingKind.PRINTS, board, output.text))
            output.text = ""
        sender.send(BoardResult(tuple(findings), calls.count))


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


def _load(path: str) -> tuple[ModuleType, LoadResult]:
    sys.path.insert(0, str(Path(path).parent))
    sys.argv = [path]
    sys.dont_write_bytecode = True
    loader = SourceFileLoader(Path(path).stem, path)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    try:
        loader.exec_module(module)
    except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
        finding = LearnerModule(module).raised(error, None)
        return module, LoadResult(findings=(finding,), is_usable=False)
    missing = tuple(name for name in FUNCTION_NAMES if not callable(getattr(module, name, None)))
    missing_constants = [name for name in CONSTANTS if not hasattr(module, name)]
    findings = [
        Finding(FindingKind.MISSING, got=name, family=name)
        for name in (*missing_constants, *missing)
    ]
    symbols = LearnerModule(module).symbols.values()
    if any(one == other for one, other in combinations(symbols, 2)):
        findings.append(Finding(FindingKind.SAME_CONSTANTS))
        return module, LoadResult(missing, tuple(findings), is_usable=False)
    return module, LoadResult(missing, tuple(findings))


class _CallCounter:
    """Counts the calls of a function, those by its own module included."""

    def __init__(self) -> None:
        self.count = 0

    def wrap(self, function: Callable[..., object]) -> Callable[..., object]:
        def counted(*args: object, **kwargs: object) -> object:
            self.count += 1
            return function(*args, **kwargs)

        return counted
