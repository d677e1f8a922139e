"""What every match needs: deadlines, the bot's moves, and the duel of its players."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

from bot.game.changes import expire, play
from bot.game.duel import Duel
from bot.game.ids import first_id_at
from bot.game.match import Match, Player
from bot.game.outcome import Refused
from bot.game.refusal import Refusal
from bot.service.clock import Clock
from bot.store import Store
from engine import Cell, choose_move


class Umpire:
    """Keeps the time limits, and moves for the bot. Call it in threads: it may use the database."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rng: random.Random,
        *,
        turn_limit: timedelta,
        challenge_limit: timedelta,
    ) -> None:
        self._matches = store.matches
        self._people = store.people
        self._tallies = store.tallies
        self._clock = clock
        self._rng = rng
        self._turn_limit = turn_limit
        self._challenge_limit = challenge_limit

    def deadline(self, *, accepted: bool, turn_minutes: int | None) -> datetime:
        """When a turn begun now, or a challenge made now, runs out."""
        turn = timedelta(minutes=turn_minutes) if turn_minutes else self._turn_limit
        return self._clock.now() + (turn if accepted else self._challenge_limit)

    def timed(self, match: Match) -> Match:
        """The match with a new deadline if it is live; if it is over, with the time of its end."""
        if match.is_live:
            deadline_at = self.deadline(accepted=True, turn_minutes=match.turn_minutes)
            return replace(match, deadline_at=deadline_at)
        is_old = match.ended_at is not None or match.rematch_asked_by is not None
        return match if is_old else replace(match, ended_at=self._clock.now())

    def is_due(self, match: Match) -> bool:
        now = self._clock.trusted()
        return now is not None and match.is_due(now)

    def id_of(self, *, ago: timedelta) -> int:
        """The least id of the moment that long `ago`."""
        return first_id_at(self._clock.now() - ago)

    def live_match(self, channel_id: int) -> tuple[Match | None, tuple[Match, ...]]:
        """The channel's live match, and matches whose time was up and that were ended first."""
        ended: tuple[Match, ...] = ()
        while (match := self._matches.live_in(channel_id)) and self.is_due(match):
            if saved := self._matches.save(expire(match)):
                ended = (*ended, saved)
        return match, ended

    def let_bot_move(self, match: Match) -> Match:
        """The match after the bot's move, if it is its turn; for boards where that is quick."""
        player = match.to_move
        if player is None or player.level is None:
            return match
        return replied(match, choose_move(match.board, player.level, self._rng))

    def duel(self, x: Player, o: Player) -> Duel | None:
        """The duel of two people; None where one of them is hidden."""
        two = x.user_id, o.user_id
        return None if self._people.is_any_hidden(two) else self._tallies.duel(*two)


def replied(match: Match, cell: Cell) -> Match:
    """The match after the bot's move."""
    assert match.to_move is not None, "the match goes on"
    played = play(match, match.to_move.user_id, cell)
    assert isinstance(played, Match), "the engine's moves are legal"
    return played


def in_the_way(holder: Match, also: tuple[Match, ...]) -> Refused:
    """The refusal to open a match in a channel where there is a game, or a challenge, already."""
    refusal = Refusal.CHANNEL_BUSY if holder.accepted else Refusal.CHALLENGE_HERE
    return Refused(refusal, holder, also=also)
