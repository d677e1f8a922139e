"""The rules and the mind of jogo da velha, for anybody: standard library only.

>>> board = Board.parse("xx. oo. ...")
>>> minimax(board)
2
>>> solve(Board()).value
<Value.DRAW: 0>
"""

from engine.alphabeta import Evaluation, Game, Order, Search, deepen, minimax, search
from engine.board import TIC_TAC_TOE, Board, Cell, IllegalMoveError, Mark, Outcome, Rules, bit_set
from engine.levels import Level, best_moves, choose_move, move_odds, winning_cells
from engine.review import Reason, Verdict, judge, reason, review, rule_moves
from engine.solver import Solution, Solver, analyse, solve
from engine.worth import Value, Worth

__all__ = [
    "TIC_TAC_TOE",
    "Board",
    "Cell",
    "Evaluation",
    "Game",
    "IllegalMoveError",
    "Level",
    "Mark",
    "Order",
    "Outcome",
    "Reason",
    "Rules",
    "Search",
    "Solution",
    "Solver",
    "Value",
    "Verdict",
    "Worth",
    "analyse",
    "best_moves",
    "bit_set",
    "choose_move",
    "deepen",
    "judge",
    "minimax",
    "move_odds",
    "reason",
    "review",
    "rule_moves",
    "search",
    "solve",
    "winning_cells",
]
