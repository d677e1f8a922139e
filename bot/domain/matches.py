"""A match: two players, a board, a channel. `match_actions` has the rules for changing one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Cell,
    Level,
    Mark,
    Outcome,
    Record,
    Rules,
    rules_named,
)

BOARDS = (
    TIC_TAC_TOE,
    Rules(4, 4, 3),
    Rules(4, 4, 4),
    Rules(5, 5, 4),
    Rules(5, 5, 5),
    INFINITE,
    MISERE,
)
"""The boards to choose from."""

BOARDS_BY_NAME = {rules.name: rules for rules in BOARDS}

MAX_BOARD_SIZE = 5
"""The most columns, and rows: Discord allows five buttons a row, and five rows beside controls."""


class EndReason(Enum):
    """The ways in which a match ends."""

    WON = "won"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    TIMED_OUT = "timed out"
    CALLED_OFF = "called off"
    STOPPED = "stopped"
    LEFT = "left"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


_COUNTED_REASONS = (EndReason.WON, EndReason.DRAWN, EndReason.RESIGNED, EndReason.TIMED_OUT)
"""The ends that give a match a result."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, and who won it, if anybody."""

    reason: EndReason
    winner: Mark | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A player: a Discord user, or the bot itself, which plays at a level."""

    user_id: int
    level: Level | None = None

    @property
    def is_bot(self) -> bool:
        return self.level is not None


class Setup(NamedTuple):
    """A match against the bot: the board, the bot's level and the person's mark.

    Without a mark, sides swap from one match to the next. `str(setup)` is how it is stored.
    """

    rules: Rules
    level: Level
    mark: Mark | None = None

    def __str__(self) -> str:
        text = f"{self.rules.name} {self.level.name}"
        return f"{text} {self.mark.value}" if self.mark else text

    @classmethod
    def parse(cls, text: str) -> Setup:
        """Raises KeyError or ValueError if this release has no such match."""
        rules, level, *mark = text.split(" ")
        return cls(rules_named(rules), Level[level], Mark(mark[0]) if mark else None)


class Trail(NamedTuple):
    """Where a match against the bot stands on its player's path.

    Attributes:
        goal: What the match counts for; None if for nothing.
        draws: How many draws count for that.
        stops: How many stops the player has passed; None if that may not be shown.
        following: What is next, if it is not a rematch.
        is_passed: Whether the match has passed its goal.
    """

    goal: Setup | None
    draws: int = 0
    stops: int | None = None
    following: Setup | None = None
    is_passed: bool = False

    def __str__(self) -> str:
        stops = "" if self.stops is None else self.stops
        fields = (self.goal or "", self.draws, stops, self.following or "", int(self.is_passed))
        return "|".join(map(str, fields))

    @classmethod
    def parse(cls, text: str) -> Trail:
        """Raises KeyError or ValueError if the text is malformed."""
        goal, draws, stops, following, is_passed = text.split("|")
        return cls(
            Setup.parse(goal) if goal else None,
            int(draws),
            int(stops) if stops else None,
            Setup.parse(following) if following else None,
            is_passed == "1",
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played.

    Attributes:
        channel_id: The channel, or the thread.
        guild_id: The server; None in direct messages.
        locale: The language spoken there: a Discord locale, or one of ours.
        message_id: The newest message that shows the board; None until one is posted.
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

    Attributes:
        id: The snowflake of the interaction that opened it.
        place: Where it is played.
        x: The player who moves first.
        o: The other player.
        opened_by: The user who started it.
        accepted: Whether the other player agreed to play.
        deadline_at: When the time to answer, to move, or to agree to a rematch runs out.
        rules: The board, and what wins on it.
        moves: The cells in the order in which they were taken.
        early_ending: How it ended before the board was decided; None if it did not.
        rematch_asked_by: The user who asked for a rematch: the second one, if both did.
        next_id: The id of the rematch, once both players agreed.
        hints: How many hints were given.
        ended_at: When it ended; None while it is live, and where it was ended unread.
        head_to_head: The score of its two people before this match, from the side of X; None if
            it may not be shown.
        trail: Where it stands on the path of who plays the bot; None if that may not be shown.
        turn_minutes: How long a turn lasts; None for the host's default.
        is_open: Whether the bot's seat was offered to others; see `has_open_seat`.
        version: How many changes have been stored.

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
    early_ending: Ending | None = None
    rematch_asked_by: int | None = None
    next_id: int | None = None
    hints: int = 0
    ended_at: datetime | None = None
    head_to_head: HeadToHead | None = None
    trail: Trail | None = None
    turn_minutes: int | None = None
    is_open: bool = False
    version: int = 0

    def __post_init__(self) -> None:
        if max(self.rules.columns, self.rules.rows) > MAX_BOARD_SIZE:
            raise ValueError(f"no message can show this board: {self.rules}")

    @cached_property
    def record(self) -> Record:
        return Record(self.rules, self.moves)

    @cached_property
    def board(self) -> Board:
        return _position(self.rules, self.moves)[0]

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended on the board; None if it did not."""
        return _position(self.rules, self.moves)[1]

    @cached_property
    def ending(self) -> Ending | None:
        """How the match ended, on the board or away from it; None while it is live."""
        if self.outcome is None:
            return self.early_ending
        winner = self.outcome.winner
        return Ending(EndReason.WON, winner) if winner else Ending(EndReason.DRAWN)

    @property
    def winner(self) -> Player | None:
        """The player who won; None while the match is live, and if nobody did."""
        if self.ending is None or self.ending.winner is None:
            return None
        return self.players[self.ending.winner]

    @property
    def is_live(self) -> bool:
        """Whether it is an open challenge or a game in progress; a channel holds one at most."""
        return self.ending is None

    @property
    def players(self) -> dict[Mark, Player]:
        return {Mark.X: self.x, Mark.O: self.o}

    @property
    def to_move(self) -> Player | None:
        """The player whose turn it is; None for a challenge, and after the end."""
        if not self.accepted or not self.is_live:
            return None
        return self.players[self.board.to_move]

    @property
    def person_mark(self) -> Mark:
        """The mark of the person who plays the bot."""
        return Mark.O if self.x.is_bot else Mark.X

    @property
    def is_between_people(self) -> bool:
        return self.bot_level is None

    @property
    def bot_level(self) -> Level | None:
        """How strongly the bot plays; None between people."""
        return self.x.level or self.o.level

    @property
    def has_open_seat(self) -> bool:
        """Whether a person may take the bot's seat: until the bot's opponent has moved."""
        if not self.is_open or not self.is_live or self.is_between_people:
            return False
        moves_before_person = 1 if self.x.is_bot else 0
        return len(self.moves) <= moves_before_person

    @property
    def challenged_id(self) -> int:
        """The user who was asked to play."""
        return self.opponent_of(self.opened_by)

    def opponent_of(self, user_id: int) -> int:
        """The user id of the other player."""
        return self.o.user_id if user_id == self.x.user_id else self.x.user_id

    def mark_of(self, user_id: int) -> Mark | None:
        """The mark of a player; None for anybody else."""
        for mark, player in self.players.items():
            if player.user_id == user_id:
                return mark
        return None

    def is_overdue(self, now: datetime) -> bool:
        """Whether the time to answer or to move has run out."""
        return self.is_live and now >= self.deadline_at


@dataclass(frozen=True, slots=True)
class PrivateMatch:
    """A match of one person against the bot that is stored nowhere: pages hold all there is of it.

    Attributes:
        record: The moves so far.
        level: How strongly the bot plays.
        side: The person's mark.
        start: The ply from which it was played. What comes before is a position, whose marks may
            have come in any order.
    """

    record: Record
    level: Level
    side: Mark
    start: int = 0

    def __str__(self) -> str:
        text = f"{self.record.code}.{self.level.name}.{self.side.value}"
        return f"{text}.{self.start}" if self.start else text

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`. Raises ValueError if there is no such match."""
        code, level, side, *start = text.split(".")
        if level not in Level.__members__ or len(start) > 1:
            raise ValueError(f"not a private match: {text}")
        match = cls(Record.read(code), Level[level], Mark(side), *map(int, start))
        if match.record.rules not in BOARDS:
            raise ValueError(f"this board is not played: {text}")
        if match.start not in range(len(match.record.moves) + 1):
            raise ValueError(f"the match has no such ply: {text}")
        return match


AnyGame = Record | int | PrivateMatch
"""A game to review: its moves, the id of a match, or a private match."""


@lru_cache(maxsize=1_000)  # a press copies a match several times, most of them with the same moves
def _position(rules: Rules, moves: tuple[Cell, ...]) -> tuple[Board, Outcome | None]:
    """The board after these moves, and how the game ended on it, if it did."""
    board = Board.after(moves, rules)
    return board, board.outcome()


class MatchResult(Enum):
    """The result of a match for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class HeadToHead(NamedTuple):
    """How many matches the first of two people has won, drawn and lost against the second."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return sum(self)

    @property
    def reversed_sides(self) -> HeadToHead:
        """The same score from the second person's side."""
        return HeadToHead(self.lost, self.drawn, self.won)

    def after(self, result: MatchResult) -> HeadToHead:
        """The score after one more match, with its result for the first person."""
        return HeadToHead(
            won=self.won + int(result is MatchResult.WON),
            drawn=self.drawn + int(result is MatchResult.DRAWN),
            lost=self.lost + int(result is MatchResult.LOST),
        )

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}"

    @classmethod
    def parse(cls, text: str) -> HeadToHead:
        """Raises ValueError if the text is malformed."""
        won, drawn, lost = map(int, text.split("-"))
        return cls(won, drawn, lost)


def result_for(mark: Mark, match: Match) -> MatchResult | None:
    """The result of a match for one side; None if it has none, or none yet.

    A match without moves has none, however it ended.
    """
    ending = match.ending
    if ending is None or ending.reason not in _COUNTED_REASONS or not match.moves:
        return None
    if ending.winner is None:
        return MatchResult.DRAWN
    return MatchResult.WON if ending.winner is mark else MatchResult.LOST


def head_to_head_after(match: Match) -> HeadToHead | None:
    """`match.head_to_head` with this match included; None if that is None."""
    result = result_for(Mark.X, match)
    if match.head_to_head is None or result is None:
        return match.head_to_head
    return match.head_to_head.after(result)


class FirstPlayer(Enum):
    """Who moves first, as X."""

    OPENER = "me"
    OPPONENT = "opponent"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A request for a match.

    Attributes:
        id: The snowflake of the interaction, and of the match.
        place: Where to open it.
        opener_id: The user who asks.
        opponent_id: The other person; None for the bot.
        rules: None for the server's choice.
        level: How strongly the bot plays; None for the server's choice or, if it has made none,
            the level that the opener has to beat next on that board.
        first: Who moves first; None for the opener, unless their path asks for the other side.
        parent_id: The channel of a thread.
    """

    id: int
    place: Place
    opener_id: int
    opponent_id: int | None = None
    rules: Rules | None = None
    level: Level | None = None
    first: FirstPlayer | None = None
    parent_id: int | None = None

    @property
    def leaves_seat_open(self) -> bool:
        """Whether others may take the bot's seat: in a server, unless the bot was asked for."""
        is_in_server = self.place.guild_id is not None
        has_chosen_opponent = self.opponent_id is not None or self.level is not None
        return is_in_server and not has_chosen_opponent


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """A new match is to be posted in a message of its own.

    Attributes:
        match: The new match.
        pinged_user_id: The user to mention; None for nobody.
        also_changed: Other matches, whose boards must be redrawn.
    """

    match: Match
    pinged_user_id: int | None = None
    also_changed: tuple[Match, ...] = ()
