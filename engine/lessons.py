"""How large game trees are, and what each technique of search saves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, unique
from typing import NamedTuple

from engine.alphabeta import Search, search
from engine.board import Board
from engine.rules import Cell

_MAX_LINES_OF_PLAY = math.factorial(9)  # those of an empty 3x3 board: takes some seconds


def size_of_tree(board: Board) -> int:
    """How many nodes the game tree has."""
    return _size(board, {})


def _size(board: Board, cache: dict[Board, int]) -> int:
    if board.is_terminal:
        return 1
    if board not in cache:
        children = map(board.result_unchecked, board.actions())
        cache[board] = 1 + sum(_size(child, cache) for child in children)
    return cache[board]


def reachable_positions(start: Board) -> list[Board]:
    """All positions that play can reach from this one, itself included, in breadth-first order.

    On 3x3 there are 5,478. They are all kept in memory, so this is for boards of nine cells only.
    """
    seen = {start}
    positions = [start]
    for board in positions:  # grows during the loop
        children = [board.result_unchecked(cell) for cell in board.actions()]
        positions += [child for child in children if child not in seen]
        seen.update(children)
    return positions


class _Technique(NamedTuple):
    pruning: bool = True
    ordered: bool = False
    memory: bool = False


@unique
class Way(Enum):
    """How to search: with or without pruning, move ordering and a transposition table."""

    PLAIN = _Technique(pruning=False)
    PLAIN_WITH_MEMORY = _Technique(pruning=False, memory=True)
    PRUNED = _Technique()
    ORDERED = _Technique(ordered=True)
    WITH_MEMORY = _Technique(memory=True)
    WITH_BOTH = _Technique(ordered=True, memory=True)

    def search(self, board: Board) -> Search[Cell]:
        """Search a position this way: to its end, or as deep as plain minimax can reach."""
        depth = depth_within_reach(board)
        return search(
            board,
            pruning=self.value.pruning,
            order=_order_by_lines if self.value.ordered else None,
            memory=self.value.memory,
            depth_limit=None if depth == board.plies_left else depth,
        )


def depth_within_reach(board: Board) -> int:
    """How many plies plain minimax can look ahead before there are too many lines of play."""
    lines_of_play = 1
    for depth in range(board.plies_left):
        lines_of_play *= board.rules.free_after(board.plies + depth)
        if lines_of_play > _MAX_LINES_OF_PLAY:
            return depth
    return board.plies_left


def _order_by_lines(board: Board) -> Sequence[Cell]:
    """On 3x3: the centre, then the corners, then the sides; in misère, the reverse."""

    def line_count(cell: Cell) -> int:
        return sum(cell in line for line in board.rules.lines)

    return sorted(board.actions(), key=line_count, reverse=not board.rules.lines_lose)
