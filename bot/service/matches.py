"""The match of a channel: post it again, stop it, learn from it; `starts` opens it."""

from __future__ import annotations

from bot.game.changes import call_off, stop
from bot.game.match import Match
from bot.game.outcome import BroughtDown, LessonQuestioned, Refused, Stopped
from bot.game.refusal import Refusal
from bot.game.rematch import without_successor
from bot.service.executor import Executor, in_thread, in_time
from bot.service.umpire import Umpire
from bot.store import Store
from engine import Record

_LEAST_TO_TEACH = 3  # free cells; with fewer the tree is too small


class Matches:
    """What is done to a channel's match other than by pressing its buttons."""

    def __init__(self, store: Store, executor: Executor, umpire: Umpire) -> None:
        self.executor = executor
        self._matches = store.matches
        self._umpire = umpire

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
        while saved is None:  # if somebody moved meanwhile, try again with the match as it is now
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
        """The game in progress in a channel; None if it is not one to learn from.

        A game between two people is not analysed. Somebody who plays the bot themselves is asked
        first, because it counts as a hint; `as_hint` says that they agreed.
        """
        while True:
            match = self._matches.live_in(channel_id)
            if match is None or match.is_between_people or self._umpire.is_due(match):
                return None
            if match.rules.repeats:  # its tree has no end
                return None
            if not match.moves or len(match.board.actions()) < _LEAST_TO_TEACH:
                return None
            is_own = match.mark_of(user_id) is not None
            if is_own and not as_hint:
                return LessonQuestioned()
            if not is_own or self._matches.count_hint(match):
                return match.record

    @in_time
    def count_hint(self, match: Match) -> bool:
        """Note that a hint was given, once per version; False when the match has changed."""
        return self._matches.count_hint(match)

    @in_thread
    def load(self, match_id: int) -> Match | None:
        """The match as stored now; None if there is none."""
        return self._matches.load(match_id)

    @in_thread
    def note_shown(self, match: Match, message_id: int) -> None:
        """Remember the message that shows a match, unless a newer one does."""
        self._matches.note_message(match.id, message_id)

    @in_thread
    def abandon(self, match: Match, before: Match | None = None) -> None:
        """End a match that could not be posted, which frees its channel.

        `before` is the match whose rematch it was; that one may then have another.
        """
        while (stands := self._matches.load(match.id)) and stands.version == match.version:
            if stands.place.message_id is not None:
                return  # another process showed it
            ended = self._umpire.timed(call_off(stands))
            self._matches.save(ended)  # fails if a hint was counted meanwhile: try again
        if before is not None:
            self._matches.save(without_successor(before))
