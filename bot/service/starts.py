"""Opening a match: as requested, as the server chose, and if its channel is free."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from bot.game.changes import cancel
from bot.game.match import Match, Player
from bot.game.outcome import First, Opened, Refused, StartRequest
from bot.game.refusal import Refusal
from bot.game.server import ServerChoices
from bot.service.executor import Executor, in_time
from bot.service.servers import choices_in, refuse_channel
from bot.service.umpire import Umpire, in_the_way
from bot.store import Store

_ATTEMPTS = 3
_PINGED_ONCE_IN = timedelta(minutes=10)


class Starts:
    """Opens matches: at most one live match per channel."""

    def __init__(
        self, store: Store, executor: Executor, umpire: Umpire, rng: random.Random, bot_id: int
    ) -> None:
        self.executor = executor
        self._matches = store.matches
        self._servers = store.servers
        self._people = store.people
        self._umpire = umpire
        self._rng = rng
        self._bot_id = bot_id

    @in_time
    def open(self, request: StartRequest) -> Opened | Refused:
        """Open a match in its channel, unless a live one holds it.

        A challenge of the same person's that is still unanswered there is cancelled.
        """
        choices = choices_in(self._servers, request.place)
        if refused := refuse_channel(choices, request.place.channel_id, request.parent_id):
            return refused
        if request.opponent and not self._people.choices(request.opponent).takes_challenges:
            return Refused(Refusal.NO_CHALLENGES, person=request.opponent)
        match, also = self._asked_for(request, choices), tuple[Match, ...]()
        for _ in range(_ATTEMPTS):
            opened = self._umpire.let_bot_move(match)
            if self._matches.add(opened):
                return Opened(opened, self._pinged_by(opened), also)
            holder, ended = self._umpire.live_match(match.place.channel_id)
            also = (*also, *ended)
            holder = holder or self._matches.load(match.id)
            if holder is None:
                continue
            if holder.id == match.id:  # stored by a retry, or by another process
                return Opened(holder, self._pinged_by(holder), also)
            if holder.accepted or holder.opened_by != match.opened_by:
                return in_the_way(holder, also)
            cancelled = cancel(holder, holder.opened_by)
            assert isinstance(cancelled, Match), "whoever made a challenge may cancel it"
            if saved := self._matches.save(self._umpire.timed(cancelled)):
                also = (*also, saved)
        raise RuntimeError(f"match {match.id} can be neither stored nor found")

    def _asked_for(self, request: StartRequest, choices: ServerChoices) -> Match:
        """The match of a request, with what it leaves open decided."""
        place, minutes = request.place, choices.turn_minutes
        opponent = request.opponent or self._bot_id
        is_alone = opponent == self._bot_id
        level = (request.level or choices.level) if is_alone else None
        opener, other = Player(request.opener), Player(opponent, level)
        first = request.first
        if first is First.RANDOM:
            first = self._rng.choice([First.OPENER, First.OPPONENT])
        x, o = (opener, other) if first is First.OPENER else (other, opener)
        return Match(
            id=request.id,
            place=replace(place, locale=choices.language or place.locale),
            x=x,
            o=o,
            opened_by=opener.user_id,
            accepted=is_alone,
            deadline_at=self._umpire.deadline(accepted=is_alone, turn_minutes=minutes),
            rules=request.rules or choices.rules,
            duel=None if is_alone else self._umpire.duel(x, o),
            turn_minutes=minutes,
            is_open=request.leaves_seat_open,
        )

    def _pinged_by(self, match: Match) -> int | None:
        """The user a challenge pings; None if the same person just challenged them in vain."""
        if match.accepted:
            return None
        since_id = self._umpire.id_of(ago=_PINGED_ONCE_IN)
        return None if self._matches.is_repeated_challenge(match, since_id) else match.challenged
