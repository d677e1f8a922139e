"""The match of a channel: shown, brought down, stopped, looked at; `starts` opens it."""

from __future__ import annotations

from bot.game.changes import expire, refuse_hint, stop
from bot.game.match import Match
from bot.game.outcome import BroughtDown, LessonQuestioned, Refused, Stopped
from bot.game.refusal import Refusal
from bot.game.rematch import without_successor
from bot.service.executor import Executor, in_thread, in_time
from bot.service.umpire import Umpire
from bot.store import Store
from engine import Record

_LEAST_TO_TEACH = 3  # cells; with fewer there is no tree to speak of


class Matches:
    """What becomes of a channel's match besides presses."""

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
