"""Solutions of the exercise, right ones named by their style and wrong ones by their mistake.

Each is what it adds to `BASE`, where a later function takes the place of an earlier one.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from engine.check.checks import FUNCTION_NAMES

BASE = """
X, O, EMPTY = "X", "O", None
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
known = {}

def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]

def cells(board):
    return board[0] + board[1] + board[2]

def player(board):
    return X if cells(board).count(X) == cells(board).count(O) else O

def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}

def result(board, action):
    if action not in actions(board):
        raise ValueError("not a free cell")
    after = [row.copy() for row in board]
    after[action[0]][action[1]] = player(board)
    return after

def winner(board):
    marks = cells(board)
    for a, b, c in LINES:
        if marks[a] == marks[b] == marks[c] != EMPTY:
            return marks[a]
    return None

def terminal(board):
    return winner(board) is not None or not actions(board)

def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]

def value(board):
    key = str(board)
    if key not in known:
        known[key] = utility(board) if terminal(board) else best(board)[0]
    return known[key]

def best(board):
    choose = max if player(board) == X else min
    return choose((value(result(board, action)), action) for action in sorted(actions(board)))

def minimax(board):
    return None if terminal(board) else best(board)[1]
"""

PLAIN = """
def value(board):
    if terminal(board):
        return utility(board)
    choose = max if player(board) == X else min
    return choose(value(result(board, action)) for action in actions(board))
"""

ALPHA_BETA = """
from math import inf

def value(board, alpha=-inf, beta=inf):
    if terminal(board):
        return utility(board)
    best_value = -inf if player(board) == X else inf
    for action in sorted(actions(board)):
        reply = value(result(board, action), alpha, beta)
        if player(board) == X:
            best_value = max(best_value, reply)
            alpha = max(alpha, reply)
        else:
            best_value = min(best_value, reply)
            beta = min(beta, reply)
        if alpha >= beta:
            break
    return best_value
"""

BOUNDS_AT_THE_ROOT = """
def minimax(board):
    if terminal(board):
        return None
    alpha, beta, move = -inf, inf, None
    for action in sorted(actions(board)):
        reply = value(result(board, action), alpha, beta)
        if player(board) == X and reply > alpha:
            alpha, move = reply, action
        if player(board) == O and reply < beta:
            beta, move = reply, action
    return move
"""

BOUNDS_IN_MEMORY = """
from math import inf

known = {}

def value(board, alpha=-inf, beta=inf):
    key = str(board)
    if key not in known:
        known[key] = read(board, alpha, beta)
    return known[key]

def read(board, alpha, beta):
    if terminal(board):
        return utility(board)
    best_value = -inf if player(board) == X else inf
    for action in sorted(actions(board)):
        reply = value(result(board, action), alpha, beta)
        if player(board) == X:
            best_value = max(best_value, reply)
            alpha = max(alpha, reply)
        else:
            best_value = min(best_value, reply)
            beta = min(beta, reply)
        if alpha >= beta:
            break
    return best_value

def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
"""

SAYS_EQUAL = """
class Number(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__

class Rows(list):
    __eq__ = lambda self, other: True

class Cells(set):
    __eq__ = lambda self, other: True

class Move(tuple):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash((0, 0))

class Anything:
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0

def initial_state():
    return Rows()

def player(board):
    return Anything()

def actions(board):
    return Cells()

def result(board, action):
    if action not in [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]:
        raise ValueError
    return Rows()

def winner(board):
    return Anything()

def terminal(board):
    return Number(7)

def utility(board):
    return Number(7)

def minimax(board):
    return Move((0, 0))
"""

PATCHES_THE_JUDGE = """
import sys

try:
    from engine.check import checks, report, runner
    checks.findings_on = runner.findings_on = lambda *_: []
    report.FunctionReport.is_wrong = False
    for name in checks.FUNCTION_NAMES:
        checks._CHECKS[name] = lambda *_: ()
except ImportError:
    pass
worker = sys.modules["__main__"]
worker.load = worker.call = lambda *_: {"calls": [], "result_calls": 0}
worker._is_same = lambda *_: True

def initial_state():
    return None

def player(board):
    return None

def actions(board):
    return None

def result(board, action):
    return None

def winner(board):
    return None

def terminal(board):
    return None

def utility(board):
    return None

def minimax(board):
    return None
"""

_PARAMETERS = {"initial_state": "", "result": "board, action"}


def skeleton(body: str) -> str:
    """All eight functions with one body."""
    parameters = ((name, _PARAMETERS.get(name, "board")) for name in FUNCTION_NAMES)
    return "".join(f"def {name}({given}):\n{body}\n" for name, given in parameters)


RIGHT = {
    "memory": "def minimax(board):\n    return None if terminal(board) else best(board)[1]\n",
    "plain_minimax": PLAIN,
    "alpha_beta": f"""{ALPHA_BETA}
def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "alpha_beta_with_bounds_at_the_root": ALPHA_BETA + BOUNDS_AT_THE_ROOT,
    "negamax": """
def negamax(board):
    if terminal(board):
        return utility(board) * (1 if player(board) == X else -1)
    return max(-negamax(result(board, action)) for action in actions(board))

def minimax(board):
    if terminal(board):
        return None
    return max(actions(board), key=lambda action: -negamax(result(board, action)))
""",
    "numbers_for_marks": """
X, O, EMPTY = 1, -1, 0

def player(board):
    return -1 if sum(map(sum, board)) else 1
""",
    "members_of_an_enum_for_marks": """
from enum import Enum

class Mark(Enum):
    X = 1
    O = 2
    FREE = 3

X, O, EMPTY = Mark
""",
    "a_named_tuple_and_an_int_enum": """
from collections import namedtuple
from enum import IntEnum

Move = namedtuple("Move", "row column")

class Points(IntEnum):
    X = 1
    DRAW = 0
    O = -1

def actions(board):
    return {Move(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}

def utility(board):
    return {X: Points.X, O: Points.O, None: Points.DRAW}[winner(board)]
""",
    "a_cache_over_tuples": """
from functools import cache

@cache
def value_of(rows):
    board = [list(row) for row in rows]
    if terminal(board):
        return utility(board)
    choose = max if player(board) == X else min
    return choose(value(result(board, action)) for action in actions(board))

def value(board):
    return value_of(tuple(map(tuple, board)))
""",
    "a_random_choice_of_the_best": """
import random

def minimax(board):
    if terminal(board):
        return None
    wanted, _ = best(board)
    return random.choice([a for a in actions(board) if value(result(board, a)) == wanted])
""",
}

WRONG = {
    "initial_state_repeats_one_row": "def initial_state():\n    return [[EMPTY] * 3] * 3\n",
    "initial_state_with_blanks": "def initial_state():\n    return [[' '] * 3 for _ in range(3)]\n",
    "player_o_begins": """
def player(board):
    return O if cells(board).count(X) == cells(board).count(O) else X
""",
    "actions_as_a_list": """
def actions(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]
""",
    "actions_with_column_first": """
def actions(board):
    return {(j, i) for i in range(3) for j in range(3) if board[i][j] == EMPTY}
""",
    "result_on_the_same_board": """
def result(board, action):
    board[action[0]][action[1]] = player(board)
    return board
""",
    "result_with_a_shallow_copy": """
def result(board, action):
    if action not in actions(board):
        raise ValueError
    after = board.copy()
    after[action[0]][action[1]] = player(board)
    return after
""",
    "result_takes_any_cell": """
def result(board, action):
    after = [row.copy() for row in board]
    after[action[0]][action[1]] = player(board)
    return after
""",
    "winner_without_the_second_diagonal": """
def winner(board):
    marks = cells(board)
    for a, b, c in LINES[:-1]:
        if marks[a] == marks[b] == marks[c] != EMPTY:
            return marks[a]
    return None
""",
    "winner_sees_only_x": """
def winner(board):
    marks = cells(board)
    return X if any(marks[a] == marks[b] == marks[c] == X for a, b, c in LINES) else None
""",
    "terminal_without_the_full_board": """
def terminal(board):
    return winner(board) is not None
""",
    "terminal_returns_the_winner": """
def terminal(board):
    return winner(board) or not actions(board)
""",
    "utility_returns_nothing_for_a_draw": """
def utility(board):
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
""",
    "utility_of_o": """
def utility(board):
    return {X: -1, O: 1, None: 0}[winner(board)]
""",
    "minimax_takes_the_largest_for_both": """
def minimax(board):
    if terminal(board):
        return None
    return max(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "minimax_keeps_only_what_is_better_than_a_loss": """
def minimax(board):
    if terminal(board):
        return None
    sign, wanted, move = (1 if player(board) == X else -1), -1, None
    for action in sorted(actions(board)):
        if sign * value(result(board, action)) > wanted:
            wanted, move = sign * value(result(board, action)), action
    return move
""",
    "minimax_takes_the_first_free_cell": """
def minimax(board):
    return min(actions(board), default=None)
""",
    "minimax_returns_the_value_too": """
def minimax(board):
    return None if terminal(board) else best(board)
""",
    "minimax_looks_two_moves_ahead": """
def look(board, depth):
    if terminal(board):
        return utility(board)
    if depth == 0:
        return 0
    choose = max if player(board) == X else min
    return choose(look(result(board, action), depth - 1) for action in actions(board))

def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: look(result(board, action), 1))
""",
    "minimax_expects_the_average": """
def value(board):
    if terminal(board):
        return utility(board)
    values = [value(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else sum(values) / len(values)

def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "bounds_kept_in_memory": BOUNDS_IN_MEMORY,
    "bounds_kept_in_memory_and_at_the_root": BOUNDS_IN_MEMORY + BOUNDS_AT_THE_ROOT,
    "minimax_is_right_every_other_time": """
asked = 0

def minimax(board):
    global asked
    asked += 1
    if terminal(board):
        return None
    choose = max if (player(board) == X) == (asked % 2 == 1) else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "everything_says_it_is_equal": SAYS_EQUAL,
    "the_judge_is_patched": PATCHES_THE_JUDGE,
}

UNWRITTEN = {
    "raises_not_implemented": skeleton('    """To do."""\n    raise NotImplementedError'),
    "passes": skeleton("    pass  # to do"),
    "has_docstrings_alone": skeleton('    """To do."""'),
    "minimax_needs_actions_which_is_not_written": """
def actions(board):
    raise NotImplementedError

def minimax(board):
    return None if terminal(board) else best(board)[1]
""",
}

WHOLE = ("bounds_kept_in_memory", "bounds_kept_in_memory_and_at_the_root")
"""Those that are wrong only in games, or on large boards."""


@dataclass(frozen=True)
class Solution:
    """The code of a file, and the functions that it is about."""

    code: str
    functions: tuple[str, ...]


def solution(added: str) -> Solution:
    defined = {node.name for node in ast.parse(added).body if isinstance(node, ast.FunctionDef)}
    functions = tuple(name for name in FUNCTION_NAMES if name in defined)
    return Solution((BASE + added).lstrip(), functions or ("minimax",))
