"""Lessons: what the engine says about a page, computed where that delays nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from datetime import date
from functools import partial
from typing import Any

from bot.domain.analysis import Hint, HintPage, Retry, RetryPage, Review, ReviewPage, shown_ply
from bot.domain.matches import Match
from bot.domain.pages import Lesson, LessonPage
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, is_possible, solved_up_to
from bot.domain.refusals import Refusal, Refused
from bot.domain.tutorial import TutorialPage
from bot.services.engine import EnginePool
from bot.services.tutorial import learn
from engine import Cell, Puzzle, Value, Verdict, advise, best_reply, daily_puzzle, review

Thought = asyncio.Task[Lesson | Refused]

CountHint = Callable[[Match], Awaitable[bool]]
"""Notes that a hint was given; False when the match has changed since it was loaded."""

_PAUSE_SECONDS = 0.1


class Lessons:
    """Computes lessons: for each person one at a time, with a pause between them.

    Of those that somebody asks for meanwhile, only the newest is computed.
    """

    def __init__(self, engine: EnginePool, count_hint: CountHint) -> None:
        self._engine = engine
        self._count_hint = count_hint
        self._under_way: dict[int, Thought] = {}
        self._newest: dict[int, int] = {}
        self._next_at: dict[int, float] = {}

    async def lesson(
        self, user_id: int, page: LessonPage, *, interaction_id: int, today: date
    ) -> Lesson | Refused:
        """The lesson of a page; it takes the place of one that the same person still waits for.

        `interaction_id` tells the newer of two interactions: the older may come later.
        `Refusal.SUPERSEDED` says that a newer one took its place.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        if interaction_id < self._newest.get(user_id, 0):
            return Refused(Refusal.SUPERSEDED)
        self._newest[user_id] = interaction_id
        thought = self._in_place_of_the_last(user_id, self._after_a_pause(user_id, page, today))
        await asyncio.wait({thought})
        return Refused(Refusal.SUPERSEDED) if thought.cancelled() else thought.result()

    def _in_place_of_the_last(
        self, user_id: int, lesson: Coroutine[Any, Any, Lesson | Refused]
    ) -> Thought:
        if last := self._under_way.pop(user_id, None):
            last.cancel()
        thought = self._under_way[user_id] = asyncio.create_task(lesson)
        thought.add_done_callback(partial(self._forget, user_id))
        return thought

    def _forget(self, user_id: int, thought: Thought) -> None:
        if self._under_way.get(user_id) is thought:
            del self._under_way[user_id]
            thought.get_loop().call_later(_PAUSE_SECONDS, self._forget_newest, user_id)

    def _forget_newest(self, user_id: int) -> None:
        if user_id not in self._under_way:
            self._newest.pop(user_id, None)

    async def _after_a_pause(self, user_id: int, page: LessonPage, today: date) -> Lesson | Refused:
        loop = asyncio.get_running_loop()
        if user_id in self._next_at:
            await asyncio.sleep(self._next_at[user_id] - loop.time())
        self._next_at[user_id] = loop.time() + _PAUSE_SECONDS
        loop.call_later(_PAUSE_SECONDS, self._next_at.pop, user_id, None)
        return await self._think(page, today)

    async def _think(self, page: LessonPage, today: date) -> Lesson | Refused:
        match page:
            case HintPage():
                return await self._hint(page)
            case ReviewPage():
                return await self._review(page)
            case RetryPage():
                return await self._retry(page)
            case PuzzlePage():
                return await self._puzzle(page, today)
            case TutorialPage():
                return await learn(page, self._engine)

    async def _hint(self, page: HintPage) -> Hint | Refused:
        rules, board, reply = page.record.rules, page.record.boards[-1], None
        verdicts = await self._engine.run_unless_quick(rules, advise, board)
        if page.cell is not None:
            reply = await self._engine.run_unless_quick(rules, best_reply, board, page.cell)
        if page.match is not None and not await self._count_hint(page.match):
            return Refused(Refusal.HINT_OLD, page.match)
        return Hint(page, verdicts, reply)

    async def _review(self, page: ReviewPage) -> Review:
        record, reply = page.record, None
        verdicts = await self._engine.run_unless_quick(
            record.rules, review, record.moves, record.rules
        )
        ply = shown_ply(page, verdicts)
        made = verdicts[ply - 1] if ply else None
        if made is not None and made.is_blunder:
            reply = await self._reply(made, next(iter(record.moves[ply:]), None))
        return Review(page, verdicts, reply)

    async def _retry(self, page: RetryPage) -> Retry | Refused:
        record = page.record
        verdicts = await self._engine.run_unless_quick(
            record.rules, review, record.moves, record.rules
        )
        if not verdicts[page.ply - 1].is_blunder:
            return Refused(Refusal.UNKNOWN_BUTTON)
        if page.cell is None:
            return Retry(page, verdicts)
        advice = await self._engine.run_unless_quick(record.rules, advise, page.board)
        tried = next(verdict for verdict in advice if verdict.action == page.cell)
        return Retry(page, verdicts, tried, await self._reply(tried))

    async def _reply(self, made: Verdict, played: Cell | None = None) -> Verdict | None:
        """The best answer to a move if it loses, preferably the one `played`; else None."""
        if made.worth.value is not Value.LOSS:
            return None
        answered = made.board, made.action, played
        return await self._engine.run_unless_quick(made.board.rules, best_reply, *answered)

    async def _puzzle(self, page: PuzzlePage, today: date) -> DailyPuzzle | Refused:
        if page.day > today:
            return Refused(Refusal.UNKNOWN_BUTTON)
        puzzle = await self._engine.run(daily_puzzle, page.day)
        if not is_possible(page, puzzle):
            return Refused(Refusal.UNKNOWN_BUTTON)
        board = puzzle.board
        lost = [cell for cell in page.tried if puzzle.worths[cell].value is Value.LOSS]
        replies = {
            cell: await self._engine.run_unless_quick(board.rules, best_reply, board, cell)
            for cell in lost
        }
        return DailyPuzzle(page, puzzle, replies, await self._step(page, puzzle))

    async def _step(self, page: PuzzlePage, puzzle: Puzzle) -> Verdict | None:
        if page.ply == 0:
            return None
        before, made = solved_up_to(puzzle, page.ply - 1), puzzle.line[page.ply - 1]
        advice = await self._engine.run_unless_quick(before.rules, advise, before)
        return next(verdict for verdict in advice if verdict.action == made)
