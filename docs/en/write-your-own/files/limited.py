# limited.py
from engine.tictactoe import *

DEPTH = 2
LINES = [
    *[[(i, j) for j in range(3)] for i in range(3)],
    *[[(i, j) for i in range(3)] for j in range(3)],
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]


def estimate(board):
    lines = [[board[i][j] for i, j in line] for line in LINES]
    open_for_x = sum(O not in line for line in lines)
    open_for_o = sum(X not in line for line in lines)
    return (open_for_x - open_for_o) / 9


def value(board, depth):
    if terminal(board):
        return utility(board)
    if depth == 0:
        return estimate(board)
    best = max if player(board) == X else min
    return best(value(result(board, action), depth - 1) for action in actions(board))


def choose(board, depth):
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value(result(board, action), depth - 1))


def minimax(board):
    return None if terminal(board) else choose(board, DEPTH)
