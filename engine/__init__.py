"""The rules and the mind of jogo da velha, for anybody: standard library only.

>>> board = Board.parse("xx. oo. ...")
>>> minimax(board)
2
>>> search(Board()).value
0
"""

from engine.alphabeta import Game, Search, minimax, search
from engine.board import TIC_TAC_TOE, Board, Cell, IllegalMoveError, Mark, Outcome, Rules
from engine.levels import Level, choose_move, winning_cells

__all__ = [
    "TIC_TAC_TOE",
    "Board",
    "Cell",
    "Game",
    "IllegalMoveError",
    "Level",
    "Mark",
    "Outcome",
    "Rules",
    "Search",
    "choose_move",
    "minimax",
    "search",
    "winning_cells",
]
