# tictactoe.py
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
    raise NotImplementedError


def actions(board):
    """The free cells, as a set of pairs (i, j)."""
    raise NotImplementedError


def result(board, action):
    """The board after a move: a new one, the old one stays as it is."""
    raise NotImplementedError


def winner(board):
    """X, O or None."""
    raise NotImplementedError


def terminal(board):
    """Whether the game is over."""
    raise NotImplementedError


def utility(board):
    """1 if X has won, -1 if O has, 0 if nobody has."""
    raise NotImplementedError


def minimax(board):
    """A best move for whoever is to move."""
    raise NotImplementedError
