"""What lessons show: game trees, what each technique of search saves, and where it misleads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from functools import lru_cache
from typing import NamedTuple

from engine.alphabeta import Search, search
from engine.board import Board, Mark
from engine.rules import Cell, Rules
from engine.solver import solver_of
from engine.worth import Worth

MOST_LEAVES = 6
"""In a picture with more of them, the boards are unreadable on a phone."""

_MAX_FREE_CELLS = 4
"""With more free cells, a tree has more than `MOST_LEAVES` leaves."""

_MAX_LINES_OF_PLAY = math.factorial(9)  # those of an empty 3x3 board: takes some seconds


@dataclass(frozen=True, slots=True)
class Node:
    """A position of a game tree, and what alpha-beta does there.

    It `is_cut` if alpha-beta never visits it; `utility` is what best play leads to even then.
    `alpha` and `beta` are the bounds after its last visited child: what X and O have secured.
    """

    board: Board
    action: Cell | None
    utility: int
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
        """The least and the greatest utility that is possible after what alpha-beta read."""
        if self.is_cut:
            return -math.inf, math.inf
        if not self.children:
            return self.utility, self.utility
        best = max if self.board.to_move is Mark.X else min
        least, greatest = zip(*(child.proven for child in self.children), strict=True)
        return best(least), best(greatest)

    @property
    def chosen(self) -> Node | None:
        """The child that max or min picks: the first of the best; None when the game is over."""
        for child in self.children:
            if child.utility == self.utility:
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

    What is cut off is built, too, with its utilities, but it no longer moves the bounds.
    """
    if board.is_terminal:
        utility = board.utility
        return Node(board, action, utility, children=(), alpha=alpha, beta=beta, is_cut=is_cut)
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
    utilities = [child.utility for child in children]
    utility = max(utilities) if maximizing else min(utilities)
    return Node(
        board, action, utility, children=tuple(children), alpha=alpha, beta=beta, is_cut=is_cut
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


@lru_cache(maxsize=100)
def search_each_way(board: Board) -> dict[Way, Search[Cell]]:
    """The result and cost of searching a position in each way.

    Plain minimax always visits the whole tree, so it is not run: the nodes of the tree are counted.
    """
    searches = {way: way.search(board) for way in Way if way is not Way.PLAIN}
    nodes = size_of_tree(board, depth_within_reach(board))
    return {Way.PLAIN: replace(searches[Way.PLAIN_WITH_MEMORY], nodes=nodes)} | searches


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


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The move that a search of `depth` plies picks, and what it is really worth.

    `guess` is the line balance (large for X) that the search expects; None for a win or loss.
    `proven_worth` is the worth of the position after `action`, to the opponent.
    """

    depth: int
    action: Cell
    guess: int | None
    proven_worth: Worth


def line_balance(board: Board) -> int:
    """A heuristic: the number of lines that X can still complete, minus the number that O can.

    Lines without marks count for both, and cancel out.
    """
    return len(board.open_lines(Mark.X)) - len(board.open_lines(Mark.O))


def look_ahead(board: Board, depth: int) -> Glimpse:
    """Pick the first best move of a search of `depth` plies that evaluates by line balance.

    Raises:
        ValueError: The depth is less than one ply.
        IndexError: The game is over.
    """
    result = search(board, depth_limit=depth, evaluate=_estimate)
    action = result.best_actions[0]
    worth = solver_of(board.rules).worth(board.result(action))
    return Glimpse(depth, action, _guess(board.rules, result.utility), worth)


def guess_moves(board: Board, depth: int) -> dict[Cell, int | None]:
    """What a search of `depth` plies expects of each move; see `Glimpse.guess`."""
    guesses = {}
    for cell in board.actions():
        child = board.result(cell)
        if depth == 1 and not child.is_terminal:
            utility = _estimate(child)
        else:
            utility = search(child, depth_limit=max(depth - 1, 1), evaluate=_estimate).utility
        guesses[cell] = _guess(board.rules, utility)
    return guesses


def _estimate(board: Board) -> float:
    """The line balance, strictly between a loss and a win."""
    return line_balance(board) / (len(board.rules.lines) + 1)


def _guess(rules: Rules, utility: float) -> int | None:
    """The line balance behind what a search found; None for a win or loss."""
    return None if abs(utility) == 1 else round(utility * (len(rules.lines) + 1))
