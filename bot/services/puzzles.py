"""The daily puzzle: one attempt per person and day counts; one post per server and day."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from bot.domain.puzzles import (
    Attempt,
    DailyPuzzle,
    PastPuzzle,
    PuzzlePage,
    PuzzlePost,
    PuzzleProgress,
    SharePage,
    is_possible,
    puzzle_start,
    solution_board,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.runtime.clock import Clock
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor, for_answer, in_background
from bot.runtime.latest_jobs import LatestJobs
from bot.store.store import Store
from engine import Cell, Puzzle, Value, Verdict, daily_puzzle


class PuzzleService:
    """Daily puzzles: of each person, one attempt a day counts.

    Every coroutine raises UnavailableError if the engine is overloaded, the database does not
    answer in time, or the bot is shutting down.
    """

    def __init__(
        self,
        store: Store,
        executor: Executor,
        engine: EnginePool,
        latest_jobs: LatestJobs,
        clock: Clock,
    ) -> None:
        self.executor = executor
        self._puzzles = store.puzzles
        self._engine = engine
        self._latest_jobs = latest_jobs
        self._clock = clock

    async def submit(
        self,
        page: PuzzlePage,
        *,
        user_id: int,
        guild_id: int | None,
        interaction_id: int,
        counted_days: Collection[date],
    ) -> DailyPuzzle | Refusal:
        """Store the guesses of a page, and judge all that are stored.

        Of `counted_days`, attempts begin on the last, and only go on from the others. Anything else
        is practice, which is not stored; it ends an attempt that could have gone on.
        """
        today = max(counted_days)
        if page.day > today:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)

        run_latest = partial(self._latest_jobs.run, user_id=user_id, interaction_id=interaction_id)
        if page.is_practice or page.day not in counted_days:
            page = page.as_practice()
            if page.day == today - timedelta(days=1):
                await self._end_attempt(user_id, page.day)
            return await run_latest(partial(self._practice, page, today))

        puzzle = await self._engine.run(daily_puzzle, page.day)
        if not is_possible(page, puzzle):
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        progress = await self.record_guesses(
            page,
            puzzle.solution,
            user_id=user_id,
            guild_id=guild_id,
            may_begin=page.day == today,
        )
        explain = partial(self._explain, progress, puzzle, today)
        # What is stored is shown: no newer request takes its place.
        return await (explain() if progress.is_changed else run_latest(explain))

    @for_answer
    def past_puzzles(self, user_id: int, days: Sequence[date]) -> list[PastPuzzle]:
        """The puzzles of some days, and which of them a person has solved."""
        solved = self._puzzles.solved(user_id, days)
        return [PastPuzzle(day, day in solved) for day in days]

    @for_answer
    def record_guesses(
        self,
        page: PuzzlePage,
        solution: Cell,
        *,
        user_id: int,
        guild_id: int | None,
        may_begin: bool = True,
    ) -> PuzzleProgress:
        """Store the guesses of a page; return the page with all the guesses that are stored.

        If none are and an attempt may not begin, return it as practice.
        """
        submitted = Attempt(page.guesses, solution)
        while True:
            stored = Attempt(self._puzzles.guesses(user_id, page.day), solution)
            if not (stored.guesses or may_begin):
                return PuzzleProgress(page.as_practice())
            if not submitted.continues(stored):
                return self._progress(page, stored, user_id, is_changed=False)
            is_saved = self._puzzles.save_attempt(
                user_id, page.day, submitted, expected_guesses=stored.guesses, guild_id=guild_id
            )
            if is_saved:
                return self._progress(page, submitted, user_id, is_changed=True)

    def _progress(
        self, page: PuzzlePage, stored: Attempt, user_id: int, *, is_changed: bool
    ) -> PuzzleProgress:
        page = replace(page, guesses=stored.guesses)
        if not stored.is_over:
            return PuzzleProgress(replace(page, ply=0), is_changed=is_changed)
        return PuzzleProgress(page, self._puzzles.stats(user_id), is_changed)

    @for_answer
    def _end_attempt(self, user_id: int, day: date) -> None:
        """Have an attempt go on no more: its puzzle is practised, which shows the solution."""
        self._puzzles.remove_unfinished(user_id, day)

    async def _practice(self, page: PuzzlePage, today: date) -> DailyPuzzle | Refusal:
        puzzle = await self._engine.run(daily_puzzle, page.day)
        if not is_possible(page, puzzle):
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        return await self._explain(PuzzleProgress(page), puzzle, today)

    async def _explain(self, progress: PuzzleProgress, puzzle: Puzzle, today: date) -> DailyPuzzle:
        page = progress.page
        replies = {}
        for cell in page.guesses:
            if puzzle.worths[cell].value is Value.LOSS:
                replies[cell] = await self._engine.best_reply(puzzle.board, cell)
        step = await self._verdict_on_step(page, puzzle)
        next_at = puzzle_start(today + timedelta(days=1))
        return DailyPuzzle(page, puzzle, replies, step, progress.stats, next_at)

    async def _verdict_on_step(self, page: PuzzlePage, puzzle: Puzzle) -> Verdict | None:
        """The verdict on the last move shown of the solution."""
        if page.ply == 0:
            return None
        verdicts = await self._engine.advise(solution_board(puzzle, page.ply - 1))
        return next(verdict for verdict in verdicts if verdict.action == puzzle.line[page.ply - 1])

    async def share(self, user_id: int, page: SharePage) -> SharePage | Refusal:
        """Claim the sharing of an attempt and return what to share; trust one not stored."""
        puzzle = await self._engine.run(daily_puzzle, page.day)
        return await self._share(user_id, page, puzzle.solution)

    @for_answer
    def _share(self, user_id: int, page: SharePage, solution: Cell) -> SharePage | Refusal:
        attempt = Attempt(self._puzzles.guesses(user_id, page.day), solution)
        if not attempt.guesses:
            return page
        if not attempt.is_over:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if not self._puzzles.claim_share(user_id, page.day, self._clock.now()):
            return Refusal(RefusalReason.SHARED_ALREADY)
        return replace(page, wrong_guesses=attempt.wrong_guesses)

    @in_background
    def record_share(self, user_id: int, page: SharePage, *, is_shared: bool) -> None:
        """Store whether Discord took the message about an attempt; if not, it may be shared again.

        If neither is stored, it may be, too, once the claim has run out.
        """
        self._puzzles.record_share(user_id, page.day, is_shared=is_shared)


class PuzzlePostService:
    """Claims the posts that are due, finds their puzzle, and notes what became of them."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool, clock: Clock) -> None:
        self.executor = executor
        self._posts = store.puzzle_posts
        self._engine = engine
        self._clock = clock

    @in_background
    def claim(self) -> list[PuzzlePost]:
        """Claim some of the posts that are due, so that no other process makes them meanwhile."""
        now = self._clock.trusted_now()
        return [] if now is None else self._posts.claim(now)

    async def puzzle(self, post: PuzzlePost) -> DailyPuzzle:
        """The puzzle to be posted.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        puzzle = await self._engine.run(daily_puzzle, post.day)
        return DailyPuzzle(PuzzlePage(post.day), puzzle)

    @in_background
    def record_posted(self, post: PuzzlePost, message_id: int | None) -> None:
        """Note the message of a post; None says that Discord refused it."""
        self._posts.record(post, message_id)
