"""Runs the engine's long computations in processes without Discord or database.

Moves have a process to themselves, so that no lesson delays one. Lessons are cached: asking for one
again, or while it is being computed, takes no further time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from async_lru import alru_cache

from bot.services.worker import BoundedLock, QueueLimits, WorkerProcess
from engine import Board, Cell, Level, Rules, choose_move, search_each_way

Result = TypeVar("Result")

MOVES = QueueLimits(waiting=200, wait_seconds=10, run_seconds=10)

LESSONS = QueueLimits(waiting=30, wait_seconds=10, run_seconds=15)
"""The longest search known takes 0.6 s, and the longest lesson two seconds."""

_LONG_LESSONS = (search_each_way,)
"""Lessons of a second or more: one at a time joins the queue, so that others come in between."""

_CACHE_SIZE = 300
"""Cached lessons; the review of a whole game on 5x5 takes some 15 KB, which makes 5 MB at most."""

_NICENESS = 10


def is_move_quick(board: Board) -> bool:
    """Whether a move is found in a few milliseconds: on 3x3, and on any board that is empty.

    (The first move of the infinite game takes half a second, once.)
    """
    return board.rules.is_small or not board.x


class EnginePool:
    """Two processes: one for moves, and one for lessons, with a lower priority."""

    def __init__(
        self, rng: random.Random, *, moves: QueueLimits = MOVES, lessons: QueueLimits = LESSONS
    ) -> None:
        self._rng = rng
        self._moves = WorkerProcess("moves", moves)
        self._lessons = WorkerProcess("lessons", lessons, niceness=_NICENESS)
        self._long_lessons = BoundedLock("long lessons", lessons)
        self._remembered = alru_cache(maxsize=_CACHE_SIZE)(self._lesson)

    @property
    def queues(self) -> dict[str, BoundedLock]:
        """The queues that people wait in, by what they wait for."""
        return {
            "moves": self._moves.queue,
            "lessons": self._lessons.queue,
            "long lessons": self._long_lessons,
        }

    async def choose(self, board: Board, level: Level) -> Cell:
        """A move for the player to move, as `level` would choose it.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        chance = random.Random(self._rng.getrandbits(64))
        return await self._moves.run(choose_move, board, level, chance)

    async def run_unless_quick(
        self, rules: Rules, judgement: Callable[..., Result], *given: Any
    ) -> Result:
        """Call a function of the engine: at once where the rules are quick, else as a lesson.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        if rules.is_small:
            return judgement(*given)
        return await self.run(judgement, *given)

    async def run(self, lesson: Callable[..., Result], *given: Any) -> Result:
        """Call a function as a lesson, in a process; the cache's key is the function and arguments.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        said: Result = await self._remembered(lesson, *given)
        return said

    async def _lesson(self, lesson: Callable[..., Any], *given: Any) -> Any:
        if lesson not in _LONG_LESSONS:
            return await self._lessons.run(lesson, *given)
        await self._long_lessons.acquire()
        try:
            return await self._lessons.run(lesson, *given)
        finally:
            self._long_lessons.release()

    def close(self) -> None:
        """Take no more work, and end the processes."""
        self._moves.close()
        self._lessons.close()
