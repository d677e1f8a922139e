# tictactoe.py
import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """O tabuleiro vazio."""
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    """De quem é a vez, X ou O."""
    raise NotImplementedError


def actions(board):
    """As casas livres, como conjunto de pares (i, j)."""
    raise NotImplementedError


def result(board, action):
    """O tabuleiro depois da jogada: um novo, o velho fica como está."""
    raise NotImplementedError


def winner(board):
    """X, O ou None."""
    raise NotImplementedError


def terminal(board):
    """Se o jogo acabou."""
    raise NotImplementedError


def utility(board):
    """1 se X venceu, -1 se O venceu, 0 se ninguém venceu."""
    raise NotImplementedError


def minimax(board):
    """Uma das melhores jogadas para quem tem a vez."""
    raise NotImplementedError
