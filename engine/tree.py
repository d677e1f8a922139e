"""The game tree of a position, with what minimax writes on it and what alpha-beta never reads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board, Mark
from engine.rules import Cell


@dataclass(frozen=True, slots=True)
class Cut:
    """Why a position is not read: X is sure of `alpha` elsewhere, O of `beta` here or elsewhere."""

    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Node:
    """A position in the tree, by the action that led there; `value` is its utility by minimax."""

    board: Board
    action: Cell | None
    value: int
    children: tuple[Node, ...]
    cut: Cut | None
    """Where alpha-beta stops before it reads this position; what follows it is not read either."""

    @property
    def chosen(self) -> Node | None:
        """The first of the children from which the value came; None at an end."""
        read = (child for child in self.children if child.cut is None)
        return next((child for child in read if child.value == self.value), None)

    @property
    def size(self) -> int:
        """How many positions the tree has, this one included."""
        return 1 + sum(child.size for child in self.children)


def tree_of(
    board: Board,
    action: Cell | None = None,
    alpha: float = -math.inf,
    beta: float = math.inf,
    cut: Cut | None = None,
) -> Node:
    """The whole tree from a position on; moves are read in reading order.

    It suits positions with few free cells: an empty 3x3 has 549,946 nodes.
    """
    if board.is_terminal:
        return Node(board, action, board.utility, (), cut)
    children: list[Node] = []
    is_max = board.to_move is Mark.X
    for move in board.actions():
        stop = Cut(alpha, beta) if alpha >= beta else None
        child = tree_of(board.result(move), move, alpha, beta, stop)
        children.append(child)
        if is_max and stop is None:
            alpha = max(alpha, child.value)
        elif stop is None:
            beta = min(beta, child.value)
    best = max if is_max else min
    return Node(board, action, best(child.value for child in children), tuple(children), cut)


@lru_cache(maxsize=5_478)  # as many positions as there are on 3x3
def size_of_tree(board: Board) -> int:
    """How many positions the whole tree has, counted without building it."""
    return 1 + sum(size_of_tree(board.moved(cell)) for cell in board.actions())
