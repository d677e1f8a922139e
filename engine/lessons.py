"""What there is to show of a search: what each idea saves, and a cut-off that can be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import factorial

from engine.alphabeta import search
from engine.board import Board, Mark
from engine.game import Search
from engine.review import advise
from engine.rules import Cell
from engine.solver import solver_of

_MOST_LINES = factorial(9)  # as many as on an empty 3x3: some seconds' work


class Way(Enum):
    """How to search: with pruning, with the good moves first, with a memory."""

    PLAIN = (False, False, False)
    PLAIN_WITH_MEMORY = (False, False, True)
    PRUNED = (True, False, False)
    ORDERED = (True, True, False)
    WITH_MEMORY = (True, False, True)
    WITH_BOTH = (True, True, True)

    def search(self, board: Board) -> Search[Cell]:
        """Search a position this way: to its end, or as deep as is within reach of every way."""
        pruning, ordered, memory = self.value
        depth = depth_within_reach(board)
        return search(
            board,
            pruning=pruning,
            order=_good_moves_first if ordered else None,
            memory=memory,
            depth_limit=None if depth == board.plies_left else depth,
        )


@lru_cache(maxsize=100)
def costs(board: Board) -> dict[Way, Search[Cell]]:
    """What a search finds, and visits, in each of the ways: some seconds' work."""
    return {way: way.search(board) for way in Way}


def depth_within_reach(board: Board) -> int:
    """How many plies plain minimax can look ahead before there are too many lines of play."""
    lines = 1
    for depth in range(board.plies_left):
        lines *= board.rules.free_after(board.plies + depth)
        if lines > _MOST_LINES:
            return depth
    return board.plies_left


def _good_moves_first(board: Board) -> Sequence[Cell]:
    """On 3x3: the centre, then the corners, then the sides; where lines lose, the other way."""
    lines, first = board.rules.lines, 1 if board.rules.lines_lose else -1
    return sorted(board.actions(), key=lambda cell: first * sum(cell in line for line in lines))


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A move that need not be read to its end, because one reply to it says enough.

    The mover is sure of `sure` by `best`. After `other`, `reply` leads to `at_most`, which is no
    better for the mover; the replies that follow in reading order, `skipped`, cannot change that.
    Values are utilities: +1 where X wins, -1 where O does.
    """

    best: Cell
    sure: int
    other: Cell
    reply: Cell
    at_most: int
    skipped: tuple[Cell, ...]


def first_cutoff(board: Board) -> Cutoff | None:
    """The first cut-off of a search that reads the best move first; None where nothing is cut."""
    best, *others = advise(board)
    sure = best.worth.value.utility(board.to_move)
    cutoffs = (_cutoff(board, best.action, sure, other.action) for other in others)
    return next((cutoff for cutoff in cutoffs if cutoff is not None and cutoff.skipped), None)


def _cutoff(board: Board, best: Cell, sure: int, other: Cell) -> Cutoff | None:
    after = board.result(other)
    replies = after.actions()
    sign = 1 if board.to_move is Mark.X else -1
    for read, reply in enumerate(replies, start=1):
        at_most = _utility(after.result(reply))
        if sign * at_most <= sign * sure:
            return Cutoff(best, sure, other, reply, at_most, skipped=replies[read:])
    return None


def _utility(board: Board) -> int:
    return solver_of(board.rules).worth(board).value.utility(board.to_move)
