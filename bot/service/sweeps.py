"""Sweeps: ending matches whose time is up, and deleting what is to be forgotten."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from bot.game.ids import EPOCH, first_id_at
from bot.game.match import Match
from bot.service.clock import Clock
from bot.service.executor import Executor, in_thread
from bot.store import Store

_KEPT_UNPLAYED = timedelta(days=1)
_REMEMBERED_AFTER_LEAVING = timedelta(days=30)


class Sweeps:
    """Ends matches whose time is up, and deletes those older than `keep`, once counted."""

    def __init__(self, store: Store, executor: Executor, clock: Clock, keep: timedelta) -> None:
        self.executor = executor
        self._batches = store.match_batches
        self._people = store.people
        self._attempts = store.attempts
        self._memberships = store.memberships
        self._clock = clock
        self._keep = keep
        self.completed = 0
        self._completed_at = clock.now()

    def note_completed(self) -> None:
        """Note that a sweep has done all of the below."""
        self.completed += 1
        self._completed_at = self._clock.now()

    @property
    def idle_for(self) -> timedelta:
        """How long ago the last sweep was completed, or the bot started."""
        return self._clock.now() - self._completed_at

    @in_thread
    def expire(self) -> list[Match]:
        """End some of the matches whose time is up."""
        now = self._clock.trusted()
        return [] if now is None else self._batches.expire(now)

    @in_thread
    def forget(self) -> list[Match] | None:
        """Forget some of what is still kept about a person or a server that is to be forgotten.

        Returns:
            The live matches that this ended; None where there is nothing to forget.
        """
        if people := self._people.to_be_forgotten():
            is_more, ended = self._batches.forget(*people[0])
            if not is_more:
                self._people.finish_forgetting(*people[0])
            return ended
        if guilds := self._memberships.to_be_forgotten():
            is_more, ended = self._batches.forget_guild(*guilds[0])
            if not is_more:
                self._memberships.finish_forgetting(*guilds[0])
            return ended
        return None

    @in_thread
    def note_memberships(self, guild_ids: Collection[int]) -> None:
        """Note which servers the bot is in; begin to forget those that it left a month ago."""
        now = self._clock.trusted()
        if now is None:
            return
        self._memberships.note(guild_ids, now)
        for guild_id in self._memberships.absent_before(now - _REMEMBERED_AFTER_LEAVING):
            self._memberships.begin_to_forget(guild_id, first_id_at(now))

    @in_thread
    def prune(self) -> int:
        """Delete some ended matches: those past `keep`, and those over a day old without a move.

        Attempts at puzzles are kept as long as matches.

        Returns:
            How many matches and attempts were deleted.
        """
        now = self._clock.trusted()
        if now is None:
            return 0
        unplayed = self._batches.prune_unplayed(first_id_at(now - _KEPT_UNPLAYED))
        before = max(now - self._keep, EPOCH)
        attempts = self._attempts.prune(before.date())
        return unplayed + attempts + self._batches.prune(before, first_id_at(before))
