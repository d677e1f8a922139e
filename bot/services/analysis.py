"""Hints, reviews and retries: what the engine says about a position or a game."""

from __future__ import annotations

from functools import partial

from bot.domain.analysis import (
    Hint,
    HintPage,
    Retry,
    RetryPage,
    Review,
    ReviewPage,
    Verdicts,
    shown_ply,
)
from bot.domain.matches import Match
from bot.domain.refusals import Refusal, RefusalReason
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor, for_answer
from bot.runtime.latest_jobs import LatestJobs
from bot.store.store import Store
from engine import Cell, Value, Verdict


class AnalysisService:
    """Computes hints, reviews and retries; a newer request cancels the same person's older one.

    Every method raises UnavailableError if the engine is overloaded, the database does not answer
    in time, or the bot is shutting down.
    """

    def __init__(
        self,
        store: Store,
        executor: Executor,
        engine: EnginePool,
        latest_jobs: LatestJobs,
    ) -> None:
        self.executor = executor
        self._matches = store.matches
        self._engine = engine
        self._latest_jobs = latest_jobs

    async def hint(
        self,
        page: HintPage,
        match: Match | None = None,
        *,
        is_detailed: bool = True,
        user_id: int,
        interaction_id: int,
    ) -> Hint | Refusal:
        """What each move is worth; in a match, this counts as a hint.

        It is counted once no newer request can take its place: what is counted is shown.
        """
        hint = await self._latest_jobs.run(
            partial(self._hint, page, match, is_detailed=is_detailed),
            user_id=user_id,
            interaction_id=interaction_id,
        )
        if isinstance(hint, Refusal) or match is None:
            return hint
        is_counted = await self._count_hint(match)
        return hint if is_counted else Refusal(RefusalReason.HINT_OLD, match)

    async def review(
        self, page: ReviewPage, *, user_id: int, interaction_id: int
    ) -> Review | Refusal:
        """What the moves of a game were worth."""
        return await self._latest_jobs.run(
            partial(self._review, page, user_id), user_id=user_id, interaction_id=interaction_id
        )

    async def retry(self, page: RetryPage, *, user_id: int, interaction_id: int) -> Retry | Refusal:
        """What another move in place of a mistake would be worth."""
        return await self._latest_jobs.run(
            partial(self._retry, page), user_id=user_id, interaction_id=interaction_id
        )

    async def _hint(self, page: HintPage, match: Match | None, *, is_detailed: bool) -> Hint:
        board = page.record.boards[-1]
        reply = None
        verdicts = await self._engine.advise(board)
        if page.cell is not None:
            reply = await self._engine.best_reply(board, page.cell)
        return Hint(page, verdicts, reply, match, is_detailed=is_detailed)

    @for_answer
    def _count_hint(self, match: Match) -> bool:
        """Count a hint, once per version; return False if the match has changed."""
        return self._matches.count_hint(match)

    async def _review(self, page: ReviewPage, user_id: int) -> Review:
        verdicts = await self._engine.review(page.record)
        reply = await self._reply_to_blunder(page, verdicts)
        return Review(page, verdicts, reply, asker_id=user_id)

    async def _reply_to_blunder(self, page: ReviewPage, verdicts: Verdicts) -> Verdict | None:
        """The best reply to the last move shown, if that was a blunder that loses."""
        ply = shown_ply(page, verdicts)
        if ply == 0 or not verdicts[ply - 1].is_blunder:
            return None
        moves = page.record.moves
        played = moves[ply] if ply < len(moves) else None
        return await self._reply(verdicts[ply - 1], played)

    async def _retry(self, page: RetryPage) -> Retry | Refusal:
        verdicts = await self._engine.review(page.record)
        if not verdicts[page.ply - 1].is_blunder:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if page.cell is None:
            return Retry(page, verdicts)
        advice = await self._engine.advise(page.board)
        try_verdict = next(verdict for verdict in advice if verdict.action == page.cell)
        return Retry(page, verdicts, try_verdict, await self._reply(try_verdict))

    async def _reply(self, move: Verdict, played: Cell | None = None) -> Verdict | None:
        """The best reply to a move if it loses, preferably the one `played`; else None."""
        if move.worth.value is not Value.LOSS:
            return None
        return await self._engine.best_reply(move.board, move.action, played)
