"""Private matches against the bot: the page that is the match, and where one may begin."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import zip_longest

from bot.domain.matches import BOARDS, Match, Place, Player, PrivateMatch
from bot.domain.pages import Page
from engine import Board, Cell, Level, Mark, Record

_NEVER = datetime.max.replace(tzinfo=UTC)


class PrivateAction(Enum):
    """What a press does in a private match."""

    PLAY = "play"
    HINT = "hint"
    WHY = "why"  # all about a move
    DESCRIBE = "describe"  # the position in words


_ABOUT_CELLS = (PrivateAction.PLAY, PrivateAction.WHY)


@dataclass(frozen=True, slots=True)
class PrivatePage(Page):
    """A private match as it stands, and what a press does in it.

    PLAY without a cell lets the bot move, if it is its turn. WHY without one is about the best
    move.
    """

    kind = "own"
    optional = ("action", "cell")

    match: PrivateMatch
    action: PrivateAction = PrivateAction.PLAY
    cell: Cell | None = None

    def check(self) -> None:
        board = self.match.record.boards[-1]
        has_cell = self.cell is not None
        if has_cell and not (self.action in _ABOUT_CELLS and self.cell in board.rules.cells):
            raise ValueError(f"there is no such cell: {self}")
        if self.action is PrivateAction.DESCRIBE:
            return
        if board.is_terminal:
            raise ValueError(f"the match is over: {self}")
        is_move = has_cell or self.action is not PrivateAction.PLAY
        if is_move and board.to_move is not self.match.side:
            raise ValueError(f"it is the bot's turn: {self}")


def new_private(match: Match) -> PrivatePage:
    """The private match in place of one against the bot that could not be opened."""
    assert match.bot_level is not None, "it is against the bot"
    return PrivatePage(PrivateMatch(match.record, match.bot_level, match.person_mark))


def play_on(record: Record, ply: int, side: Mark, level: Level | None = None) -> PrivatePage | None:
    """The private match from a ply of a game on; None if that is its end, or it is not played here.

    Without a level, the bot does its best.
    """
    position = Record(record.rules, record.moves[:ply])
    if position.rules not in BOARDS or position.boards[-1].is_terminal:
        return None
    return PrivatePage(PrivateMatch(position, level or Level.IMPOSSIBLE, side, ply))


def play_on_board(board: Board) -> PrivatePage | None:
    """The private match from a position on, for whoever is to move in it."""
    record = record_to(board)
    return play_on(record, len(record.moves), board.to_move)


def record_to(board: Board) -> Record:
    """A game that leads to a position with no marks vanished: they come in turn, the oldest first.

    No earlier position of it is won, as the last is not.
    """
    pairs = zip_longest(board.held_by(Mark.X), board.held_by(Mark.O))
    return Record(board.rules, tuple(cell for pair in pairs for cell in pair if cell is not None))


def again(match: PrivateMatch) -> PrivatePage:
    """The match once more: on an empty board with sides swapped, from a position as before."""
    start = Record(match.record.rules, match.record.moves[: match.start])
    side = match.side if match.start else match.side.other
    return PrivatePage(PrivateMatch(start, match.level, side, match.start))


def seated(private: PrivateMatch, user_id: int, bot_id: int, place: Place) -> Match:
    """A private match as any other, which is stored nowhere and has no deadline."""
    players = {private.side: Player(user_id), private.side.other: Player(bot_id, private.level)}
    return Match(
        id=0,
        place=place,
        x=players[Mark.X],
        o=players[Mark.O],
        opened_by=user_id,
        accepted=True,
        deadline_at=_NEVER,
        rules=private.record.rules,
        moves=private.record.moves,
    )
