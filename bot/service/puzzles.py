"""The daily puzzle: one attempt per person and day counts, wherever it is made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from bot.game.lesson import is_possible
from bot.game.outcome import Refused, Tried
from bot.game.page import PuzzlePage, SharePage
from bot.game.puzzles import Attempt
from bot.game.refusal import Refusal
from bot.service.engine_pool import EnginePool
from bot.service.executor import Executor, in_thread, in_time
from bot.store import Store
from engine import Cell, daily_puzzle


class Puzzles:
    """People's attempts at daily puzzles; the puzzle itself is a lesson."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool) -> None:
        self.executor = executor
        self._attempts = store.attempts
        self._engine = engine

    async def attempt(
        self, user_id: int, guild_id: int | None, page: PuzzlePage, days: Collection[date]
    ) -> Tried:
        """Store new tries; return the page with all the tries that are stored.

        Puzzles of other days than `days` are practice, which is not stored.

        Raises:
            OutageError: The engine is overloaded, or the database fails.
        """
        if page.day not in days or page.is_practice:
            return Tried(replace(page, is_practice=True))
        puzzle = await self._engine.think(daily_puzzle, page.day)
        if not is_possible(page, puzzle):
            return Tried(page)  # which the lesson refuses
        return await self._try(user_id, guild_id, page, puzzle.solution)

    @in_time
    def _try(self, user_id: int, guild_id: int | None, page: PuzzlePage, solution: Cell) -> Tried:
        now = Attempt(page.tried, solution)
        while True:
            stood = Attempt(self._attempts.tried(user_id, page.day), solution)
            goes_on = page.tried[: len(stood.tried)] == stood.tried != page.tried
            if stood.is_over or not goes_on:
                break
            if self._attempts.save(user_id, page.day, stood.tried, now, guild_id):
                stood = now
                break
        stands = replace(page, tried=stood.tried, ply=page.ply if stood.is_over else 0)
        return Tried(stands, self._attempts.tally(user_id) if stood.is_over else None)

    async def share(self, user_id: int, page: SharePage) -> SharePage | Refused:
        """The page to share, once per attempt; if no attempt is stored, the page is believed.

        Raises:
            OutageError: The engine is overloaded, or the database fails.
        """
        puzzle = await self._engine.think(daily_puzzle, page.day)
        return await self._share(user_id, page, puzzle.solution)

    @in_time
    def _share(self, user_id: int, page: SharePage, solution: Cell) -> SharePage | Refused:
        attempt = Attempt(self._attempts.tried(user_id, page.day), solution)
        if not attempt.tried:
            return page
        if not attempt.is_over:
            return Refused(Refusal.UNKNOWN_BUTTON)
        if not self._attempts.share(user_id, page.day):
            return Refused(Refusal.SHARED_ALREADY)
        return replace(page, misses=attempt.misses)

    @in_thread
    def unshare(self, user_id: int, page: SharePage) -> None:
        """Let an attempt be shared again: Discord did not take the message about it."""
        self._attempts.share(user_id, page.day, is_shared=False)
