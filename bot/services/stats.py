"""People's results: counted after the answers, in the order in which matches ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from bot.domain.matches import HeadToHead, Match, Place, result_for
from bot.domain.refusals import OverloadedError, Refusal, RefusalReason
from bot.domain.stats import (
    LastMatches,
    Leaderboard,
    Standings,
    Stats,
    was_played_in,
    without_opponent,
)
from bot.features import puzzles, settings
from bot.runtime.clock import Clock
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor, for_answer, in_background
from bot.store.store import Store
from engine import Accuracy, Mark, accuracies

Accuracies = Mapping[Mark, Accuracy]

_MAX_REDRAW_AGE = timedelta(minutes=5)
"""How long after its end a match that was a first is still redrawn to say so."""


class StatsService:
    """Counts every match that is over, and reads people's results."""

    def __init__(self, store: Store, executor: Executor, engine: EnginePool, clock: Clock) -> None:
        self.executor = executor
        self._stats = store.stats
        self._matches = store.matches
        self._privacy = store.privacy
        self._database = store.database
        self._engine = engine
        self._clock = clock

    async def count(self) -> list[Match] | None:
        """Count some of the matches that are over and not counted yet.

        Returns:
            Those that ended lately and were a first for one of their players; None if there was
            nothing to count.

        Raises:
            UnavailableError: The database fails, or the bot is shutting down; nothing is lost.
        """
        ids, matches = await self._uncounted()
        if not ids:
            return None
        accuracies_by_match = {
            match.id: await self._judge(match) for match in matches if _needs_worker(match)
        }
        return await self._count(ids, matches, accuracies_by_match)

    @in_background
    def _uncounted(self) -> tuple[list[int], list[Match]]:
        return self._stats.uncounted()

    async def _judge(self, match: Match) -> Accuracies:
        """The accuracy of both sides; empty where the engine is overloaded."""
        try:
            return await self._engine.run(accuracies, match.moves, match.rules)
        except OverloadedError:
            return {}

    @in_background
    def _count(
        self, ids: list[int], matches: list[Match], accuracies_by_match: dict[int, Accuracies]
    ) -> list[Match]:
        for match in matches:
            if match.rules.is_small and result_for(Mark.X, match):
                accuracies_by_match[match.id] = accuracies(match.moves, match.rules)
        counted = self._stats.count(ids, accuracies_by_match)
        return [match for match in counted if match.is_first and self._is_recent(match)]

    def _is_recent(self, match: Match) -> bool:
        return match.ended_at is not None and self._clock.now() - match.ended_at < _MAX_REDRAW_AGE

    @for_answer
    def stats(self, user_id: int, *, asker_id: int, today: date) -> Stats | Refusal:
        """A person's results, and their score against the asker; refused if they are hidden."""
        head_to_head = HeadToHead()
        if user_id != asker_id:
            if self._privacy.choices(user_id).is_hidden:
                return Refusal(RefusalReason.STATS_HIDDEN, person_id=user_id)
            head_to_head = self._stats.head_to_head(asker_id, user_id)
        with self._database.autocommit() as connection:
            puzzle_stats = puzzles.load_stats(connection, user_id)
        return Stats(
            asker_id=asker_id,
            user_id=user_id,
            tallies=self._stats.tallies(user_id),
            head_to_head=head_to_head,
            puzzles=puzzle_stats,
            today=today,
        )

    @for_answer
    def last_matches(self, user_id: int, place: Place) -> LastMatches:
        """A person's newest matches, for themselves to see in a place.

        Opponents who are hidden, or who played elsewhere, are not named: others may see the answer.
        """
        matches = self._matches.last_played_by(user_id)
        hidden = self._privacy.hidden({match.opponent_of(user_id) for match in matches})

        def mask_opponent(match: Match) -> Match:
            if not match.is_between_people:
                return match
            if was_played_in(match, place) and match.opponent_of(user_id) not in hidden:
                return match
            return without_opponent(match, user_id)

        return LastMatches(user_id, tuple(map(mask_opponent, matches)))

    @for_answer
    def ranking(
        self, guild_id: int, leaderboard: Leaderboard, *, asker_id: int, today: date
    ) -> Standings | Refusal:
        """Who did best in a server, unless it has switched rankings off."""
        with self._database.autocommit() as connection:
            has_ranking = settings.load(connection, guild_id).has_ranking
        if not has_ranking:
            return Refusal(RefusalReason.NO_RANKING_HERE)
        ranks = self._stats.top(guild_id, leaderboard.on(today), asker_id)
        return Standings(leaderboard, tuple(ranks), asker_id)


def _needs_worker(match: Match) -> bool:
    """Whether judging takes long; False for matches of older releases, which may be many."""
    is_of_older_release = match.ended_at is None
    if match.rules.is_small or is_of_older_release:
        return False
    return result_for(Mark.X, match) is not None
