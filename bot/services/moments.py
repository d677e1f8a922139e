"""Moments: the position where a match turned, posted once, in which anybody may guess the move."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.domain.analysis import find_decisive_ply
from bot.domain.matches import Match
from bot.domain.moments import GuessCount, Moment, MomentAnswer, MomentGuess, MomentPage
from bot.domain.refusals import Refusal, RefusalReason
from bot.runtime.clock import Clock
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor, for_answer, in_background
from bot.runtime.latest_jobs import LatestJobs
from bot.store.store import Store
from engine import Record, Value, Verdict


class MomentService:
    """Finds the moment of a match, and judges and counts guesses.

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
        self._matches = store.matches
        self._moments = store.moments
        self._engine = engine
        self._latest_jobs = latest_jobs
        self._clock = clock

    async def create(self, page: MomentPage, *, user_id: int, channel_id: int) -> Moment | Refusal:
        """Claim the moment of one of a person's last matches, to post it in its channel once."""
        match = await self._find_match(page.record, user_id, channel_id)
        if match is None:
            return Refusal(RefusalReason.MOMENT_ELSEWHERE)
        verdicts = await self._engine.review(match.record)
        ply = find_decisive_ply(verdicts)
        if ply is None:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if not await self._claim(match, ply):
            return Refusal(RefusalReason.SHOWN_ALREADY)
        return Moment(match, ply)

    @for_answer
    def _find_match(self, record: Record, user_id: int, channel_id: int) -> Match | None:
        """The newest of a person's last matches in a channel that has this record."""
        for match in self._matches.last_played_by(user_id):
            if match.place.channel_id == channel_id and match.record == record:
                return match
        return None

    @for_answer
    def _claim(self, match: Match, ply: int) -> bool:
        return self._moments.claim(match.id, ply, self._clock.now())

    @in_background
    def record_posted(self, moment: Moment, message_id: int) -> None:
        """Store which message shows a moment."""
        self._moments.record_message(moment.match.id, message_id)

    @in_background
    def withdraw(self, moment: Moment) -> None:
        """Let a moment be shown again: Discord did not take its message."""
        self._moments.remove(moment.match.id)

    async def submit(
        self, guess: MomentGuess, *, user_id: int, channel_id: int, interaction_id: int
    ) -> MomentAnswer | Refusal:
        """Judge a guess, and count it if it is the person's first.

        Guesses of the match's players are not counted. The others are counted once no newer
        request can take their place: what is counted is shown.
        """
        answer = await self._latest_jobs.run(
            partial(self._judge, guess, channel_id),
            user_id=user_id,
            interaction_id=interaction_id,
        )
        if isinstance(answer, Refusal) or answer.moment.match.mark_of(user_id) is not None:
            return answer
        is_counted = await self._add_guess(answer.moment, user_id, answer.verdict)
        return replace(answer, is_counted=is_counted)

    async def _judge(self, guess: MomentGuess, channel_id: int) -> MomentAnswer | Refusal:
        moment = await self._load(guess.match_id)
        if moment is None or moment.place.channel_id != channel_id:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if guess.cell not in moment.board.actions():
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        advice = await self._engine.advise(moment.board)
        verdict = next(move for move in advice if move.action == guess.cell)
        reply = await self._best_reply(verdict)
        return MomentAnswer(moment, verdict, reply, is_counted=False)

    @for_answer
    def _load(self, match_id: int) -> Moment | None:
        return self._moments.load(match_id)

    async def _best_reply(self, verdict: Verdict) -> Verdict | None:
        """The best reply to a move that loses; None for any other move."""
        if verdict.worth.value is not Value.LOSS:
            return None
        return await self._engine.best_reply(verdict.board, verdict.action)

    @for_answer
    def _add_guess(self, moment: Moment, user_id: int, verdict: Verdict) -> bool:
        return self._moments.add_guess(moment.match.id, user_id, is_found=verdict.kept_value)

    @in_background
    def count(self, moment: Moment) -> GuessCount:
        """How many people have guessed by now, and how many of them were right."""
        return self._moments.count(moment.match.id)
