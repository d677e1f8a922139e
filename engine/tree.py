"""The game tree of a position, with what minimax writes on it and what alpha-beta never reads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board import Board, Mark
from engine.rules import Cell

MOST_LEAVES = 8
"""So many little boards can still be told apart side by side on a phone."""
_MOST_FREE = 4  # with more free cells a tree has more leaves than that


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


def size_of_tree(board: Board, depth: int | None = None) -> int:
    """How many positions the tree has, or so many plies of it: each as often as it occurs."""
    return _size(board, board.plies_left if depth is None else depth, {})


def _size(board: Board, depth: int, known: dict[tuple[Board, int], int]) -> int:
    if depth == 0 or board.is_terminal:
        return 1
    if (board, depth) not in known:
        below = (_size(board.moved(cell), depth - 1, known) for cell in board.actions())
        known[board, depth] = 1 + sum(below)
    return known[board, depth]
