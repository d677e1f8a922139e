"""What happens when somebody opens a match, presses a button, or lets time run out.

The arena loads a match, asks it what may happen, lets the bot reply, and stores the result.
It knows neither Discord nor words.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.match import Match, Refusal
from bot.press import Press, Verb
from bot.store import Store
from engine import choose_move

Clock = Callable[[], datetime]
"""Says what time it is, in UTC."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What to show: a board, a sentence that says why nothing happened, or both."""

    match: Match | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Pressed:
    """The circumstances of a press: who, on which message, and an id new to this world."""

    user_id: int
    message_id: int
    new_id: int


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
        self._ended_by_time: list[Match] = []

    def deadline(self, *, accepted: bool) -> datetime:
        """When a turn begun now, or a challenge made now, runs out."""
        return self._clock() + (self._turn_limit if accepted else self._challenge_limit)

    async def open(self, match: Match) -> Answer:
        """Open a match in its channel, unless a live one holds it."""
        if holder := await self.live_match(match.place.channel_id):
            return Answer(holder, Refusal.CHANNEL_BUSY)
        opened = await self._let_bot_move(match)
        if await self._store.add(opened):
            return Answer(opened)
        place = match.place
        holder = await self.live_match(place.channel_id) or await self._store.latest(match.id)
        return Answer(holder, Refusal.CHANNEL_BUSY) if holder else await self.open(match)

    async def live_match(self, channel_id: int) -> Match | None:
        """The channel's challenge or game going on; one whose time is up is ended first."""
        await self.sweep(channel_id)
        return await self._store.live_match(channel_id)

    async def shown(self, match: Match, message_id: int) -> None:
        """Remember the message that shows the board, unless a newer one does."""
        await self._store.place(match.id, message_id)

    async def abandon(self, match: Match) -> None:
        """Give the channel back: this match could not be shown to anybody."""
        await self._store.save(match.expire())

    async def press(self, press: Press, by: Pressed) -> Answer:
        """Do what a press asks, if the match still stands as the button was drawn."""
        match = await self._store.latest(press.match_id)
        if match is None:
            return Answer(refusal=Refusal.UNKNOWN_MATCH)
        if match.is_due(self._clock()):
            ended = await self._store.save(match.expire())
            return Answer(ended or await self._store.latest(match.id), Refusal.TIME_IS_UP)
        if by.message_id < (match.place.message_id or 0):
            return Answer(match, Refusal.BOARD_MOVED)
        if (press.match_id, press.version) != (match.id, match.version):
            is_player = match.mark_of(by.user_id) is not None
            return Answer(match, Refusal.OUTDATED if is_player else Refusal.NOT_A_PLAYER)
        changed = _apply(press, match, by)
        if isinstance(changed, Refusal):
            return Answer(refusal=changed)
        return await self._keep(changed, by.message_id)

    async def _keep(self, match: Match, message_id: int) -> Answer:
        if match.place.message_id != message_id:
            await self._store.place(match.id, message_id)
            match = replace(match, place=replace(match.place, message_id=message_id))
        if match.next_id is not None:
            return await self._open_rematch(match)
        if match.is_live:
            match = replace(match, deadline_at=self.deadline(accepted=True))
        saved = await self._store.save(await self._let_bot_move(match))
        if saved is None:
            return Answer(await self._store.latest(match.id), Refusal.OUTDATED)
        return Answer(saved)

    async def _open_rematch(self, match: Match) -> Answer:
        if holder := await self.live_match(match.place.channel_id):
            return Answer(holder, Refusal.CHANNEL_BUSY)
        successor = await self._let_bot_move(match.successor(self.deadline(accepted=True)))
        if await self._store.save_with_successor(match, successor):
            return Answer(successor)
        return Answer(await self._store.latest(match.id), Refusal.OUTDATED)

    async def _let_bot_move(self, match: Match) -> Match:
        player = match.to_move
        if player is None or player.level is None:
            return match
        cell = await asyncio.to_thread(choose_move, match.board, player.level, self._rng)
        played = match.play(player.user_id, cell)
        assert isinstance(played, Match), "the engine's moves are legal"
        return played

    async def stop(self, channel_id: int, user_id: int, *, is_moderator: bool) -> Answer:
        """End the channel's live match on behalf of a player or a moderator."""
        match = await self.live_match(channel_id)
        if match is None:
            return Answer(refusal=Refusal.NO_MATCH_HERE)
        stopped = match.stop(user_id, is_moderator=is_moderator)
        if isinstance(stopped, Refusal):
            return Answer(refusal=stopped)
        saved = await self._store.save(stopped)
        if saved is None:  # somebody moved meanwhile: stop what stands now
            return await self.stop(channel_id, user_id, is_moderator=is_moderator)
        return Answer(saved)

    async def sweep(self, channel_id: int | None = None) -> None:
        """End the matches whose time is up, everywhere or in one channel."""
        ended = await self._store.expire(self._clock(), channel_id)
        self._ended_by_time += ended  # apart from the await: others take the list meanwhile

    def take_ended_by_time(self) -> list[Match]:
        """The matches that time has ended here since this was last asked: nobody saw it yet."""
        ended, self._ended_by_time = self._ended_by_time, []
        return ended


def _apply(press: Press, match: Match, by: Pressed) -> Match | Refusal:
    match press.verb:
        case Verb.PLAY:
            assert press.cell is not None, "a press that plays names its cell"
            return match.play(by.user_id, press.cell)
        case Verb.RESIGN:
            return match.resign(by.user_id)
        case Verb.REMATCH:
            return match.rematch(by.user_id, by.new_id)
        case Verb.ACCEPT:
            return match.accept(by.user_id)
        case Verb.DECLINE:
            return match.decline(by.user_id)
        case Verb.CANCEL:
            return match.cancel(by.user_id)
