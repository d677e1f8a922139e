"""A learner's file, which every process imports anew."""

from __future__ import annotations

import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.board import Board
from engine.check.checks import boards_for
from engine.check.process import Answering, Loaded, running

MIN_HANG_SECONDS = 1
"""A call that was given less time than this is not said to hang."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds a call may take, and all calls of one function together.

    They are what `clock` makes of the CPU time of a process. Games have `games` seconds on top.
    Once a function is known to be wrong, and has had `wrong_function` seconds, only boards with as
    many free cells are judged, and games are played only until one is lost: more would only raise
    the counts. Boards with more than `free_cells` are left out, and with them the games, which
    begin on the empty board.
    """

    call: float = 10
    function: float = 60
    wrong_function: float = 1.5
    games: float = 30
    clock: Callable[[float], float] = float
    free_cells: int = 9


@dataclass
class LearnerFile:
    """A learner's file, and how long it may take; with `own`, it finds no engine."""

    path: Path
    limits: TimeLimits
    own: bool = False

    def boards_for(self, name: str) -> Sequence[Board]:
        """The boards that a function is asked about."""
        return boards_for(name)

    def load(self, source: str | None = None) -> Loaded:
        """What the file defines, or other code in its place.

        Raises:
            WorkerLostError: The import hangs, or ends the process.
        """
        with self.fresh(source=source) as (_, loaded):
            return loaded

    @cached_property
    def source(self) -> str:
        with tokenize.open(self.path) as file:
            return file.read()

    @contextmanager
    def fresh(
        self, replaced: Sequence[str] = (), source: str | None = None
    ) -> Iterator[tuple[Answering, Loaded]]:
        """A fresh process that has imported the file, or other code in its place.

        Raises:
            WorkerLostError: The import hangs, or ends the process.
        """
        limits = self.limits
        path, own = self.path, self.own
        with running(path, limits.clock, own=own, replaced=replaced, source=source) as worker:
            loaded = worker.loaded(max(limits.call, MIN_HANG_SECONDS))
            yield worker, loaded
