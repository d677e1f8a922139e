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
_LEAST_TO_TEACH = 3  # cells; with fewer there is no tree to speak of


@dataclass(frozen=True, slots=True)
class Answer:
    """What to show: a board, a sentence that says why nothing happened, or both."""

    match: Match | None = None
    refusal: Refusal | None = None


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

    def open(self, match: Match, *, at_level_of_server: bool = False) -> Answer:
        """Open a match in its channel, unless a live one holds it.

        The bot plays it as strongly as the match says, or else as the server has chosen.
        """
        if at_level_of_server:
            match = self._at_level_of_server(match)
        for _ in range(_ATTEMPTS):
            opened = self._let_bot_move(match)
            if self._store.add(opened):
                return Answer(opened)
            holder = self.live_match(match.place.channel_id) or self._store.latest(match.id)
            if holder is not None:
                is_the_same = holder.id == match.id  # by a retry, or by two processes
                return Answer(holder, None if is_the_same else Refusal.CHANNEL_BUSY)
        raise RuntimeError(f"match {match.id} can be neither stored nor found")

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
            stands = self._store.latest(match.id)
            if stands is not None and stands.version == match.version:  # a hint came between
                self.abandon(stands)

    def press(self, press: Press, by: Pressed) -> Answer | Turn:
        """Do what a press asks, if the match still stands as the button was drawn.

        Returns:
            What to show; or the bot's turn, to be thought about elsewhere and then given to `keep`.
        """
        found = self._find(press, by)
        if isinstance(found, Answer):
            return found
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

    def keep(self, turn: Turn, cell: Cell) -> Answer | Turn:
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
        match = self._store.latest(press.match_id)
        if match is None or match.place.channel_id != by.channel_id:
            return Answer(refusal=Refusal.UNKNOWN_MATCH)
        if by.message_id < (match.place.message_id or 0):
            return Answer(match, Refusal.BOARD_MOVED)
        if match.is_due(self._clock.passed()):
            ended = self._store.save(match.expire()) or self._store.latest(match.id)
            if ended is not None and ended.is_due(self._clock.passed()):  # a hint came between
                return self._find(press, by)
            return Answer(ended, Refusal.TIME_IS_UP)
        if (press.match_id, press.version) != (match.id, match.version):
            return Answer(match, _why_outdated(press, match, by))
        return match

    def _keep(self, match: Match, press: Press, by: Pressed) -> Answer | Turn:
        saved = self._store.save(_shown_by(match, by))
        if saved is None:
            return self.press(press, by)  # somebody was faster: see what stands now
        if match.place.message_id != by.message_id:
            self._store.place(match.id, by.message_id)
        return Answer(saved)

    def _open_rematch(self, match: Match, press: Press, by: Pressed) -> Answer | Turn:
        match = _shown_by(match, by)
        successor = self._let_bot_move(match.successor(self.deadline(accepted=True)))
        if self._store.save_with_successor(match, successor):
            return Answer(successor)
        stands = self._store.latest(match.id)
        is_unchanged = stands and (stands.id, stands.version) == (match.id, match.version)
        if is_unchanged and (holder := self.live_match(match.place.channel_id)):
            return Answer(holder, Refusal.CHANNEL_BUSY)
        return self.press(press, by)

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

    def prune(self, keep: timedelta) -> int:
        """Forget some of the matches that ended longer ago; returns how many."""
        before = self._clock.passed() - keep
        return self._store.prune(before, first_id_at(before)) if before > LONG_AGO else 0

    def break_off(self, busy_seconds: float) -> None:
        """Free the threads in which the database has been silent for longer."""
        self._store.break_off(busy_seconds)


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
    if press.cell is not None and match.id == press.match_id and match.board[press.cell] is mark:
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
