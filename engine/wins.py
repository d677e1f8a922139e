"""How a win comes about, where the lines of the board show it.

It is why a move is bad: its player missed such a win, or lets the opponent have it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from engine.board import Board, Lines
from engine.rules import Cell

_PLIES_OF_ZUGZWANG = 2
_PLIES_OF_FORK = 3
_CACHE_SIZE = 5_000
"""Wins are kept because all mistakes in a position miss the same one."""


class Pattern(Enum):
    """How a win comes about."""

    LINE = "completes a line"
    ZUGZWANG = "leaves the opponent nothing but to complete a line, where that loses"
    UNBLOCKING = "makes the opponent's next move free the cell of a line, as a mark vanishes"
    FORK = "threatens to complete two lines at once"
    THREATS = "threatens with each move, up to a fork"
    QUIET = "threatens nothing yet, and whatever the reply, threats win"
    LONG = "wins, though the lines do not show how"


class Win(NamedTuple):
    """How a win comes about, and where: the cells that complete a line, or one that begins it.

    A long win has none.
    """

    pattern: Pattern
    cells: tuple[Cell, ...] = ()


@lru_cache(_CACHE_SIZE)
def find_win(board: Board, plies: int) -> Win:
    """How the player to move wins, where `plies` plies are the fewest in which that is forced."""
    if plies == 1:
        return Win(Pattern.LINE, board.winning_cells(board.to_move))
    if board.rules.board_class is None:
        pattern = Pattern.FORK if plies == _PLIES_OF_FORK else Pattern.THREATS
        lines = board.open_lines(board.to_move), board.open_lines(board.to_move.other)
        cell = _winning_threat(*lines, plies)
        if cell is None:
            pattern = Pattern.QUIET
            cell = _quiet_move(*lines, board.actions(), plies)
    elif board.rules.lines_lose:
        pattern = Pattern.ZUGZWANG
        cell = _move_into_zugzwang(board) if plies == _PLIES_OF_ZUGZWANG else None
    else:
        pattern = Pattern.UNBLOCKING
        cell = _unblocking_move(board) if plies == _PLIES_OF_FORK else None
    return Win(Pattern.LONG) if cell is None else Win(pattern, (cell,))


def _move_into_zugzwang(board: Board) -> Cell | None:
    """A move after which each move of the opponent completes a line."""
    for cell in board.actions():
        child = board.result(cell)
        if not child.is_terminal and child.losing_cells() == child.actions():
            return cell
    return None


def _unblocking_move(board: Board) -> Cell | None:
    """A move that wins where the mark of the opponent vanishes, whatever the reply."""
    own = board.to_move
    for cell in board.actions():
        child = board.result(cell)
        if child.winning_cells(child.to_move):
            continue
        # The cell that is freed is taken at once, so it is the same after each reply.
        replies = child.actions()  # none where a draw by the number of moves is reached
        if replies and child.vanishing in child.result(replies[0]).winning_cells(own):
            return cell
    return None


def _winning_threat(attack: Lines, defence: Lines, plies: int) -> Cell | None:
    """A move that begins a win by threats alone, in so many plies at most.

    Players of gomoku know it as a victory by continuous fours: each threat leaves one reply.

    The lines are those that each player can still complete, as in `Board.open_lines`.
    """
    urgent = {line for line in defence if line.bit_count() == 1}
    blocks_by_threat = defaultdict(set)
    for line in attack:
        if line.bit_count() == 2:
            bit = line & -line
            blocks_by_threat[bit].add(line - bit)
            blocks_by_threat[line - bit].add(bit)
    threats = {bit: blocks for bit, blocks in blocks_by_threat.items() if urgent <= {bit}}
    for bit, blocks in threats.items():
        if len(blocks) > 1:  # only one of them can be blocked
            return bit.bit_length() - 1
    if plies <= _PLIES_OF_FORK:
        return None
    for bit, (block,) in threats.items():
        attack_left = [line & ~bit for line in attack if not line & block]
        defence_left = [line & ~block for line in defence if not line & bit]
        if _winning_threat(attack_left, defence_left, plies - 2) is not None:
            return bit.bit_length() - 1
    return None


def _quiet_move(attack: Lines, defence: Lines, free: Sequence[Cell], plies: int) -> Cell | None:
    """A move after which threats alone win, in so many plies at most, whatever the reply."""
    for cell in free:
        attack_after = [line & ~(1 << cell) for line in attack]
        defence_after = [line for line in defence if not line >> cell & 1]
        threat = _winning_threat(attack_after, defence_after, plies - 2)
        if threat is None:
            continue
        replies = [threat, *(reply for reply in free if reply not in (cell, threat))]
        if all(
            _winning_threat(
                [line for line in attack_after if not line >> reply & 1],
                [line & ~(1 << reply) for line in defence_after],
                plies - 2,
            )
            is not None
            for reply in replies
        ):
            return cell
    return None
