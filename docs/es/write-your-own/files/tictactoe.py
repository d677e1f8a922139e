# tictactoe.py
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
    raise NotImplementedError


def actions(board):
    """Las casillas libres, como conjunto de pares (i, j)."""
    raise NotImplementedError


def result(board, action):
    """El tablero después de la jugada: uno nuevo, el viejo queda como está."""
    raise NotImplementedError


def winner(board):
    """X, O o None."""
    raise NotImplementedError


def terminal(board):
    """Si la partida terminó."""
    raise NotImplementedError


def utility(board):
    """1 si ganó X, -1 si ganó O, 0 si no ganó nadie."""
    raise NotImplementedError


def minimax(board):
    """Una de las mejores jugadas para quien tiene el turno."""
    raise NotImplementedError
