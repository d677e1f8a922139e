"""Every position of 3x3 that play can reach, and what plain minimax says of each."""

import math

from engine import Board, Mark


def _reachable() -> tuple[Board, ...]:
    found, frontier = {Board()}, {Board()}
    while frontier:
        frontier = {board.result(cell) for board in frontier for cell in board.actions()} - found
        found |= frontier
    return tuple(sorted(found, key=str))


REACHABLE = _reachable()
UNFINISHED = tuple(board for board in REACHABLE if not board.is_terminal)


def _truth() -> dict[Board, tuple[int, int]]:
    """Value to X and distance in plies: fastest wins, slowest losses; written apart on purpose."""
    truth: dict[Board, tuple[int, int]] = {}
    for board in sorted(REACHABLE, key=lambda board: len(board.actions())):
        if board.is_terminal:
            truth[board] = board.utility, 0
    for board in sorted(UNFINISHED, key=lambda board: -(board.x | board.o).bit_count()):
        after = [truth[board.result(cell)] for cell in board.actions()]
        sign = 1 if (board.x | board.o).bit_count() % 2 == 0 else -1
        value = sign * max(sign * v for v, _ in after)
        plies = [distance for v, distance in after if v == value]
        truth[board] = value, 1 + (min(plies) if sign * value > 0 else max(plies))
    return truth


TRUTH = _truth()


def as_taught(
    board: Board, alpha: float = -math.inf, beta: float = math.inf
) -> tuple[float, list[Board]]:
    """Alpha-beta as the textbook has it, written apart from ours on purpose: value and visits.

    A win is worth 1, soon or late.
    """
    seen = [board]
    if board.is_terminal:
        return board.utility, seen
    best = -math.inf if board.to_move is Mark.X else math.inf
    for action in board.actions():
        value, below = as_taught(board.result(action), alpha, beta)
        seen += below
        if board.to_move is Mark.X:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, seen
