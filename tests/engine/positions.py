"""Every reachable position of 3x3, with its value by plain minimax; and names of cells."""

import math
from typing import NamedTuple

from engine import TIC_TAC_TOE, Board, Cell, Mark, Rules


def _reachable() -> tuple[Board, ...]:
    boards = {Board()}
    frontier = {Board()}
    while frontier:
        frontier = {board.result(cell) for board in frontier for cell in board.actions()} - boards
        boards |= frontier
    return tuple(sorted(boards, key=str))


REACHABLE = _reachable()
UNFINISHED = tuple(board for board in REACHABLE if not board.is_terminal)
DISTINCT = tuple({board.key: board for board in UNFINISHED}.values())
"""One of each group of unfinished positions that are mirror images."""


def _truth() -> dict[Board, tuple[int, int]]:
    """The value to X of each position, and the plies to the end: fast wins, slow losses."""
    truth = {board: (board.utility, 0) for board in REACHABLE if board.is_terminal}
    for board in sorted(UNFINISHED, key=_mark_count, reverse=True):
        outcomes = [truth[board.result(cell)] for cell in board.actions()]
        sign = 1 if _mark_count(board) % 2 == 0 else -1  # X wants a high value, O a low one
        value = sign * max(sign * value for value, _ in outcomes)
        distances = [distance for outcome, distance in outcomes if outcome == value]
        is_win = sign * value > 0
        truth[board] = value, 1 + (min(distances) if is_win else max(distances))
    return truth


def _mark_count(board: Board) -> int:
    return (board.x | board.o).bit_count()


TRUTH = _truth()
"""Computed without the search of the engine, so that tests can compare them."""


def named(cell: str, rules: Rules = TIC_TAC_TOE) -> Cell:
    """The cell with a name such as B2."""
    return next(c for c in rules.cells if rules.coordinate(c) == cell)


class Visit(NamedTuple):
    """A position that alpha-beta reads, and the bounds when it leaves it."""

    board: Board
    alpha: float
    beta: float


def as_taught(
    board: Board, alpha: float = -math.inf, beta: float = math.inf, *, cuts_at_equal: bool = True
) -> tuple[float, list[Visit]]:
    """Alpha-beta as in textbooks: the value to X, and its visits in order.

    A win is worth 1, however soon it comes.
    """
    if board.is_terminal:
        return board.utility, [Visit(board, alpha, beta)]
    visits: list[Visit] = []
    best = -math.inf if board.to_move is Mark.X else math.inf
    for action in board.actions():
        after = board.result(action)
        value, below = as_taught(after, alpha, beta, cuts_at_equal=cuts_at_equal)
        visits += below
        if board.to_move is Mark.X:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha > beta or (cuts_at_equal and alpha == beta):
            break
    return best, [Visit(board, alpha, beta), *visits]
