"""What the bot thinks about at length, and where: in processes without Discord or database.

Moves have a process to themselves, so that no lesson delays one. What was said of a position is
remembered: whoever asks for it again, or meanwhile, takes nobody's time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from async_lru import alru_cache

from bot.service.pool import Limits, Pool, Queue
from engine import Board, Cell, Level, Rules, choose_move, costs

Result = TypeVar("Result")

MOVES = Limits(waiting=200, waiting_seconds=10, thinking_seconds=10)
LESSONS = Limits(waiting=30, waiting_seconds=10, thinking_seconds=15)
"""The longest search known takes 0.6 s, and the longest lesson two seconds."""

_LONG_LESSONS = (costs,)
"""What takes a second or more: one at a time, so that others come in between."""

_REMEMBERED = 300
"""Judgements; that of a whole game on 5x5 takes some 15 KB, which makes 5 MB at most."""

_NICENESS = 10


def is_move_quick(board: Board) -> bool:
    """Whether a move is found in a few milliseconds: on 3x3, and on any board that is empty.

    (The first of the infinite game takes half a second, once.)
    """
    return board.rules.is_quick or not board.x


class EnginePool:
    """Two processes: one for moves, one for lessons, which give way to moves."""

    def __init__(
        self, rng: random.Random, *, moves: Limits = MOVES, lessons: Limits = LESSONS
    ) -> None:
        self._rng = rng
        self._moves = Pool("moves", moves)
        self._lessons = Pool("lessons", lessons, niceness=_NICENESS)
        self._long_lessons = Queue("long lessons", lessons)
        self._remembered = alru_cache(maxsize=_REMEMBERED)(self._lesson)

    @property
    def queues(self) -> dict[str, Queue]:
        """Where people wait, by what they wait for."""
        return {
            "moves": self._moves.queue,
            "lessons": self._lessons.queue,
            "long lessons": self._long_lessons,
        }

    async def choose(self, board: Board, level: Level) -> Cell:
        """A move for the player to move, as `level` would choose it.

        Raises:
            TooBusyError: There is too much to think about just now.
            LeavingError: The bot is leaving.
        """
        chance = random.Random(self._rng.getrandbits(64))
        return await self._moves.do(choose_move, board, level, chance)

    async def judge(self, rules: Rules, judgement: Callable[..., Result], *given: Any) -> Result:
        """What a function of the engine says of a position: as a lesson, where that is not quick.

        Raises:
            TooBusyError: There is too much to think about just now.
            LeavingError: The bot is leaving.
        """
        if rules.is_quick:
            return judgement(*given)
        return await self.think(judgement, *given)

    async def think(self, lesson: Callable[..., Result], *given: Any) -> Result:
        """What a function comes to; what it is given is what it is remembered by.

        Raises:
            TooBusyError: There is too much to think about just now.
            LeavingError: The bot is leaving.
        """
        said: Result = await self._remembered(lesson, *given)
        return said

    async def _lesson(self, lesson: Callable[..., Any], *given: Any) -> Any:
        if lesson not in _LONG_LESSONS:
            return await self._lessons.do(lesson, *given)
        await self._long_lessons.acquire()
        try:
            return await self._lessons.do(lesson, *given)
        finally:
            self._long_lessons.release()

    def close(self) -> None:
        """Begin nothing more, and let the processes go."""
        self._moves.close()
        self._lessons.close()
