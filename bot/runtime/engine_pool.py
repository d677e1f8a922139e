"""The engine's long computations, run in worker processes.

Moves have a process to themselves, so that no lesson delays one. Lessons are cached: asking for one
again, or while it is being computed, takes no further time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from async_lru import alru_cache

from bot.domain.matches import BOARDS
from bot.runtime.bounded_lock import BoundedLock, QueueLimits
from bot.runtime.worker_process import WorkerProcess
from engine import (
    Board,
    Cell,
    Level,
    Record,
    Rules,
    Verdict,
    advise,
    best_reply,
    choose_move,
    line_of_play,
    refutation,
    review,
    trace,
)

Result = TypeVar("Result")

MOVES = QueueLimits(max_waiting=200, wait_seconds=10, run_seconds=10)

LESSONS = QueueLimits(max_waiting=30, wait_seconds=10, run_seconds=15, niceness=10)
"""The longest known search takes 0.6 s, and the longest lesson 5 s."""

_LONG_LESSONS = (trace,)
"""Lessons of a second or more: only one at a time joins the queue, so that others are not delayed
by several."""

_CACHE_SIZE = 300
"""Cached lessons; the review of a whole game on 5x5 takes some 15 KB, which makes 5 MB at most."""

_WARM_PLIES = 2


def is_move_quick(board: Board) -> bool:
    """Whether choosing a move takes a few milliseconds at most, once `warm_up` was called."""
    return board.rules.is_small


def warm_up() -> None:
    """Fill the caches for moves on small boards, at the level that takes the longest to choose.

    After two plies little is left to compute.
    """
    for rules in filter(lambda rules: rules.is_small, BOARDS):
        boards = [Board(rules)]
        for board in boards:  # grows during the loop
            choose_move(board, Level.IMPOSSIBLE, random.Random())
            if board.plies < _WARM_PLIES:
                children = {child.key: child for child in map(board.result, board.actions())}
                boards += children.values()


class EnginePool:
    """Two processes: one for moves, and one for lessons, with a lower priority.

    Every coroutine raises UnavailableError if the engine is overloaded, or the bot is shutting
    down.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        moves: QueueLimits = MOVES,
        lessons: QueueLimits = LESSONS,
        worker_class: type[WorkerProcess] = WorkerProcess,
    ) -> None:
        self._rng = rng
        self._moves = worker_class("moves", moves)
        self._lessons = worker_class("lessons", lessons)
        self._long_lessons = BoundedLock("long lessons", lessons)
        self._cached_lesson = alru_cache(maxsize=_CACHE_SIZE)(self._run_lesson)

    @property
    def queues(self) -> dict[str, BoundedLock]:
        """The queues, by what people wait for in them."""
        return {
            "moves": self._moves.queue,
            "lessons": self._lessons.queue,
            "long lessons": self._long_lessons,
        }

    @property
    def process_ids(self) -> dict[str, list[int]]:
        """The processes that have started, by what they do."""
        return {"moves": self._moves.process_ids, "lessons": self._lessons.process_ids}

    async def choose(self, board: Board, level: Level) -> Cell:
        """A move for the player to move, as `level` would choose it."""
        move_rng = random.Random(self._rng.getrandbits(64))
        return await self._moves.run(choose_move, board, level, move_rng)

    async def advise(self, board: Board) -> list[Verdict]:
        """`engine.advise`, without a process on 3x3, where it is quick."""
        return await self._run_unless_small(board.rules, advise, board)

    async def verdict_on(self, board: Board, action: Cell) -> Verdict:
        """The verdict on one possible move, as `advise` has it."""
        return next(verdict for verdict in await self.advise(board) if verdict.action == action)

    async def best_reply(self, board: Board, action: Cell) -> Verdict | None:
        """`engine.best_reply`, without a process on 3x3."""
        return await self._run_unless_small(board.rules, best_reply, board, action)

    async def line_of_play(self, verdict: Verdict) -> Sequence[Cell]:
        """`engine.line_of_play`; most verdicts need none."""
        if verdict.cause is None or verdict.cause.cells:
            return ()
        return await self._run_unless_small(verdict.board.rules, line_of_play, verdict)

    async def refutation(self, verdict: Verdict, played: Cell | None, plies: int) -> list[Verdict]:
        """`engine.refutation`, without a process on 3x3."""
        rules = verdict.board.rules
        return await self._run_unless_small(rules, refutation, verdict, played, plies)

    async def review(self, record: Record) -> list[Verdict]:
        """`engine.review`, without a process on 3x3."""
        return await self._run_unless_small(record.rules, review, record.moves, record.rules)

    async def run(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function in the process for lessons; cached by the function and its arguments."""
        result: Result = await self._cached_lesson(function, *args)
        return result

    async def _run_unless_small(
        self, rules: Rules, function: Callable[..., Result], *args: Any
    ) -> Result:
        return function(*args) if rules.is_small else await self.run(function, *args)

    async def _run_lesson(self, function: Callable[..., Any], *args: Any) -> Any:
        if function not in _LONG_LESSONS:
            return await self._lessons.run(function, *args)
        await self._long_lessons.acquire()
        try:
            return await self._lessons.run(function, *args)
        finally:
            self._long_lessons.release()

    def close(self) -> None:
        """Take no more jobs, and kill the processes."""
        self._moves.close()
        self._lessons.close()
