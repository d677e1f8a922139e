"""Example matches, made from boards as text: Ana is X and opened the match, Ben is O."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.matches import Match, Place, Player
from engine import TIC_TAC_TOE, Board, Cell, Level, Mark, Rules

# Ids of people, of where they play, of the message that shows the board, and of matches.
ANA, BEN, RUI, VELHA = 1, 2, 3, 9
CHANNEL, SERVER, BOARD_MESSAGE = 10, 20, 100
MATCH, NEXT_MATCH = 7, 8

EMPTY, PLAYED = "... ... ...", "x.. .o. ..."
X_WON, DRAWN, O_WON = "xxx oo. ...", "xox xoo oxx", "xx. ooo x.."
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)

UNPOSTED = Place(CHANNEL, SERVER, "pt-BR")
"""The place of a match that no message shows yet."""


def make_match(board: str = EMPTY, *, rules: Rules = TIC_TAC_TOE, **changes: Any) -> Match:
    """A match between Ana and Ben with this board, with some attributes changed."""
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
    """A match between Ana and the bot with this board, with some attributes changed."""
    return make_match(board, o=Player(VELHA, level), **changes)


def over(number: int, board: str = X_WON, **changes: Any) -> Match:
    """A match that is over, in a channel of its own; those with greater numbers ended later."""
    place = Place(1_000 + number, SERVER, "pt-BR", message_id=500 + number)
    ended_at = NOON - timedelta(minutes=11) + timedelta(seconds=number)
    given: dict[str, Any] = {"id": number, "place": place, "ended_at": ended_at} | changes
    return make_match(board, **given)


def over_against_bot(
    number: int, board: str = X_WON, level: Level = Level.EASY, **changes: Any
) -> Match:
    """As `over`, against the bot."""
    return over(number, board, o=Player(VELHA, level), **changes)


def before_the_end(match: Match) -> Match:
    """A match that is over, as it was right before."""
    moves = match.moves if match.early_ending else match.moves[:-1]
    return replace(match, moves=moves, early_ending=None, ended_at=None)


def moves_to(board: Board) -> tuple[Cell, ...]:
    """An order of moves that leads to a board; a winning line is completed by the last one."""
    last = board.to_move.other
    x, o = (_completing_last(board, mark) if mark is last else _cells(board, mark) for mark in Mark)
    moves = [cell for pair in zip(x, o, strict=False) for cell in pair]
    return tuple(moves if len(x) == len(o) else [*moves, x[-1]])


def _cells(board: Board, mark: Mark) -> list[Cell]:
    return [cell for cell in board.rules.cells if board[cell] is mark]


def _completing_last(board: Board, mark: Mark) -> list[Cell]:
    cells, marks = _cells(board, mark), board.mask_of(mark)
    return sorted(cells, key=lambda cell: not board.rules.completed(marks & ~(1 << cell)))
