"""What there is to show of a search: what each idea saves, and a small tree with what is cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from math import factorial

from engine.alphabeta import search
from engine.board import Board, Mark
from engine.game import Search
from engine.rules import Cell

MOST_LEAVES = 8
"""So many little boards can still be told apart side by side on a phone."""
_MOST_FREE = 4  # with more free cells a tree has more leaves than that
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
    """What a search finds, and visits, in each of the ways.

    Plain minimax visits the whole tree, whatever it finds there, so its visits need no search: they
    are counted, each position of the tree once and as often as it occurs.
    """
    found = {way: way.search(board) for way in Way if way is not Way.PLAIN}
    visits = _occurrences(board, depth_within_reach(board), {})
    return {Way.PLAIN: replace(found[Way.PLAIN_WITH_MEMORY], nodes=visits)} | found


def _occurrences(board: Board, depth: int, known: dict[tuple[Board, int], int]) -> int:
    """How many positions the tree of a position has, so many plies deep."""
    if depth == 0 or board.is_terminal:
        return 1
    if (board, depth) not in known:
        below = (_occurrences(board.result(cell), depth - 1, known) for cell in board.actions())
        known[board, depth] = 1 + sum(below)
    return known[board, depth]


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
class Node:
    """A position of a game tree, and what alpha-beta made of it.

    `value` is its minimax value, read or not. `alpha` and `beta` are what X and O were sure of
    when the last of its children was read; it `is_cut` where it was not read at all.
    """

    board: Board
    action: Cell | None
    value: int
    children: tuple[Node, ...]
    alpha: float
    beta: float
    is_cut: bool

    def walk(self) -> Iterator[Node]:
        """The positions from this one on, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def leaves(self) -> int:
        return sum(not node.children for node in self.walk())

    @property
    def chosen(self) -> Node | None:
        """The child that max or min takes: the first of the best; None where the game is over."""
        return next((child for child in self.children if child.value == self.value), None)

    def at(self, path: Sequence[Cell]) -> Node:
        """The position that some moves lead to."""
        node = self
        for action in path:
            node = next(child for child in node.children if child.action == action)
        return node


def game_tree(board: Board) -> Node:
    """The whole tree of a position, of which there had better be little left to play.

    Alpha-beta as the textbook has it: utilities alone, moves in reading order, and the rest is cut
    once alpha >= beta.
    """
    return _read(board, None, -math.inf, math.inf, is_cut=False)


def _read(board: Board, action: Cell | None, alpha: float, beta: float, *, is_cut: bool) -> Node:
    if board.is_terminal:
        return Node(board, action, board.utility, (), alpha, beta, is_cut)
    children, cut, maximizing = list[Node](), is_cut, board.to_move is Mark.X
    for move in board.actions():
        child = _read(board.result(move), move, alpha, beta, is_cut=cut)
        children.append(child)
        if not cut and maximizing:
            alpha = max(alpha, child.value)
        elif not cut:
            beta = min(beta, child.value)
        cut = cut or alpha >= beta
    value = (max if maximizing else min)(child.value for child in children)
    return Node(board, action, value, tuple(children), alpha, beta, is_cut)


def small_tree(board: Board) -> Node | None:
    """The whole tree of a position on 3x3 that fits a picture; None where it does not."""
    if not board.rules.is_quick or len(board.actions()) > _MOST_FREE:
        return None
    tree = game_tree(board)
    return tree if tree.leaves <= MOST_LEAVES else None
