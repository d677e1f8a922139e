"""The eight functions of the well-known course exercise, written with plain lists.

A board is a list of three rows of three; an action is a pair of row and column, both counted from
0. `python3 -m engine check engine/tictactoe.py` judges them as it would judge yours.
"""

from __future__ import annotations

import math

X, O, EMPTY = "X", "O", None  # noqa: E741 - the course names them so

Symbol = str | None
Board = list[list[Symbol]]
Action = tuple[int, int]


def initial_state() -> Board:
    return [[EMPTY] * 3 for _ in range(3)]


def player(board: Board) -> str:
    """Whose turn it is: X begins."""
    marks = [mark for row in board for mark in row if mark != EMPTY]
    return X if len(marks) % 2 == 0 else O


def actions(board: Board) -> set[Action]:
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}


def result(board: Board, action: Action) -> Board:
    """A new board, after the move.

    Raises:
        ValueError: The cell is taken, or not on the board.
    """
    if action not in actions(board):
        raise ValueError(f"{action} is no free cell")
    i, j = action
    after = [row.copy() for row in board]
    after[i][j] = player(board)
    return after


def winner(board: Board) -> Symbol:
    """The player with three in a row, or None."""
    columns = [[row[j] for row in board] for j in range(3)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in [*board, *columns, *diagonals]:
        if line in ([X] * 3, [O] * 3):
            return line[0]
    return None


def terminal(board: Board) -> bool:
    return winner(board) is not None or not actions(board)


def utility(board: Board) -> int:
    """1 if X has won, -1 if O has, 0 for a draw.

    Raises:
        ValueError: The game is not over.
    """
    if not terminal(board):
        raise ValueError(f"an unfinished game has no utility: {board}")
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board: Board) -> Action | None:
    """The move that wins the soonest or loses the latest; None when the game is over."""
    return _best(board, -math.inf, math.inf)[1]


def _best(board: Board, alpha: float, beta: float) -> tuple[float, Action | None]:
    """The value of best play, or the nearer bound if it is outside of them, and its first move.

    This is alpha-beta, fail-hard. An end is worth more to its winner the sooner it comes: the more
    cells are still free.
    """
    if terminal(board):
        return utility(board) * (1 + len(actions(board))), None
    maximizing = player(board) == X
    best = None
    for action in sorted(actions(board)):  # a set has no order of its own
        value, _ = _best(result(board, action), alpha, beta)
        if maximizing and value > alpha:
            alpha, best = value, action
        elif not maximizing and value < beta:
            beta, best = value, action
        if alpha >= beta:  # the other player has something better elsewhere
            break
    return (alpha if maximizing else beta), best
