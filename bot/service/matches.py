"""The matches of a channel: opened, shown, brought down, stopped, looked at, and ended by time."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from bot.game.changes import cancel, expire, refuse_hint, stop
from bot.game.match import Match, Player
from bot.game.outcome import (
    BroughtDown,
    First,
    LessonQuestioned,
    Opened,
    Refused,
    StartRequest,
    Stopped,
)
from bot.game.refusal import Refusal
from bot.game.rematch import without_successor
from bot.game.server import ServerChoices
from bot.service.executor import Executor, in_thread, in_time
from bot.service.servers import choices_in
from bot.service.umpire import Umpire, in_the_way
from bot.store import Store
from engine import Record

_ATTEMPTS = 3
_PINGED_ONCE_IN = timedelta(minutes=10)
_LEAST_TO_TEACH = 3  # cells; with fewer there is no tree to speak of


class Matches:
    """One live match a channel, whoever asks for it."""

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

        Whoever waits there for another to answer a challenge gives that one up.
        """
        choices = choices_in(self._servers, request.place)
        if not choices.allows_boards_in(request.place.channel_id, request.parent_id):
            return Refused(Refusal.BOARDS_ELSEWHERE, channels=choices.channels)
        if not self._takes_challenges(request.opponent):
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
            if holder.id == match.id:  # by a retry, or by two processes
                return Opened(holder, self._pinged_by(holder), also)
            if holder.accepted or holder.opened_by != match.opened_by:
                return in_the_way(holder, also)
            also = (*also, *self._cancelled(holder))
        raise RuntimeError(f"match {match.id} can be neither stored nor found")

    def _takes_challenges(self, opponent: int | None) -> bool:
        if opponent in (None, self._bot_id):
            return True
        return self._people.choices(opponent).takes_challenges

    def _asked_for(self, request: StartRequest, choices: ServerChoices) -> Match:
        """A match as it was asked for: what was left open is decided here."""
        place, minutes = request.place, choices.turn_minutes
        opener, is_alone = Player(request.opener), request.opponent in (None, self._bot_id)
        if is_alone:
            other = Player(self._bot_id, request.level or choices.level)
        else:
            assert request.opponent is not None
            other = Player(request.opponent)
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

    def _cancelled(self, challenge: Match) -> tuple[Match, ...]:
        cancelled = cancel(challenge, challenge.opened_by)
        if isinstance(cancelled, Refusal):
            return ()
        saved = self._matches.save(self._umpire.timed(cancelled))
        return () if saved is None else (saved,)

    def _pinged_by(self, match: Match) -> int | None:
        """Whom a challenge pings: not the one who let the same person's last challenge be."""
        if match.accepted:
            return None
        since_id = self._umpire.id_of(ago=_PINGED_ONCE_IN)
        return None if self._matches.was_challenged(match, since_id) else match.challenged

    @in_time
    def bring_down(self, channel_id: int) -> BroughtDown | Refused:
        """The channel's live match, to be posted again."""
        match, ended = self._umpire.live_match(channel_id)
        if match is None:
            return Refused(Refusal.NO_MATCH_HERE, also=ended)
        return BroughtDown(match)

    @in_time
    def stop(self, channel_id: int, user_id: int, *, is_moderator: bool) -> Stopped | Refused:
        """End the channel's live match on behalf of a player or a moderator."""
        saved = None
        while saved is None:  # where somebody moved meanwhile, what stands now is stopped
            match, ended = self._umpire.live_match(channel_id)
            if match is None:
                return Refused(Refusal.NO_MATCH_HERE, also=ended)
            stopped = stop(match, user_id, is_moderator=is_moderator)
            if isinstance(stopped, Refusal):
                return Refused(stopped)
            saved = self._matches.save(self._umpire.timed(stopped))
        return Stopped(saved)

    @in_time
    def last_played(self, channel_id: int) -> Match | None:
        """The newest match of a channel that is over and has moves to review."""
        return self._matches.last_played(channel_id)

    @in_time
    def lesson_in(
        self, channel_id: int, user_id: int, *, as_hint: bool = False
    ) -> Record | LessonQuestioned | None:
        """The game going on in a channel, if there is something to learn from it.

        Two people are not looked at while they play, and to look while playing the bot is a hint,
        which nobody gets unasked.
        """
        while True:
            match = self._matches.live_in(channel_id)
            if match is None or match.is_between_people or self._umpire.is_due(match):
                return None
            if match.rules.repeats:  # its tree has no end
                return None
            if not match.moves or len(match.board.actions()) < _LEAST_TO_TEACH:
                return None
            is_own = refuse_hint(match, user_id) is None
            if is_own and not as_hint:
                return LessonQuestioned()
            if not is_own or self._matches.count_hint(match):
                return match.record

    @in_time
    def count_hint(self, match: Match) -> bool:
        """Note that a hint was given, once a version; False when the match has changed."""
        return self._matches.count_hint(match)

    @in_thread
    def load(self, match_id: int) -> Match | None:
        """A match as it stands."""
        return self._matches.load(match_id)

    @in_thread
    def shown(self, match: Match, message_id: int) -> None:
        """Remember the message that shows a match, unless a newer one does."""
        self._matches.place(match.id, message_id)

    @in_thread
    def abandon(self, match: Match, before: Match | None = None) -> None:
        """Give the channel back: this match could not be shown to anybody.

        `before` is the one that it was to follow, which may then be followed by another.
        """
        while (stands := self._matches.load(match.id)) and stands.version == match.version:
            if stands.place.message_id is not None:
                return  # another process showed it
            self._matches.save(expire(stands))  # unless a hint comes between
        if before is not None:
            self._matches.save(without_successor(before))
