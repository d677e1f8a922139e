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

OURS = "from engine.tictactoe import *\n"
"""A file whose functions are the engine's."""

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

ALPHA_BETA_WITH_FLAG = """\
def value(board, alpha=-inf, beta=inf):
    if terminal(board):
        return utility(board)
    is_max = player(board) == X
    best = -inf if is_max else inf
    for action in sorted(actions(board)):
        reply = value(result(board, action), alpha, beta)
        if is_max:
            best = max(best, reply)
            alpha = max(alpha, best)
        else:
            best = min(best, reply)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
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


def changed(code: str, *changes: tuple[str, str]) -> str:
    """A program in which the second of each pair stands for the first, which is in it."""
    for old, new in changes:
        assert old in code, old
        code = code.replace(old, new)
    return code


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
    "undo_on_a_copy": """
def search(board, mark):
    if terminal(board):
        return utility(board)
    values = []
    for i, j in actions(board):
        board[i][j] = mark
        values.append(search(board, O if mark == X else X))
        board[i][j] = EMPTY
    return max(values) if mark == X else min(values)

def value(board):
    copy = [row.copy() for row in board]
    return search(copy, player(copy))
""",
    "the_soonest_win": """
def value(board):
    key = str(board)
    if key not in known:
        if terminal(board):
            known[key] = utility(board) * (1 + len(actions(board)))
        else:
            known[key] = best(board)[0]
    return known[key]
""",
    "alpha_beta_that_cuts_nothing_off": """
from math import inf

def value(board, alpha=-inf, beta=inf):
    if terminal(board):
        return utility(board)
    values = [value(result(board, action), alpha, beta) for action in sorted(actions(board))]
    return max(values) if player(board) == X else min(values)
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
    "player_is_always_x": """
def player(board):
    return X
""",
    "player_counts_only_x": """
def player(board):
    return X if cells(board).count(X) % 2 == 0 else O
""",
    "actions_with_taken_cells": """
def actions(board):
    return {(i, j) for i in range(3) for j in range(3)}
""",
    "actions_as_a_set_of_lists": """
def actions(board):
    return {[i, j] for i in range(3) for j in range(3) if board[i][j] == EMPTY}
""",
    "actions_of_a_generator": """
def actions(board):
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                yield i, j
""",
    "actions_counted_from_one": """
def actions(board):
    return {(i + 1, j + 1) for i in range(3) for j in range(3) if board[i][j] == EMPTY}
""",
    "actions_with_the_row_and_column_of_the_board_exchanged": """
def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[j][i] == EMPTY}
""",
    "empty_compared_by_identity": """
EMPTY = str(1000)

def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is "1000"}
""",
    "result_with_column_first": """
def result(board, action):
    if action not in actions(board):
        raise ValueError
    i, j = action
    after = [row.copy() for row in board]
    after[j][i] = player(board)
    return after
""",
    "result_is_always_of_x": """
def result(board, action):
    if action not in actions(board):
        raise ValueError
    after = [row.copy() for row in board]
    after[action[0]][action[1]] = X
    return after
""",
    "result_returns_nothing": """
def result(board, action):
    if action not in actions(board):
        raise ValueError
    after = [row.copy() for row in board]
    after[action[0]][action[1]] = player(board)
""",
    "result_takes_row_minus_one": """
def result(board, action):
    i, j = action
    if i > 2 or j > 2 or board[i][j] != EMPTY:
        raise ValueError
    after = [row.copy() for row in board]
    after[i][j] = player(board)
    return after
""",
    "result_without_importing_deepcopy": """
def result(board, action):
    after = deepcopy(board)
    if action not in actions(board):
        raise ValueError
    after[action[0]][action[1]] = player(board)
    return after
""",
    "winner_without_the_first_diagonal": """
def winner(board):
    marks = cells(board)
    for a, b, c in LINES[:-2] + LINES[-1:]:
        if marks[a] == marks[b] == marks[c] != EMPTY:
            return marks[a]
    return None
""",
    "winner_without_columns": """
def winner(board):
    marks = cells(board)
    for a, b, c in LINES[:3] + LINES[-2:]:
        if marks[a] == marks[b] == marks[c] != EMPTY:
            return marks[a]
    return None
""",
    "winner_with_an_index_that_never_moves": """
def winner(board):
    marks = cells(board)
    for a, b, c in LINES[:-1]:
        if marks[a] == marks[b] == marks[c] != EMPTY:
            return marks[a]
    diagonal = []
    for i in range(3):
        j = 2
        diagonal.append(board[i][j])
        j -= 1
    if diagonal[0] == diagonal[1] == diagonal[2]:
        return diagonal[0]
    return None
""",
    "winner_returns_true": """
def winner(board):
    marks = cells(board)
    return any(marks[a] == marks[b] == marks[c] != EMPTY for a, b, c in LINES)
""",
    "winner_with_two_in_a_row": """
def winner(board):
    marks = cells(board)
    for a, b, c in LINES:
        if marks[a] == marks[b] != EMPTY:
            return marks[a]
    return None
""",
    "terminal_of_a_full_board_alone": """
def terminal(board):
    return not actions(board)
""",
    "terminal_the_other_way_round": """
def terminal(board):
    return winner(board) is None and bool(actions(board))
""",
    "terminal_of_text": """
def terminal(board):
    return "yes" if winner(board) or not actions(board) else "no"
""",
    "utility_of_ten": """
def utility(board):
    return {X: 10, O: -10, None: 0}[winner(board)]
""",
    "utility_of_text": """
def utility(board):
    return {X: "1", O: "-1", None: "0"}[winner(board)]
""",
    "utility_where_o_never_wins": """
def utility(board):
    return 1 if winner(board) == X else 0
""",
    "minimax_of_the_smallest_and_the_largest_exchanged": """
def minimax(board):
    if terminal(board):
        return None
    choose = min if player(board) == X else max
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "minimax_whose_value_is_always_the_largest": """
def value(board):
    if terminal(board):
        return utility(board)
    return max(value(result(board, action)) for action in actions(board))

def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "minimax_begins_with_nought": """
def minimax(board):
    if terminal(board):
        return None
    sign, wanted, move = (1 if player(board) == X else -1), 0, None
    for action in sorted(actions(board)):
        if sign * value(result(board, action)) > wanted:
            wanted, move = sign * value(result(board, action)), action
    return move
""",
    "minimax_without_importing_math": """
def minimax(board):
    wanted = -math.inf
    return None if terminal(board) else best(board)[1]
""",
    "minimax_forgets_to_take_a_mark_back": """
def minimax(board):
    if terminal(board):
        return None
    mark, found = player(board), []
    for i, j in sorted(actions(board)):
        board[i][j] = mark
        found.append((value(board), (i, j)))
    return max(found)[1] if mark == X else min(found)[1]
""",
    "minimax_of_the_finished_game": """
def best(board):
    found = sorted((value(result(board, action)), action) for action in actions(board))
    return found[-1] if player(board) == X else found[0]

def minimax(board):
    return best(board)[1]
""",
    "minimax_without_an_end": """
def value(board):
    return sorted(value(result(board, action)) for action in actions(board))[-1]

def minimax(board):
    return sorted(actions(board), key=lambda action: value(result(board, action)))[-1]
""",
    "minimax_as_a_list": """
def minimax(board):
    return None if terminal(board) else list(best(board)[1])
""",
    "minimax_as_text": """
def minimax(board):
    return None if terminal(board) else str(best(board)[1])
""",
    "minimax_as_a_number_of_the_cell": """
def minimax(board):
    if terminal(board):
        return None
    i, j = best(board)[1]
    return 3 * i + j
""",
    "minimax_with_column_first": """
def minimax(board):
    if terminal(board):
        return None
    i, j = best(board)[1]
    return (j, i)
""",
    "minimax_wins_blocks_or_takes_the_centre": """
def minimax(board):
    if terminal(board):
        return None
    mark = player(board)
    for wanted in (mark, O if mark == X else X):
        for i, j in sorted(actions(board)):
            after = [row.copy() for row in board]
            after[i][j] = wanted
            if winner(after) == wanted:
                return i, j
    preferred = [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1)]
    return next(action for action in preferred if action in actions(board))
""",
    "minimax_at_random": """
import random

def minimax(board):
    return None if terminal(board) else random.choice(sorted(actions(board)))
""",
    "alpha_beta_cuts_off_too_early": ALPHA_BETA.replace("alpha >= beta", "beta >= alpha")
    + """
def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "alpha_beta_with_exchanged_bounds": ALPHA_BETA.replace("alpha, beta)\n", "beta, alpha)\n")
    + """
def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
""",
    "a_memory_of_how_many_are_free": """
known = {}

def value(board):
    key = len(actions(board))
    if key not in known:
        known[key] = utility(board) if terminal(board) else best(board)[0]
    return known[key]

def minimax(board):
    return None if terminal(board) else best(board)[1]
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

FREE_CELLS = {
    "minimax_looks_two_moves_ahead": 4,
    "minimax_expects_the_average": 4,
    "minimax_wins_blocks_or_takes_the_centre": 4,
    "alpha_beta_with_exchanged_bounds": 4,
    "bounds_kept_in_memory": 9,
    "bounds_kept_in_memory_and_at_the_root": 9,
}
"""How large the boards are on which these show what is wrong: they have so many free cells."""


@dataclass(frozen=True)
class Solution:
    """The code of a file, and the functions that it is about."""

    code: str
    functions: tuple[str, ...]


def solution(added: str) -> Solution:
    defined = {node.name for node in ast.parse(added).body if isinstance(node, ast.FunctionDef)}
    functions = tuple(name for name in FUNCTION_NAMES if name in defined)
    return Solution((BASE + added).lstrip(), functions or ("minimax",))
