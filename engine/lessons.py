"""Searches for teaching: what each technique saves, and where a depth limit misleads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from functools import lru_cache
from math import factorial

from engine.alphabeta import Search, search
from engine.board import Board
from engine.rules import Cell, Rules
from engine.solver import solver_of
from engine.tree import size_of_tree
from engine.worth import Worth

_MAX_LINES_OF_PLAY = factorial(9)  # those of an empty 3x3 board: takes some seconds


@unique
class Way(Enum):
    """How to search: with or without pruning, move ordering and a transposition table."""

    PLAIN = (False, False, False)
    PLAIN_WITH_MEMORY = (False, False, True)
    PRUNED = (True, False, False)
    ORDERED = (True, True, False)
    WITH_MEMORY = (True, False, True)
    WITH_BOTH = (True, True, True)

    def __init__(
        self,
        has_pruning: bool,  # noqa: FBT001 - an enum's values come by position
        is_ordered: bool,  # noqa: FBT001
        has_memory: bool,  # noqa: FBT001
    ) -> None:
        self.has_pruning = has_pruning
        self.is_ordered = is_ordered
        self.has_memory = has_memory

    def search(self, board: Board) -> Search[Cell]:
        """Search a position this way: to its end, or as deep as plain minimax can reach."""
        depth = depth_within_reach(board)
        return search(
            board,
            pruning=self.has_pruning,
            order=_order_by_lines if self.is_ordered else None,
            memory=self.has_memory,
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
    masks = board.rules.line_masks
    open_to_x = [mask for mask in masks if not mask & board.o]
    open_to_o = [mask for mask in masks if not mask & board.x]
    return len(open_to_x) - len(open_to_o)


def look_ahead(board: Board, depth: int) -> Glimpse:
    """Pick the first best move of a search of `depth` plies that evaluates by line balance.

    Raises:
        ValueError: The depth is less than one ply.
        IndexError: The game is over.
    """
    result = search(board, depth_limit=depth, evaluate=_estimate)
    action = result.best_actions[0]
    worth = solver_of(board.rules).worth(board.result(action))
    return Glimpse(depth, action, _guess(board.rules, result.value), worth)


def guess_moves(board: Board, depth: int) -> dict[Cell, int | None]:
    """What a search of `depth` plies expects of each move; see `Glimpse.guess`."""
    guesses = {}
    for cell in board.actions():
        child = board.result(cell)
        if depth == 1 and not child.is_terminal:
            value = _estimate(child)
        else:
            value = search(child, depth_limit=max(depth - 1, 1), evaluate=_estimate).value
        guesses[cell] = _guess(board.rules, value)
    return guesses


def _estimate(board: Board) -> float:
    """The line balance, strictly between a loss and a win."""
    return line_balance(board) / (len(board.rules.lines) + 1)


def _guess(rules: Rules, value: float) -> int | None:
    """The line balance behind the value of a search; None for a win or loss."""
    return None if abs(value) == 1 else round(value * (len(rules.lines) + 1))
