# finished.py
import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """The empty board."""
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    """Whose turn it is, X or O."""
    x_count = 0
    o_count = 0
    for row in board:
        x_count += row.count(X)
        o_count += row.count(O)
    if x_count == o_count:
        return X
    return O


def actions(board):
    """The free cells, as a set of pairs (i, j)."""
    free_cells = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                free_cells.add((i, j))
    return free_cells


def result(board, action):
    """The board after a move: a new one, the old one stays as it is."""
    if action not in actions(board):
        raise ValueError(f"{action} is not a free cell")
    i, j = action
    after = deepcopy(board)
    after[i][j] = player(board)
    return after


def check_rows(board):
    for row in board:
        if row[0] == row[1] == row[2] != EMPTY:
            return row[0]


def check_columns(board):
    return check_rows(zip(*board))


def check_diagonals(board):
    first = [board[0][0], board[1][1], board[2][2]]
    second = [board[0][2], board[1][1], board[2][0]]
    return check_rows([first, second])


def winner(board):
    """X, O or None."""
    return check_rows(board) or check_columns(board) or check_diagonals(board)


def terminal(board):
    """Whether the game is over."""
    if winner(board) is not None:
        return True
    return not actions(board)


def utility(board):
    """1 if X has won, -1 if O has, 0 if nobody has."""
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def max_value(board):
    if terminal(board):
        return utility(board)
    best_value = -math.inf
    for action in sorted(actions(board)):
        best_value = max(best_value, min_value(result(board, action)))
    return best_value


def min_value(board):
    if terminal(board):
        return utility(board)
    best_value = math.inf
    for action in sorted(actions(board)):
        best_value = min(best_value, max_value(result(board, action)))
    return best_value


def minimax(board):
    """A best move for whoever is to move."""
    if terminal(board):
        return None
    best_action = None
    if player(board) == X:
        best_value = -math.inf
        for action in sorted(actions(board)):
            value = min_value(result(board, action))
            if value > best_value:
                best_value, best_action = value, action
    else:
        best_value = math.inf
        for action in sorted(actions(board)):
            value = max_value(result(board, action))
            if value < best_value:
                best_value, best_action = value, action
    return best_action
