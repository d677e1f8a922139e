"""The whole game tree of a position, with its minimax values and alpha-beta's cut-offs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.board import Board
from engine.grid import Mark
from engine.rules import Cell

MOST_LEAVES = 8
"""How many little boards can be told apart side by side on a phone."""
_MOST_FREE = 4  # with more free cells a tree always has more leaves than that


@dataclass(frozen=True, slots=True)
class Node:
    """A position of a game tree, and what alpha-beta does there.

    It `is_cut` if alpha-beta never reads it; `value` is its minimax value even then. `alpha` and
    `beta` are the bounds after the last child that is read: what X and O are already sure of.
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
    def chosen(self) -> Node | None:
        """The child that max or min picks: the first of the best; None when the game is over."""
        return next((child for child in self.children if child.value == self.value), None)


def game_tree(board: Board) -> Node:
    """Build the whole tree of a position, which should be near the end of the game.

    Alpha-beta is the textbook's: utilities alone, moves in reading order, and the remaining moves
    are cut off once alpha >= beta.
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
    """The whole tree of a 3x3 position, if it is small enough for a picture; otherwise None."""
    if not board.rules.is_small or len(board.actions()) > _MOST_FREE:
        return None
    tree = game_tree(board)
    return tree if tree.leaves <= MOST_LEAVES else None


def size_of_tree(board: Board, depth: int | None = None) -> int:
    """How many nodes the game tree has, down to `depth` plies or, with None, to the end."""
    return _size(board, board.plies_left if depth is None else depth, {})


def _size(board: Board, depth: int, known: dict[tuple[Board, int], int]) -> int:
    if depth == 0 or board.is_terminal:
        return 1
    if (board, depth) not in known:
        below = (_size(board.result_unchecked(cell), depth - 1, known) for cell in board.actions())
        known[board, depth] = 1 + sum(below)
    return known[board, depth]


def reachable_positions(start: Board) -> list[Board]:
    """All positions that play can reach from this one, itself included, in breadth-first order.

    On 3x3 there are 5,478. They are all kept in memory, so this is for boards of nine cells only.
    """
    found, positions = {start}, [start]
    for board in positions:
        children = [board.result_unchecked(cell) for cell in board.actions()]
        positions += [child for child in children if child not in found]
        found.update(children)
    return positions
