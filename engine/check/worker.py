"""The child process that runs a learner's file."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType

from engine.check.checks import CONSTANTS, NAMES, LearnerModule, boards_of
from engine.check.finding import Finding, FindingKind


@dataclass(frozen=True, slots=True)
class Loaded:
    """Which functions the file lacks, and what was found when it was imported."""

    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_usable: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    findings: tuple[Finding, ...]
    calls: int


def answer(path: str, names: Sequence[str], sender: Connection) -> None:
    """Run in the child process: import the file, send a `Loaded`, then an `Answer` per board."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    printed = _silence()
    module, loaded = _load(path)
    sender.send(loaded)
    course = LearnerModule(module)
    for name in names if loaded.is_usable else ():
        if name not in loaded.missing:
            calls = _count(module, "result") if name == "minimax" else [0]
            for board in boards_of(name):
                calls[0] = 0
                findings = course.judge(name, board)
                if printed.text:
                    findings.append(Finding(FindingKind.PRINTS, board, printed.text))
                    printed.text = ""
                sender.send(Answer(tuple(findings), calls[0]))
    os._exit(0)  # even if the file has left threads running


class _Printed(io.TextIOBase):
    """A stream that keeps only the beginning of what is printed."""

    text = ""

    def write(self, text: str, /) -> int:
        self.text = self.text or text.strip()[:40]
        return len(text)


def _silence() -> _Printed:
    """Keep all that the file prints off the terminal."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    printed = _Printed()
    sys.stdout = sys.stderr = printed
    return printed


def _load(path: str) -> tuple[ModuleType, Loaded]:
    sys.path.insert(0, str(Path(path).parent))
    sys.argv, sys.dont_write_bytecode = [path], True
    loader = SourceFileLoader(Path(path).stem, path)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    try:
        loader.exec_module(module)
    except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
        raised = LearnerModule(module).raised(error, None)
        return module, Loaded(findings=(raised,), is_usable=False)
    missing = tuple(name for name in NAMES if not callable(getattr(module, name, None)))
    constants = [name for name in CONSTANTS if not hasattr(module, name)]
    findings = [
        Finding(FindingKind.MISSING, got=name, family=name) for name in (*constants, *missing)
    ]
    symbols = list(LearnerModule(module).symbols.values())
    if any(one == other for one, other in combinations(symbols, 2)):
        return module, Loaded(missing, (*findings, Finding(FindingKind.SAME)), is_usable=False)
    return module, Loaded(missing, tuple(findings))


def _count(module: ModuleType, name: str) -> list[int]:
    """Count the calls of a function of the file, those by the file itself included."""
    calls = [0]
    if hasattr(module, name):
        function = getattr(module, name)

        def counted(*arguments: object, **named: object) -> object:
            calls[0] += 1
            return function(*arguments, **named)

        setattr(module, name, counted)
    return calls
