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

from engine.alphabeta import Evaluation, Game, Order, Search, deepen, minimax, search
from engine.board import Board, IllegalMoveError, Mark, Outcome
from engine.lessons import (
    Glimpse,
    Way,
    depth_within_reach,
    guess_moves,
    line_balance,
    look_ahead,
)
from engine.levels import Level, best_moves, choose_move, move_odds
from engine.puzzles import TRIES, Grade, Puzzle, daily_puzzle
from engine.reasons import Reason, rule_moves
from engine.record import Record
from engine.review import (
    Accuracy,
    Verdict,
    accuracies,
    accuracy,
    advise,
    best_reply,
    judge,
    review,
    turning_point,
)
from engine.rules import TIC_TAC_TOE, Cell, Rules, bit_set
from engine.solver import Oracle, Solver, analyse, solve, solver_of
from engine.tree import (
    LINES,
    MOST_EVENTS,
    MOST_LEAVES,
    PROGRAM,
    UNKNOWN,
    Event,
    EventKind,
    Node,
    Numbers,
    Path,
    SolvedBelow,
    bounds_text,
    cut_paths,
    game_tree,
    known_bounds,
    leaf_count,
    move_name,
    number_text,
    small_tree,
    trace,
    watchable,
)
from engine.variants import INFINITE, MISERE, VARIANTS, rules_named
from engine.worth import Solution, Value, Worth

__all__ = [
    "INFINITE",
    "LINES",
    "MISERE",
    "MOST_EVENTS",
    "MOST_LEAVES",
    "PROGRAM",
    "TIC_TAC_TOE",
    "TRIES",
    "UNKNOWN",
    "VARIANTS",
    "Accuracy",
    "Board",
    "Cell",
    "Evaluation",
    "Event",
    "EventKind",
    "Game",
    "Glimpse",
    "Grade",
    "IllegalMoveError",
    "Level",
    "Mark",
    "Node",
    "Numbers",
    "Oracle",
    "Order",
    "Outcome",
    "Path",
    "Puzzle",
    "Reason",
    "Record",
    "Rules",
    "Search",
    "Solution",
    "SolvedBelow",
    "Solver",
    "Value",
    "Verdict",
    "Way",
    "Worth",
    "accuracies",
    "accuracy",
    "advise",
    "analyse",
    "best_moves",
    "best_reply",
    "bit_set",
    "bounds_text",
    "choose_move",
    "cut_paths",
    "daily_puzzle",
    "deepen",
    "depth_within_reach",
    "game_tree",
    "guess_moves",
    "judge",
    "known_bounds",
    "leaf_count",
    "line_balance",
    "look_ahead",
    "minimax",
    "move_name",
    "move_odds",
    "number_text",
    "review",
    "rule_moves",
    "rules_named",
    "search",
    "small_tree",
    "solve",
    "solver_of",
    "trace",
    "turning_point",
    "watchable",
]
