# limited.py
from engine.tictactoe import *

DEPTH = 2
LINES = [
    *[[(i, j) for j in range(3)] for i in range(3)],
    *[[(i, j) for i in range(3)] for j in range(3)],
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]


def estimacion(board):
    lineas = [[board[i][j] for i, j in linea] for linea in LINES]
    abiertas_x = sum(O not in linea for linea in lineas)
    abiertas_o = sum(X not in linea for linea in lineas)
    return (abiertas_x - abiertas_o) / 9


def valor(board, depth):
    if terminal(board):
        return utility(board)
    if depth == 0:
        return estimacion(board)
    mejor = max if player(board) == X else min
    return mejor(valor(result(board, action), depth - 1) for action in actions(board))


def elegir(board, depth):
    mejor = max if player(board) == X else min
    return mejor(sorted(actions(board)), key=lambda action: valor(result(board, action), depth - 1))


def minimax(board):
    return None if terminal(board) else elegir(board, DEPTH)
