"""The daily puzzle: one attempt per person and day counts; one post per server and day."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from bot.domain.puzzles import (
    Attempt,
    DailyPuzzle,
    PuzzlePage,
    PuzzlePost,
    PuzzleProgress,
    SharePage,
    is_possible,
)
from bot.domain.refusals import Refusal, Refused
from bot.services.clock import Clock
from bot.services.engine import EnginePool
from bot.services.executor import Executor, in_thread, in_time
from bot.store.store import Store
from engine import Cell, daily_puzzle


class Puzzles:
    """People's attempts at daily puzzles; the puzzle itself is a lesson."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool) -> None:
        self.executor = executor
        self._puzzles = store.puzzles
        self._engine = engine

    async def attempt(
        self, user_id: int, guild_id: int | None, page: PuzzlePage, days: Collection[date]
    ) -> PuzzleProgress:
        """Store new tries; return the page with all the tries that are stored.

        Puzzles of other days than `days` are practice, which is not stored.

        Raises:
            UnavailableError: The engine is overloaded, or the database fails.
        """
        if page.day not in days or page.is_practice:
            return PuzzleProgress(replace(page, is_practice=True))
        puzzle = await self._engine.run(daily_puzzle, page.day)
        if not is_possible(page, puzzle):
            return PuzzleProgress(page)  # which the lesson refuses
        return await self._try(user_id, guild_id, page, puzzle.solution)

    @in_time
    def _try(
        self, user_id: int, guild_id: int | None, page: PuzzlePage, solution: Cell
    ) -> PuzzleProgress:
        now = Attempt(page.tried, solution)
        while True:
            stood = Attempt(self._puzzles.tried(user_id, page.day), solution)
            goes_on = page.tried[: len(stood.tried)] == stood.tried != page.tried
            if stood.is_over or not goes_on:
                break
            if self._puzzles.save_attempt(
                user_id, page.day, now, tried_before=stood.tried, guild_id=guild_id
            ):
                stood = now
                break
        stands = replace(page, tried=stood.tried, ply=page.ply if stood.is_over else 0)
        return PuzzleProgress(stands, self._puzzles.stats(user_id) if stood.is_over else None)

    async def share(self, user_id: int, page: SharePage) -> SharePage | Refused:
        """The page to share, once per attempt; if no attempt is stored, the page is believed.

        Raises:
            UnavailableError: The engine is overloaded, or the database fails.
        """
        puzzle = await self._engine.run(daily_puzzle, page.day)
        return await self._share(user_id, page, puzzle.solution)

    @in_time
    def _share(self, user_id: int, page: SharePage, solution: Cell) -> SharePage | Refused:
        attempt = Attempt(self._puzzles.tried(user_id, page.day), solution)
        if not attempt.tried:
            return page
        if not attempt.is_over:
            return Refused(Refusal.UNKNOWN_BUTTON)
        if not self._puzzles.share(user_id, page.day):
            return Refused(Refusal.SHARED_ALREADY)
        return replace(page, misses=attempt.misses)

    @in_thread
    def unshare(self, user_id: int, page: SharePage) -> None:
        """Let an attempt be shared again: Discord did not take the message about it."""
        self._puzzles.share(user_id, page.day, is_shared=False)


class PuzzlePosting:
    """Claims the posts that are due, finds their puzzle, and notes what became of them."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool, clock: Clock) -> None:
        self.executor = executor
        self._puzzles = store.puzzles
        self._engine = engine
        self._clock = clock

    @in_thread
    def claim(self) -> list[PuzzlePost]:
        """Claim some of the posts that are due, so that no other process makes them meanwhile."""
        now = self._clock.trusted_now()
        return [] if now is None else self._puzzles.claim_posts(now)

    async def puzzle(self, post: PuzzlePost) -> DailyPuzzle:
        """The puzzle to be posted.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        puzzle = await self._engine.run(daily_puzzle, post.day)
        return DailyPuzzle(PuzzlePage(post.day), puzzle)

    @in_thread
    def record_posted(self, post: PuzzlePost, message_id: int | None) -> None:
        """Note the message of a post; None says that Discord refused it."""
        self._puzzles.record_post(post, message_id)
