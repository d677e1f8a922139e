"""Known wrong programs: each is known by its answers, and no other program is taken for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.board import Board, Mark
from engine.check.checks import boards_for, value_keeping_moves
from engine.check.hypotheses import Cause, Hint
from engine.check.models import hint_of_lines, hint_of_player
from tests.engine.solutions import ALPHA_BETA, BASE, BOUNDS_AT_THE_ROOT, RIGHT, changed

FLAG = """
def minimax(board):
    if terminal(board):
        return None
    scores = {}
    for action in actions(board):
        scores[action] = search(result(board, action), 1, player(board) == O)
    return (max if player(board) == X else min)(scores, key=scores.get)

def search(board, depth, maximizing):
    if terminal(board):
        return utility(board)
    values = []
    for action in actions(board):
        values.append(search(result(board, action), depth + 1, not maximizing))
    if maximizing:
        return max(values)
    return min(values)
"""
NEGAMAX = """
def minimax(board):
    if terminal(board):
        return None
    return max(actions(board), key=lambda action: -negamax(result(board, action)))

def negamax(board):
    if terminal(board):
        return utility(board) if player(board) == X else -utility(board)
    return max(-negamax(result(board, action)) for action in actions(board))
"""
BLOCKS = """
def minimax(board):
    for mark in (player(board), O if player(board) == X else X):
        for i, j in sorted(actions(board)):
            after = [row.copy() for row in board]
            after[i][j] = mark
            if winner(after) == mark:
                return i, j
    return min(actions(board))
"""
TIED = BOUNDS_AT_THE_ROOT.replace("reply > alpha", "reply >= alpha").replace(
    "reply < beta", "reply <= beta"
)
WRONG: Mapping[str, tuple[Cause, str, str, str]] = {
    "the move is chosen for the other side": (Cause.ROOT_SWAPPED, FLAG, "X else min", "O else min"),
    "negamax with a win for a loss": (
        Cause.OTHER_SIDE,
        NEGAMAX,
        "utility(board) if player(board) == X else -utility(board)",
        "1 if winner(board) else 0",
    ),
    "negamax whose leaf is not the mover's": (
        Cause.LEAF_OF_X,
        NEGAMAX,
        " if player(board) == X else -utility(board)",
        "",
    ),
    "negamax without its minus": (Cause.NO_MINUS, NEGAMAX, "max(-negamax", "max(negamax"),
    "the flag is handed on without not": (
        Cause.OTHER_MOVES_ONLY,
        FLAG,
        "not maximizing)",
        "maximizing)",
    ),
    "the flag begins with the wrong player": (
        Cause.REPLIES_SWAPPED,
        FLAG,
        "player(board) == O)",
        "player(board) == X)",
    ),
    "return in the loop": (Cause.FIRST_REPLY, FLAG, "        values.append(", "        return ("),
    "three less the depth": (
        Cause.DEPTH_TURNS,
        FLAG,
        "return utility(board)",
        "return utility(board) * (3 - depth)",
    ),
    "the depth outweighs": (
        Cause.DEPTH_OUTWEIGHS,
        FLAG,
        "return utility(board)",
        "return utility(board) - depth",
    ),
    "a depth of one": (Cause.DEPTH, FLAG, "    values = []", "    return 0\n    values = []"),
    "a sum": (
        Cause.ADDED,
        FLAG,
        "return max(values)\n    return min(values)",
        "pass\n    return sum(values)",
    ),
    "only whether X wins": (
        Cause.WINS_OF_ONE_ONLY,
        FLAG,
        "return utility(board)",
        "return max(utility(board), 0)",
    ),
    "wins and blocks": (Cause.WINS_AND_BLOCKS, BLOCKS, "", ""),
    "a cut that is always made": (
        Cause.FIRST_REPLY,
        ALPHA_BETA + BOUNDS_AT_THE_ROOT,
        "alpha >= beta",
        "alpha <= beta",
    ),
    "the last of equal moves under bounds": (Cause.BOUNDS_AT_ROOT, ALPHA_BETA + TIED, "", ""),
}
OTHERS = {
    "the centre, then what is first": """
def minimax(board):
    return (1, 1) if (1, 1) in actions(board) else min(actions(board))
""",
    "right but for the centre": RIGHT["memory"].replace(
        "else best", "else (1, 1) if board[1][1] == EMPTY else best"
    ),
    "right for X": RIGHT["memory"].replace(
        "else best", "else min(actions(board)) if player(board) == O else best"
    ),
    "right": RIGHT["memory"],
}


def hint(added: str) -> Hint | None:
    module: dict[str, Any] = {}
    exec(BASE + added, module)  # noqa: S102 - it is ours
    states = {board: _state(board) for board in boards_for("minimax") if not board.is_terminal}
    boards = [board for board in states if len(board.free_cells) <= 5]
    moves = {board: module["minimax"](states[board]) for board in boards[::3]}
    order = {
        board: [3 * i + j for i, j in module["actions"](state)] for board, state in states.items()
    }
    cells = {board: 3 * i + j for board, (i, j) in moves.items()}
    return hint_of_player(cells, value_keeping_moves, lambda: [{}, order])


def _state(board: Board) -> list[list[str | None]]:
    marks = {"x": "X", "o": "O", ".": None}
    return [[marks[letter] for letter in row] for row in str(board).split()]


@pytest.mark.parametrize("name", WRONG)
def test_a_known_mistake_is_known_by_the_moves(name: str) -> None:
    cause, code, old, new = WRONG[name]
    known = hint(changed(code, (old, new)))
    assert known is not None
    assert known.cause is cause


@pytest.mark.parametrize("name", OTHERS)
def test_no_other_program_is_taken_for_a_known_one(name: str) -> None:
    assert hint(OTHERS[name]) is None


def answers_of_winner(lines: list[tuple[int, ...]]) -> Mapping[Board, Mark | None]:
    def winner(board: Board) -> Mark | None:
        won = (m for line in lines for m in Mark if {*line} <= {*board.held_by(m)})
        return next(won, None)

    return {board: winner(board) for board in boards_for("winner")}


ALL = list(Board().rules.lines)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (ALL, None),
        (
            [line for line in ALL if line != (0, 3, 6)],
            Hint(Cause.LINES, was="(0, 0), (1, 0), (2, 0)"),
        ),
        (
            [line for line in ALL if line not in {(0, 1, 2), (0, 3, 6)}],
            Hint(Cause.LINES, was="(0, 0), (0, 1), (0, 2); (0, 0), (1, 0), (2, 0)"),
        ),
        ([*ALL, (2, 4, 7)], Hint(Cause.NOT_A_LINE, was="(0, 2), (1, 1), (2, 1)")),
        ([], None),
    ],
)
def test_lines_that_winner_misses_or_makes_up(
    lines: list[tuple[int, ...]], expected: Hint | None
) -> None:
    assert hint_of_lines("winner", answers_of_winner(lines)) == expected


def test_a_winner_who_sees_one_player_alone() -> None:
    answers = {board: board.winner for board in boards_for("winner")}
    blind = {board: None if mark is Mark.O else mark for board, mark in answers.items()}
    assert hint_of_lines("winner", blind) == Hint(Cause.SIDE_UNSEEN, was="O")


def test_of_a_line_that_is_missed_for_one_player_alone_nothing_is_said() -> None:
    missing = answers_of_winner([line for line in ALL if line != (0, 4, 8)])
    answers = {
        board: missing[board] if winner is Mark.X else winner
        for board, winner in answers_of_winner(ALL).items()
    }
    assert hint_of_lines("winner", answers) is None


def test_a_full_board_that_is_not_known_to_be_over() -> None:
    answers = {board: board.winner is not None for board in boards_for("terminal")}
    assert hint_of_lines("terminal", answers) == Hint(Cause.FULL_FORGOTTEN)
