"""A match: two players, a board, a channel. Pure values and the rules of the house.

Every change returns the next match, or a `Refusal` that says why nothing happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cached_property

from bot.game.refusal import Refusal
from engine import TIC_TAC_TOE, Board, Cell, Level, Mark, Outcome, Record, Rules, bit_set

LARGEST = 5
"""Columns and rows: Discord allows five buttons a row, and as many rows beside the controls."""


class How(Enum):
    """The ways in which a match ends."""

    WON = "won"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    TIMED_OUT = "timed out"
    CALLED_OFF = "called off"
    STOPPED = "stopped"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, and who won it, if anybody."""

    how: How
    winner: Mark | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the board: a Discord user, or the bot itself playing at a level."""

    user_id: int
    level: Level | None = None

    @property
    def is_bot(self) -> bool:
        return self.level is not None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played, and the language spoken there (a Discord locale).

    `message_id` is the newest message that shows the board; None until Discord has named it.
    """

    channel_id: int
    guild_id: int | None
    locale: str
    message_id: int | None = None

    @property
    def link(self) -> str:
        """The address of the board's message, or of its channel while there is none."""
        guild = self.guild_id or "@me"
        address = f"https://discord.com/channels/{guild}/{self.channel_id}"
        return f"{address}/{self.message_id}" if self.message_id else address


@dataclass(frozen=True)
class Match:
    """One match, from the challenge to its end.

    `version` counts its stored changes. `opened_by` is the user who started it, `accepted` says
    whether the other player agreed to play, `asks_rematch` which user wants another match after
    this one, and `next_id` which match that became. `hints` counts those that were given.

    Raises:
        ValueError: The board is larger than can be shown.
    """

    id: int
    place: Place
    x: Player
    o: Player
    opened_by: int
    accepted: bool
    deadline_at: datetime
    rules: Rules = TIC_TAC_TOE
    moves: tuple[Cell, ...] = ()
    broken_off: Ending | None = None
    asks_rematch: int | None = None
    next_id: int | None = None
    hints: int = 0
    version: int = 0

    def __post_init__(self) -> None:
        if max(self.rules.columns, self.rules.rows) > LARGEST:
            raise ValueError(f"no message can show this board: {self.rules}")

    @cached_property
    def record(self) -> Record:
        return Record(self.rules, self.moves)

    @cached_property
    def board(self) -> Board:
        return Board(self.rules, x=bit_set(self.moves[::2]), o=bit_set(self.moves[1::2]))

    @cached_property
    def outcome(self) -> Outcome | None:
        """What the board says of how it ended."""
        return self.board.outcome()

    @cached_property
    def ending(self) -> Ending | None:
        """How it ended: on the board or away from it; None while it is live."""
        if self.outcome is None:
            return self.broken_off
        winner = self.outcome.winner
        return Ending(How.WON, winner) if winner else Ending(How.DRAWN)

    @property
    def is_live(self) -> bool:
        """Whether it is a challenge or a game going on: what a channel holds one of."""
        return self.ending is None

    @property
    def players(self) -> dict[Mark, Player]:
        return {Mark.X: self.x, Mark.O: self.o}

    @property
    def to_move(self) -> Player | None:
        """The player whose turn it is; None before the match and after."""
        return self.players[self.board.to_move] if self.accepted and self.is_live else None

    @property
    def is_between_people(self) -> bool:
        return not (self.x.is_bot or self.o.is_bot)

    @property
    def challenged(self) -> int:
        """The user who was asked to play."""
        return self.o.user_id if self.opened_by == self.x.user_id else self.x.user_id

    def mark_of(self, user_id: int) -> Mark | None:
        return next((m for m, p in self.players.items() if p.user_id == user_id), None)

    def is_due(self, now: datetime) -> bool:
        """Whether the time to answer or to move has run out."""
        return self.is_live and now >= self.deadline_at

    def play(self, user_id: int, cell: Cell) -> Match | Refusal:
        if refusal := self._refuse_to_play(user_id):
            return refusal
        if self.mark_of(user_id) is not self.board.to_move:
            return Refusal.NOT_YOUR_TURN
        if cell not in self.board.actions():
            return Refusal.CELL_TAKEN
        return replace(self, moves=(*self.moves, cell))

    def resign(self, user_id: int) -> Match | Refusal:
        if refusal := self._refuse_to_play(user_id):
            return refusal
        mark = self.mark_of(user_id)
        assert mark is not None, "only a player is allowed this far"
        return replace(self, broken_off=Ending(How.RESIGNED, winner=mark.other))

    def refuse_hint(self, user_id: int) -> Refusal | None:
        """Why somebody gets no hint; None for whoever plays the bot."""
        if refusal := self._refuse_to_play(user_id):
            return refusal
        return Refusal.HINT_BETWEEN_PEOPLE if self.is_between_people else None

    def _refuse_to_play(self, user_id: int) -> Refusal | None:
        if self.mark_of(user_id) is None:
            return Refusal.NOT_A_PLAYER
        if not self.is_live:
            return Refusal.MATCH_OVER
        return None if self.accepted else Refusal.OPEN_CHALLENGE

    def accept(self, user_id: int) -> Match | Refusal:
        return self._refuse_to_answer(user_id) or replace(self, accepted=True)

    def decline(self, user_id: int) -> Match | Refusal:
        return self._refuse_to_answer(user_id) or self._break_off(How.DECLINED)

    def _refuse_to_answer(self, user_id: int) -> Refusal | None:
        if user_id != self.challenged:
            return Refusal.NOT_THE_CHALLENGED
        return self._refuse_as_challenge()

    def cancel(self, user_id: int) -> Match | Refusal:
        if user_id != self.opened_by:
            return Refusal.NOT_THE_CHALLENGER
        return self._refuse_as_challenge() or self._break_off(How.CANCELLED)

    def _refuse_as_challenge(self) -> Refusal | None:
        if not self.is_live:
            return Refusal.MATCH_OVER
        return Refusal.MATCH_GOING_ON if self.accepted else None

    def stop(self, user_id: int, *, is_moderator: bool) -> Match | Refusal:
        """End it by command: a player leaves in their own way, a moderator without result."""
        if not self.is_live:
            return Refusal.MATCH_OVER
        if self.mark_of(user_id) is None:
            return self._break_off(How.STOPPED) if is_moderator else Refusal.NOT_YOURS_TO_STOP
        if self.accepted:
            return self.resign(user_id)
        return self.cancel(user_id) if user_id == self.opened_by else self.decline(user_id)

    def expire(self) -> Match:
        """End it because nobody answered or moved in time.

        Between two people the one who waited wins, provided both have moved.
        """
        if not self.accepted:
            return self._break_off(How.LAPSED)
        if self.is_between_people and len(self.moves) >= len(Mark):
            waited = self.board.to_move.other
            return replace(self, broken_off=Ending(How.TIMED_OUT, winner=waited))
        return self._break_off(How.CALLED_OFF)

    def _break_off(self, how: How) -> Match:
        return replace(self, broken_off=Ending(how))

    def rematch(self, user_id: int, next_id: int) -> Match | Refusal:
        """Ask for another match: the bot agrees at once, a person by asking too.

        Returns:
            This match, waiting for the other player or, once both agreed, followed by `next_id`.
        """
        if self.mark_of(user_id) is None:
            return Refusal.NOT_A_PLAYER
        if not self.can_have_rematch:
            return Refusal.MATCH_GOING_ON if self.is_live else Refusal.MATCH_OVER
        if self.asks_rematch == user_id:
            return Refusal.REMATCH_ASKED
        if self.is_between_people and self.asks_rematch is None:
            return replace(self, asks_rematch=user_id)
        return replace(self, asks_rematch=user_id, next_id=next_id)

    @property
    def can_have_rematch(self) -> bool:
        """Whether it was played to some end of the players' own, and nothing followed it yet."""
        ended = self.ending is not None and self.ending.how is not How.STOPPED
        return ended and bool(self.moves) and self.next_id is None

    def successor(self, deadline_at: datetime) -> Match:
        """The match that `next_id` names: the same players with their sides swapped."""
        assert self.next_id is not None, "only an agreed rematch has a successor"
        return Match(
            id=self.next_id,
            place=replace(self.place, message_id=None),
            x=self.o,
            o=self.x,
            opened_by=self.opened_by,
            accepted=True,
            deadline_at=deadline_at,
            rules=self.rules,
        )
