"""Where the bot thinks at length: in processes of its own, which import the engine and no more.

Measured on two cores while the hardest position known was searched: in a thread the event loop was
late by 5 ms on average (30 ms with four at once), because a thread that computes gives way only
every 5 ms; beside a process by 0.1 ms. A process takes 0.1 s to start, and starts when needed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

from bot.threads import NoAnswerInTimeError
from engine import Board, Cell, Level, Rules, choose_move

Given = ParamSpec("Given")
Result = TypeVar("Result")

_Pool = ProcessPoolExecutor | ThreadPoolExecutor

_QUICK_CELLS = 9

_log = logging.getLogger(__name__)


def is_quick(board: Board) -> bool:
    """Whether a move is found in a few milliseconds: on 3x3, and on any board that is empty."""
    return _is_small(board.rules) or not board.x


def _is_small(rules: Rules) -> bool:
    return len(rules.cells) <= _QUICK_CELLS


class Mind:
    """Two processes: one for moves and what they were worth, one for what may take seconds."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._moves = _Worker()
        self._lessons = _Worker()

    async def choose(self, board: Board, level: Level) -> Cell:
        """A move for the player to move, as `level` would choose it.

        Raises:
            NoAnswerInTimeError: The bot is leaving.
        """
        chance = random.Random(self._rng.getrandbits(64))
        return await self._moves.do(choose_move, board, level, chance)

    async def judge(
        self,
        rules: Rules,
        judgement: Callable[Given, Result],
        *given: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """What a function of the engine says of a position: on 3x3 at once, else as a move is."""
        if _is_small(rules):
            return judgement(*given, **options)
        return await self._moves.do(judgement, *given, **options)

    async def think(
        self, lesson: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """What a function says that may take seconds; what it is given has to be picklable."""
        return await self._lessons.do(lesson, *given, **options)

    def close(self) -> None:
        """Begin nothing more, and let the processes go."""
        self._moves.close()
        self._lessons.close()


class _Worker:
    """One process; or a thread, on a system that has no process to give."""

    def __init__(self) -> None:
        self._pool: _Pool | None = None
        self._is_closed = False

    async def do(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        try:
            return await self._ask(work, *given, **options)
        except BrokenProcessPool:  # it was killed, by a lack of memory perhaps
            return await self._ask(work, *given, **options)

    async def _ask(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        if self._is_closed:
            raise NoAnswerInTimeError("the bot is leaving")
        pool = self._pool = self._pool or _new_pool()
        try:
            return await asyncio.wrap_future(pool.submit(work, *given, **options))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise
        except asyncio.CancelledError:
            if self._is_closed:
                raise NoAnswerInTimeError("the bot is leaving") from None
            raise

    def close(self) -> None:
        """Leave at once: a thought under way has nobody left to answer."""
        self._is_closed = True
        if self._pool is not None:
            _end(self._pool)


def _new_pool() -> _Pool:
    process = None
    try:
        process = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_live_and_die)
        process.submit(int)  # it starts with its first work, if at all
    except (OSError, ImportError, RuntimeError) as error:  # no semaphore, process or thread
        _log.warning("No process can be started to think in, so a thread must do: %s", error)
        if process is not None:
            _end(process)
        return ThreadPoolExecutor(1)
    return process


def _end(pool: _Pool) -> None:
    processes = list((getattr(pool, "_processes", None) or {}).values())  # no other way
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def _live_and_die() -> None:
    """Leave Ctrl-C to the bot, and do not outlive it, whatever ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    bot = parent_process()
    assert bot is not None, "a worker has a parent"
    bot.join()
    os._exit(0)
