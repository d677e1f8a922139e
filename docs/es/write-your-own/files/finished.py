# finished.py
import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """El tablero vacío."""
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    """A quién le toca, X u O."""
    total_x = 0
    total_o = 0
    for fila in board:
        total_x += fila.count(X)
        total_o += fila.count(O)
    if total_x == total_o:
        return X
    return O


def actions(board):
    """Las casillas libres, como conjunto de pares (i, j)."""
    libres = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                libres.add((i, j))
    return libres


def result(board, action):
    """El tablero después de la jugada: uno nuevo, el viejo queda como está."""
    if action not in actions(board):
        raise ValueError(f"{action} no es una casilla libre")
    i, j = action
    despues = deepcopy(board)
    despues[i][j] = player(board)
    return despues


def revisar_filas(board):
    for fila in board:
        if fila[0] == fila[1] == fila[2] != EMPTY:
            return fila[0]


def revisar_columnas(board):
    return revisar_filas(zip(*board))


def revisar_diagonales(board):
    primera = [board[0][0], board[1][1], board[2][2]]
    segunda = [board[0][2], board[1][1], board[2][0]]
    return revisar_filas([primera, segunda])


def winner(board):
    """X, O o None."""
    return revisar_filas(board) or revisar_columnas(board) or revisar_diagonales(board)


def terminal(board):
    """Si la partida terminó."""
    if winner(board) is not None:
        return True
    return not actions(board)


def utility(board):
    """1 si ganó X, -1 si ganó O, 0 si no ganó nadie."""
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def max_value(board):
    if terminal(board):
        return utility(board)
    mejor_valor = -math.inf
    for action in sorted(actions(board)):
        mejor_valor = max(mejor_valor, min_value(result(board, action)))
    return mejor_valor


def min_value(board):
    if terminal(board):
        return utility(board)
    mejor_valor = math.inf
    for action in sorted(actions(board)):
        mejor_valor = min(mejor_valor, max_value(result(board, action)))
    return mejor_valor


def minimax(board):
    """Una de las mejores jugadas para quien tiene el turno."""
    if terminal(board):
        return None
    mejor_accion = None
    if player(board) == X:
        mejor_valor = -math.inf
        for action in sorted(actions(board)):
            valor = min_value(result(board, action))
            if valor > mejor_valor:
                mejor_valor, mejor_accion = valor, action
    else:
        mejor_valor = math.inf
        for action in sorted(actions(board)):
            valor = max_value(result(board, action))
            if valor < mejor_valor:
                mejor_valor, mejor_accion = valor, action
    return mejor_accion
