"""The daily puzzle's posts in servers' channels: one per server and day, over all processes."""

from __future__ import annotations

from bot.game.lesson import DailyPuzzle
from bot.game.page import PuzzlePage
from bot.game.puzzle_posts import PuzzlePost
from bot.service.clock import Clock
from bot.service.engine_pool import EnginePool
from bot.service.executor import Executor, in_thread
from bot.store import Store
from engine import daily_puzzle


class PuzzlePosting:
    """Claims the posts that are due, finds their puzzle, and notes what became of them."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool, clock: Clock) -> None:
        self.executor = executor
        self._posts = store.puzzle_posts
        self._engine = engine
        self._clock = clock

    @in_thread
    def claim(self) -> list[PuzzlePost]:
        """Claim some of the posts that are due, so that no other process makes them meanwhile."""
        now = self._clock.trusted()
        return [] if now is None else self._posts.claim(now)

    async def puzzle(self, post: PuzzlePost) -> DailyPuzzle:
        """The puzzle to be posted.

        Raises:
            OutageError: The engine is overloaded, or the bot is shutting down.
        """
        puzzle = await self._engine.think(daily_puzzle, post.day)
        return DailyPuzzle(PuzzlePage(post.day), puzzle)

    @in_thread
    def note_posted(self, post: PuzzlePost, message_id: int | None) -> None:
        """Note the message of a post; None says that Discord refused it."""
        self._posts.note(post, message_id)
