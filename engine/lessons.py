"""What each technique saves in a search: pruning, move ordering, a transposition table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from math import factorial

from engine.alphabeta import search
from engine.board import Board
from engine.game import Search
from engine.rules import Cell
from engine.tree import size_of_tree

_MOST_LINES = factorial(9)  # those of an empty 3x3 board: takes some seconds


class Way(Enum):
    """How to search: with pruning, move ordering (good moves first) and memory, or without."""

    PLAIN = (False, False, False)
    PLAIN_WITH_MEMORY = (False, False, True)
    PRUNED = (True, False, False)
    ORDERED = (True, True, False)
    WITH_MEMORY = (True, False, True)
    WITH_BOTH = (True, True, True)

    def search(self, board: Board) -> Search[Cell]:
        """Search a position this way: to its end, or as deep as plain minimax can reach."""
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
def search_each_way(board: Board) -> dict[Way, Search[Cell]]:
    """What a search in each of the ways finds, and how many positions it visits.

    Plain minimax always visits the whole tree, so it is not run: the nodes of the tree are counted.
    """
    found = {way: way.search(board) for way in Way if way is not Way.PLAIN}
    visits = size_of_tree(board, depth_within_reach(board))
    return {Way.PLAIN: replace(found[Way.PLAIN_WITH_MEMORY], nodes=visits)} | found


def depth_within_reach(board: Board) -> int:
    """How many plies plain minimax can look ahead before there are too many lines of play."""
    lines = 1
    for depth in range(board.plies_left):
        lines *= board.rules.free_after(board.plies + depth)
        if lines > _MOST_LINES:
            return depth
    return board.plies_left


def _good_moves_first(board: Board) -> Sequence[Cell]:
    """On 3x3: the centre, then the corners, then the sides; in misère, the reverse."""
    lines, first = board.rules.lines, 1 if board.rules.lines_lose else -1
    return sorted(board.actions(), key=lambda cell: first * sum(cell in line for line in lines))
