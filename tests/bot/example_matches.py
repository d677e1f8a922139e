"""Matches from boards as text: Ana is X and opened it, Ben is O, Rui looks on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from bot.domain.matches import Match, Place, Player
from engine import TIC_TAC_TOE, Board, Cell, Level, Mark, Rules

ANA, BEN, RUI, VELHA = 1, 2, 3, 9
CHANNEL, SERVER, BOARD_MESSAGE = 10, 20, 100
"""Where they play, and the message that shows the board."""
MATCH, NEXT_MATCH = 7, 8
"""The id of the match, and of one that may follow."""

EMPTY = "... ... ..."
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


UNPOSTED = Place(CHANNEL, SERVER, "pt-BR")
"""Where a match is that no message shows yet."""


def moves_to(board: Board) -> tuple[Cell, ...]:
    """An order in which a board may have come about: a line that wins was completed last."""
    last = board.to_move.other
    x, o = (_completing_last(board, mark) if mark is last else _cells(board, mark) for mark in Mark)
    moves = [cell for pair in zip(x, o, strict=False) for cell in pair]
    return tuple(moves if len(x) == len(o) else [*moves, x[-1]])


def _cells(board: Board, mark: Mark) -> list[Cell]:
    return [cell for cell in board.rules.cells if board[cell] is mark]


def _completing_last(board: Board, mark: Mark) -> list[Cell]:
    cells, marks = _cells(board, mark), board.marks(mark)
    return sorted(cells, key=lambda cell: not board.rules.completed(marks & ~(1 << cell)))


def make_match(board: str = EMPTY, *, rules: Rules = TIC_TAC_TOE, **changes: Any) -> Match:
    """A match with this board, between Ana and Ben but for the changes."""
    match: dict[str, Any] = {
        "id": MATCH,
        "place": Place(CHANNEL, SERVER, "pt-BR", message_id=BOARD_MESSAGE),
        "x": Player(ANA),
        "o": Player(BEN),
        "opened_by": ANA,
        "accepted": True,
        "deadline_at": NOON,
        "rules": rules,
    }
    if "moves" not in changes:
        match["moves"] = moves_to(Board.parse(board, rules))
    return Match(**match | changes)


def make_bot_match(board: str = EMPTY, level: Level = Level.IMPOSSIBLE, **changes: Any) -> Match:
    """The same with the bot as O."""
    return make_match(board, o=Player(VELHA, level), **changes)
