# limited.py
from engine.tictactoe import *

DEPTH = 2
LINES = [
    *[[(i, j) for j in range(3)] for i in range(3)],
    *[[(i, j) for i in range(3)] for j in range(3)],
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]


def estimativa(board):
    trios = [[board[i][j] for i, j in trio] for trio in LINES]
    abertas_x = sum(O not in trio for trio in trios)
    abertas_o = sum(X not in trio for trio in trios)
    return (abertas_x - abertas_o) / 9


def valor(board, depth):
    if terminal(board):
        return utility(board)
    if depth == 0:
        return estimativa(board)
    melhor = max if player(board) == X else min
    return melhor(valor(result(board, action), depth - 1) for action in actions(board))


def escolher(board, depth):
    melhor = max if player(board) == X else min
    return melhor(sorted(actions(board)), key=lambda action: valor(result(board, action), depth - 1))


def minimax(board):
    return None if terminal(board) else escolher(board, DEPTH)
