"""Deadlines of matches, by the clock that they run on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.matches import Match
from bot.runtime.clock import Clock

_IDLE_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The host's settings of time.

    Attributes:
        turn: How long a turn lasts, unless the server has chosen otherwise.
        challenge: How long a challenge can be answered.
        keep: How long ended matches are kept.
    """

    turn: timedelta
    challenge: timedelta
    keep: timedelta


@dataclass(frozen=True, slots=True)
class Deadlines:
    """When turns and challenges run out."""

    clock: Clock
    limits: TimeLimits

    def deadline(self, *, accepted: bool, turn_minutes: int | None) -> datetime:
        """When a turn begun now, or a challenge made now, runs out."""
        time = self._turn(turn_minutes) if accepted else self.limits.challenge
        return self.clock.now() + time

    def _turn(self, turn_minutes: int | None) -> timedelta:
        return timedelta(minutes=turn_minutes) if turn_minutes else self.limits.turn

    def with_deadline(self, match: Match) -> Match:
        """The match with a new deadline, or if it has just ended, with the time of its end.

        Of a match that is over, the deadline is that of the rematch that was asked for.
        """
        if match.is_live or match.rematch_asked_by is not None:
            deadline_at = self.deadline(accepted=match.is_live, turn_minutes=match.turn_minutes)
            return replace(match, deadline_at=deadline_at)
        return replace(match, ended_at=match.ended_at or self.clock.now())

    def without_lapsed_rematch(self, match: Match) -> Match:
        """The match without its request for a rematch, if nobody has agreed to that in time."""
        now = self.clock.trusted_now()
        is_open = match.rematch_asked_by is not None and match.next_id is None
        if not is_open or now is None or now < match.deadline_at:
            return match
        return replace(match, rematch_asked_by=None)

    def gives_way(self, match: Match) -> bool:
        """Whether a match against the bot has stood still for so long that others may play instead.

        Where a server has chosen longer turns than the host's, none does.
        """
        now = self.clock.trusted_now()
        turn = self._turn(match.turn_minutes)
        if now is None or not match.is_live or match.is_between_people or turn > self.limits.turn:
            return False
        return now >= match.deadline_at - turn + _IDLE_AFTER

    def is_overdue(self, match: Match) -> bool:
        """Whether a match's time has run out; False while the time is uncertain."""
        now = self.clock.trusted_now()
        return now is not None and match.is_overdue(now)
