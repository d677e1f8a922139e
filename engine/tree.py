"""Game trees: small ones node by node, with alpha-beta's cuts, and counts of large ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.board import Board, Mark
from engine.rules import Cell

MOST_LEAVES = 6
"""In a picture with more of them, the boards are unreadable on a phone."""

_MAX_FREE_CELLS = 4
"""With more free cells, a tree has more than `MOST_LEAVES` leaves."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position of a game tree, and what alpha-beta does there.

    It `is_cut` if alpha-beta never visits it; `value` is its minimax value even then. `alpha` and
    `beta` are the bounds after its last visited child: what X and O have already secured.
    """

    board: Board
    action: Cell | None
    value: int
    children: tuple[Node, ...]
    alpha: float
    beta: float
    is_cut: bool

    def walk(self) -> Iterator[Node]:
        """All nodes of the tree from here on, in pre-order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def leaves(self) -> int:
        return sum(not node.children for node in self.walk())

    @property
    def proven(self) -> tuple[float, float]:
        """The least and the greatest value that the node may have, after what alpha-beta read."""
        if self.is_cut:
            return -math.inf, math.inf
        if not self.children:
            return self.value, self.value
        best = max if self.board.to_move is Mark.X else min
        least, greatest = zip(*(child.proven for child in self.children), strict=True)
        return best(least), best(greatest)

    @property
    def chosen(self) -> Node | None:
        """The child that max or min picks: the first of the best; None when the game is over."""
        for child in self.children:
            if child.value == self.value:
                return child
        return None


def game_tree(board: Board) -> Node:
    """Build the whole tree of a position, which should be near the end of the game.

    Alpha-beta is the textbook's: utilities alone, moves in reading order, and the remaining moves
    are cut off once alpha >= beta.
    """
    return _build(board, None, -math.inf, math.inf, is_cut=False)


def _build(board: Board, action: Cell | None, alpha: float, beta: float, *, is_cut: bool) -> Node:
    """The tree below a position, as alpha-beta searches it between these bounds.

    What is cut off is built, too, with its values, but it no longer moves the bounds.
    """
    if board.is_terminal:
        value = board.utility
        return Node(board, action, value, children=(), alpha=alpha, beta=beta, is_cut=is_cut)
    maximizing = board.to_move is Mark.X
    children: list[Node] = []
    for move in board.actions():
        is_child_cut = is_cut or alpha >= beta
        child = _build(board.result(move), move, alpha, beta, is_cut=is_child_cut)
        children.append(child)
        if is_child_cut:
            continue
        least, greatest = child.proven
        if maximizing:
            alpha = max(alpha, least)
        else:
            beta = min(beta, greatest)
    values = [child.value for child in children]
    value = max(values) if maximizing else min(values)
    return Node(
        board, action, value, children=tuple(children), alpha=alpha, beta=beta, is_cut=is_cut
    )


def small_tree(board: Board) -> Node | None:
    """The whole tree of a 3x3 position, if it is small enough for a picture; otherwise None."""
    if not board.rules.is_small or len(board.actions()) > _MAX_FREE_CELLS:
        return None
    tree = game_tree(board)
    return tree if tree.leaves <= MOST_LEAVES else None


def size_of_tree(board: Board, depth: int | None = None) -> int:
    """How many nodes the game tree has, down to `depth` plies or, with None, to the end."""
    return _size(board, board.plies_left if depth is None else depth, {})


def _size(board: Board, depth: int, cache: dict[tuple[Board, int], int]) -> int:
    if depth == 0 or board.is_terminal:
        return 1
    if (board, depth) not in cache:
        children = map(board.result_unchecked, board.actions())
        cache[board, depth] = 1 + sum(_size(child, depth - 1, cache) for child in children)
    return cache[board, depth]


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
