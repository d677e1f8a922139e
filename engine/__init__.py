"""The rules, solver and levels of jogo da velha (tic-tac-toe), in the standard library alone.

- *Rules* are a game: the size of the board and what wins. A *variant* is one with other rules.
- A *board* is a position. A *cell* is its index on it, and the move there, an *action* in searches.
- A *ply* is a move of one player. A *line* is *open* to a player who can still complete it.
- A *threat* is an open line with one cell missing; a move that makes two at once is a *fork*.
- *Utility* is what best play leads to, to X: 1, 0 or -1, or an estimate between them.
- *Value* is the same to the player to move: a win, a draw or a loss.
- *Worth* is a proven value, with the plies that best play takes to the end.
- A *search* (`alphabeta`) is the textbook's, for any game; its result is a `Search`.
- A *solver* proves what positions of one game are worth; its result is a `Solution`.
- A *level* chooses moves as people do; a *verdict* judges one, and says the *reason*.

To move, `choose_move` takes a win or blocks one; otherwise it asks the solver of the rules what
each move is worth. `Solver` proves that with `and_or`, or finds it in the table of `openings` where
5x5 with four in a row begins; of a variant `retrograde` solves the whole game at once. `alphabeta`
is for learners, and for tests; `trace` is what it does, step by step.

>>> board = Board.parse("xx. oo. ...")
>>> minimax(board)
2
>>> solve(Board()).value
<Value.DRAW: 0>
"""

from engine.alphabeta import Evaluation as Evaluation
from engine.alphabeta import Game as Game
from engine.alphabeta import Order as Order
from engine.alphabeta import Search as Search
from engine.alphabeta import deepen as deepen
from engine.alphabeta import minimax as minimax
from engine.alphabeta import search as search
from engine.board import Board as Board
from engine.board import BoardError as BoardError
from engine.board import BoardFault as BoardFault
from engine.board import IllegalMoveError as IllegalMoveError
from engine.board import Mark as Mark
from engine.board import Outcome as Outcome
from engine.lessons import Way as Way
from engine.lessons import depth_within_reach as depth_within_reach
from engine.levels import Level as Level
from engine.levels import best_moves as best_moves
from engine.levels import choose_move as choose_move
from engine.levels import move_odds as move_odds
from engine.puzzles import TRIES as TRIES
from engine.puzzles import Grade as Grade
from engine.puzzles import Puzzle as Puzzle
from engine.puzzles import daily_position as daily_position
from engine.puzzles import daily_puzzle as daily_puzzle
from engine.reasons import Cause as Cause
from engine.reasons import Reason as Reason
from engine.reasons import rule_moves as rule_moves
from engine.record import Record as Record
from engine.review import Accuracy as Accuracy
from engine.review import Verdict as Verdict
from engine.review import accuracies as accuracies
from engine.review import accuracy as accuracy
from engine.review import advise as advise
from engine.review import best_reply as best_reply
from engine.review import blunders as blunders
from engine.review import judge as judge
from engine.review import line_of_play as line_of_play
from engine.review import refutation as refutation
from engine.review import review as review
from engine.review import turning_point as turning_point
from engine.rules import TIC_TAC_TOE as TIC_TAC_TOE
from engine.rules import Cell as Cell
from engine.rules import Rules as Rules
from engine.rules import bit_set as bit_set
from engine.solver import Oracle as Oracle
from engine.solver import Solver as Solver
from engine.solver import analyse as analyse
from engine.solver import solve as solve
from engine.solver import solver_of as solver_of
from engine.tree import LINES as LINES
from engine.tree import MOST_EVENTS as MOST_EVENTS
from engine.tree import MOST_LEAVES as MOST_LEAVES
from engine.tree import PROGRAM as PROGRAM
from engine.tree import UNKNOWN as UNKNOWN
from engine.tree import Event as Event
from engine.tree import EventKind as EventKind
from engine.tree import Node as Node
from engine.tree import Numbers as Numbers
from engine.tree import Path as Path
from engine.tree import SolvedBelow as SolvedBelow
from engine.tree import bounds_text as bounds_text
from engine.tree import cut_paths as cut_paths
from engine.tree import game_tree as game_tree
from engine.tree import known_bounds as known_bounds
from engine.tree import leaf_count as leaf_count
from engine.tree import move_name as move_name
from engine.tree import number_text as number_text
from engine.tree import small_tree as small_tree
from engine.tree import trace as trace
from engine.tree import watchable as watchable
from engine.variants import INFINITE as INFINITE
from engine.variants import MISERE as MISERE
from engine.variants import VARIANTS as VARIANTS
from engine.variants import rules_named as rules_named
from engine.worth import Solution as Solution
from engine.worth import Value as Value
from engine.worth import Worth as Worth
