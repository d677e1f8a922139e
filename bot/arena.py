"""What happens when somebody opens a match, presses a button, or lets time run out.

The arena loads a match, asks it what may happen, lets the bot reply, and stores the result.
It knows neither Discord nor words, and waits for the database and for the bot's thoughts: each of
its methods is called from a thread, where it delays nobody else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue

from bot.clock import LONG_AGO, Clock
from bot.match import Match, Refusal
from bot.mind import is_quick
from bot.press import Press, Verb
from bot.store import Store
from engine import Cell, Level, Record, choose_move

_ATTEMPTS = 3
_PINGED_ONCE_IN = timedelta(minutes=10)
_KEPT_UNPLAYED = timedelta(days=1)
_LEAST_TO_TEACH = 3  # cells; with fewer there is no tree to speak of


@dataclass(frozen=True, slots=True)
class Answer:
    """What to show: a board, a sentence that says why nothing happened, or both."""

    match: Match | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A match to be posted in a message of its own, which pings somebody or nobody.

    `before` is one that it followed, or took the place of, and that has changed by it.
    """

    match: Match
    pings: int | None = None
    before: Match | None = None


@dataclass(frozen=True, slots=True)
class Pressed:
    """The circumstances of a press: who, where, on which message, and an id new to this world."""

    user_id: int
    channel_id: int
    message_id: int
    new_id: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A press obeyed but not kept: the bot is to move, and needs time to think."""

    match: Match
    level: Level
    press: Press
    by: Pressed


class Arena:
    """Where matches are played: the store, a clock, chance, and the time limits."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        rng: random.Random,
        turn_limit: timedelta,
        challenge_limit: timedelta,
    ) -> None:
        self._store = store
        self._clock = clock
        self._rng = rng
        self._turn_limit = turn_limit
        self._challenge_limit = challenge_limit
        self._ended_by_time: SimpleQueue[Match] = SimpleQueue()

    def deadline(self, *, accepted: bool) -> datetime:
        """When a turn begun now, or a challenge made now, runs out."""
        return self._clock.now() + (self._turn_limit if accepted else self._challenge_limit)

    def open(self, match: Match, *, at_level_of_server: bool = False) -> Opened | Answer:
        """Open a match in its channel, unless a live one holds it.

        The bot plays it as strongly as the match says, or else as the server has chosen. Whoever
        waits there for another to answer a challenge gives that one up.
        """
        if at_level_of_server:
            match = self._at_level_of_server(match)
        given_up = None
        for _ in range(_ATTEMPTS):
            opened = self._let_bot_move(match)
            if self._store.add(opened):
                return Opened(opened, self._pinged_by(opened), given_up)
            holder = self.live_match(match.place.channel_id) or self._store.load(match.id)
            if holder is not None and holder.id == match.id:  # by a retry, or by two processes
                return Opened(holder, self._pinged_by(holder))
            if holder is not None and (holder.accepted or holder.opened_by != match.opened_by):
                return _in_the_way(holder)
            given_up = given_up or (holder and self._cancel(holder))
        raise RuntimeError(f"match {match.id} can be neither stored nor found")

    def _cancel(self, challenge: Match) -> Match | None:
        cancelled = challenge.cancel(challenge.opened_by)
        return self._store.save(cancelled) if isinstance(cancelled, Match) else None

    def _pinged_by(self, match: Match) -> int | None:
        """Whom a challenge pings: nobody for some minutes who let the last one be."""
        if match.accepted:
            return None
        since_id = first_id_at(self._clock.now() - _PINGED_ONCE_IN)
        return None if self._store.was_challenged(match, since_id) else match.challenged

    def _at_level_of_server(self, match: Match) -> Match:
        if match.is_between_people:
            return match
        level = self.level_in(match.place.guild_id)
        x, o = (replace(p, level=level) if p.is_bot else p for p in (match.x, match.o))
        return replace(match, x=x, o=o)

    def live_match(self, channel_id: int) -> Match | None:
        """The channel's challenge or game going on; one whose time is up is ended first."""
        match = self._store.live_match(channel_id)
        if match is None or not match.is_due(self._clock.passed()):
            return match
        self._end_by_time(match)
        return self.live_match(channel_id)

    def shown(self, match: Match, message_id: int) -> None:
        """Remember the message that shows the board, unless a newer one does."""
        self._store.place(match.id, message_id)

    def abandon(self, match: Match) -> None:
        """Give the channel back: this match could not be shown to anybody."""
        if self._store.save(match.expire()) is None:
            stands = self._store.load(match.id)
            if stands is not None and stands.version == match.version:  # a hint came between
                self.abandon(stands)

    def load(self, match_id: int) -> Match | None:
        """A match as it stands."""
        return self._store.load(match_id)

    def press(self, press: Press, by: Pressed) -> Answer | Opened | Turn:
        """Do what a press asks, if the match still stands as the button was drawn.

        Returns:
            What to show or to post; or the bot's turn, to be thought about elsewhere and then
            given to `keep`.
        """
        found = self._find(press, by)
        if isinstance(found, Answer):
            return self._opened_elsewhere(press, by) or found
        changed = _apply(press, found, by)
        if isinstance(changed, Refusal):
            return Answer(refusal=changed)
        if changed.next_id is not None:
            return self._open_rematch(changed, press, by)
        if changed.is_live:
            changed = replace(changed, deadline_at=self.deadline(accepted=True))
        level = changed.to_move.level if changed.to_move else None
        if level is None or is_quick(changed.board):
            return self._keep(self._let_bot_move(changed), press, by)
        return Turn(changed, level, press, by)

    def keep(self, turn: Turn, cell: Cell) -> Answer | Opened | Turn:
        """Do what a press asks, with the bot's reply to it."""
        return self._keep(_reply(turn.match, cell), turn.press, turn.by)

    def hint(self, press: Press, by: Pressed) -> Match | Answer:
        """Let a player look at what each move is worth, and note that: the board stays as drawn.

        Returns:
            The match to look at; or what to show because there is no hint.
        """
        found = self._find(press, by)
        if isinstance(found, Answer):
            return found
        if refusal := found.refuse_hint(by.user_id):
            return Answer(refusal=refusal)
        return found if self._store.count_hint(found) else self.hint(press, by)

    def open_lesson(self, channel_id: int, user_id: int) -> Record:
        """The game going on in a channel, to learn from; an empty one where there is none.

        Two people are not looked at while they play, and to look while playing the bot is a hint.
        """
        match = self.live_match(channel_id)
        if match is None or match.is_between_people:
            return Record()
        if not match.moves or len(match.board.actions()) < _LEAST_TO_TEACH:
            return Record(match.rules)
        if match.refuse_hint(user_id) is None and not self._store.count_hint(match):
            return self.open_lesson(channel_id, user_id)
        return match.record

    def last_played(self, channel_id: int) -> Match | None:
        """The newest match of a channel that is over and has moves to review."""
        return self._store.last_played(channel_id)

    def level_in(self, guild_id: int | None) -> Level:
        """How strong the bot plays in a server, unless asked otherwise."""
        name = None if guild_id is None else self._store.fact(_level_in(guild_id))
        return Level.__members__.get(name or "", Level.IMPOSSIBLE)

    def set_level_in(self, guild_id: int, level: Level) -> None:
        self._store.remember(_level_in(guild_id), level.name)

    def _find(self, press: Press, by: Pressed) -> Match | Answer:
        """The match that was pressed, as it was drawn; or what to show because it is not so."""
        match = self._store.load(press.match_id)
        if match is None or match.place.channel_id != by.channel_id:
            return Answer(refusal=Refusal.UNKNOWN_MATCH)
        if by.message_id < (match.place.message_id or 0):
            return Answer(match, Refusal.BOARD_MOVED)
        if match.is_due(self._clock.passed()):
            ended = self._store.save(match.expire()) or self._store.load(match.id)
            if ended is not None and ended.is_due(self._clock.passed()):  # a hint came between
                return self._find(press, by)
            return Answer(ended, Refusal.TIME_IS_UP)
        return match if press.version == match.version else self._outdated(press, match, by)

    def _outdated(self, press: Press, match: Match, by: Pressed) -> Answer:
        if match.is_live and by.message_id > (match.place.message_id or by.message_id):
            return Answer(match, Refusal.BOARD_MOVED)
        if not match.is_live and not self._is_shown_on(match, by.message_id):
            return Answer(refusal=Refusal.MATCH_OVER)
        return Answer(match, _why_outdated(press, match, by))

    def _is_shown_on(self, match: Match, message_id: int) -> bool:
        """Whether a message shows a match that is over; an older release put the rematch there."""
        if match.place.message_id not in (None, message_id):
            return False
        successor = self._store.load(match.next_id) if match.next_id else None
        return successor is None or successor.place.message_id != message_id

    def _keep(self, match: Match, press: Press, by: Pressed) -> Answer | Opened | Turn:
        saved = self._store.save(_shown_by(match, by))
        if saved is None:
            return self.press(press, by)  # somebody was faster: see what stands now
        if match.place.message_id != by.message_id:
            self._store.place(match.id, by.message_id)
        return Answer(saved)

    def _open_rematch(self, match: Match, press: Press, by: Pressed) -> Answer | Opened | Turn:
        match = _shown_by(match, by)
        successor = self._let_bot_move(match.successor(self.deadline(accepted=True)))
        saved = self._store.save_with_successor(match, successor)
        if saved is not None:
            return Opened(successor, before=saved)
        stands = self._store.load(match.id)
        is_unchanged = stands is not None and stands.version == match.version
        if is_unchanged and (holder := self.live_match(match.place.channel_id)):
            return _in_the_way(holder)
        return self.press(press, by)

    def _opened_elsewhere(self, press: Press, by: Pressed) -> Opened | None:
        """The rematch that this very press opened already, in another process."""
        before = self._store.load(press.match_id) if press.verb is Verb.REMATCH else None
        if before is None or before.next_id != by.new_id:
            return None
        successor = self._store.load(by.new_id)
        return None if successor is None else Opened(successor, before=before)

    def _let_bot_move(self, match: Match) -> Match:
        player = match.to_move
        if player is None or player.level is None:
            return match
        return _reply(match, choose_move(match.board, player.level, self._rng))

    def stop(self, channel_id: int, user_id: int, *, is_moderator: bool) -> Answer:
        """End the channel's live match on behalf of a player or a moderator."""
        match = self.live_match(channel_id)
        if match is None:
            return Answer(refusal=Refusal.NO_MATCH_HERE)
        stopped = match.stop(user_id, is_moderator=is_moderator)
        if isinstance(stopped, Refusal):
            return Answer(refusal=stopped)
        saved = self._store.save(stopped)
        if saved is None:  # somebody moved meanwhile: stop what stands now
            return self.stop(channel_id, user_id, is_moderator=is_moderator)
        return Answer(saved)

    def sweep(self) -> None:
        """End the matches whose time is up."""
        for match in self._store.expire(self._clock.passed()):
            self._ended_by_time.put(match)

    def _end_by_time(self, match: Match) -> None:
        if ended := self._store.save(match.expire()):
            self._ended_by_time.put(ended)

    def take_ended_by_time(self) -> list[Match]:
        """The matches that time has ended here since this was last asked: nobody saw it yet."""
        ended = []
        with suppress(Empty):
            while True:
                ended.append(self._ended_by_time.get_nowait())
        return ended

    def prune(self, keep: timedelta | None) -> int:
        """Forget some of the matches that ended longer ago, or long ago without a move.

        Returns:
            How many.
        """
        passed = self._clock.passed()
        if passed <= LONG_AGO:
            return 0
        unplayed = self._store.prune_unplayed(first_id_at(passed - _KEPT_UNPLAYED))
        if keep is None or passed - LONG_AGO <= keep:
            return unplayed
        return unplayed + self._store.prune(passed - keep, first_id_at(passed - keep))

    def break_off(self, busy_seconds: float) -> None:
        """Free the threads in which the database has been silent for longer."""
        self._store.break_off(busy_seconds)


def _in_the_way(holder: Match) -> Answer:
    return Answer(holder, Refusal.CHANNEL_BUSY if holder.accepted else Refusal.CHALLENGE_HERE)


def first_id_at(moment: datetime) -> int:
    """The least id that Discord gives out at a moment: its ids begin with the milliseconds."""
    return int((moment - LONG_AGO).total_seconds() * 1000) << 22


def _reply(match: Match, cell: Cell) -> Match:
    """The match once the bot, whose turn it is, has moved."""
    assert match.to_move is not None, "the match goes on"
    played = match.play(match.to_move.user_id, cell)
    assert isinstance(played, Match), "the engine's moves are legal"
    return played


def _shown_by(match: Match, by: Pressed) -> Match:
    return replace(match, place=replace(match.place, message_id=by.message_id))


def _level_in(guild_id: int) -> str:
    return f"level in {guild_id}"


def _why_outdated(press: Press, match: Match, by: Pressed) -> Refusal | None:
    """What to say of a press on a board that has changed; nothing if it was done already.

    That is a double click, or a press that two processes were told of.
    """
    mark = match.mark_of(by.user_id)
    if mark is None:
        return Refusal.NOT_A_PLAYER
    if press.cell is not None and match.board[press.cell] is mark:
        return None
    return Refusal.OUTDATED


_CHANGES: dict[Verb, Callable[[Match, int], Match | Refusal]] = {
    Verb.RESIGN: Match.resign,
    Verb.ACCEPT: Match.accept,
    Verb.DECLINE: Match.decline,
    Verb.CANCEL: Match.cancel,
}


def _apply(press: Press, match: Match, by: Pressed) -> Match | Refusal:
    if press.verb is Verb.PLAY:
        assert press.cell is not None, "a press that plays names its cell"
        return match.play(by.user_id, press.cell)
    if press.verb is Verb.REMATCH:
        return match.rematch(by.user_id, by.new_id)
    return _CHANGES[press.verb](match, by.user_id)
