"""Programs that are not written as the eight functions: recognised, and right once wrapped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.check.hypotheses import Cause
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.check.runner import check_file
from engine.terminal.check_json import check_as_json
from engine.terminal.language import language_named
from tests.engine.learner_files import check
from tests.engine.road import listings

MAX_BOARDS = 1_000

(A_CLASS,) = listings("en/write-your-own/8-make-and-undo.md", "game.py")

LINES = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
"""

SUCCESSORS = f"""{LINES}
def turn(state):
    cells = sum(state, [])
    return "X" if cells.count("X") == cells.count("O") else "O"

def successors(state):
    for i in range(3):
        for j in range(3):
            if state[i][j] == ".":
                after = [row[:] for row in state]
                after[i][j] = turn(state)
                yield after

def evaluate(state):
    cells = sum(state, [])
    lines = [[cells[cell] for cell in line] for line in LINES]
    return (["X"] * 3 in lines) - (["O"] * 3 in lines)

def game_over(state):
    return evaluate(state) != 0 or "." not in sum(state, [])

def search(state):
    if game_over(state):
        return evaluate(state)
    return (max if turn(state) == "X" else min)(map(search, successors(state)))

def best_successor(state):
    return (max if turn(state) == "X" else min)(successors(state), key=search)
"""

PAIR = """
import math

def max_value(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    value = -math.inf
    for action in game.actions(state):
        value = max(value, min_value(game, game.result(state, action)))
    return value

def min_value(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    value = math.inf
    for action in game.actions(state):
        value = min(value, max_value(game, game.result(state, action)))
    return value
"""

FLAT = f"""{LINES}
def check_winner(board, player):
    return any(all(board[cell] == player for cell in line) for line in LINES)

def minimax(board, player, depth):
    for winner, value in (("X", 10 - depth), ("O", depth - 10)):
        if check_winner(board, winner):
            return value, None
    if " " not in board:
        return 0, None
    options = []
    for cell in range(9):
        if board[cell] == " ":
            board[cell] = player
            options.append((minimax(board, "O" if player == "X" else "X", depth + 1)[0], cell))
            board[cell] = " "
    return (max if player == "X" else min)(options)

def best_move(board, player):
    return minimax(board, player, 0)[1]

def play():
    board = [" "] * 9
    while " " in board:
        board[int(input("Cell? "))] = "X"
        board[best_move(board, "O")] = "O"

if __name__ == "__main__":
    play()
"""

SHAPES = [
    (A_CLASS, Cause.A_CLASS, "TicTacToe.minimax"),
    (SUCCESSORS, Cause.SUCCESSORS, "successors"),
    (PAIR, Cause.PAIR, "max_value, min_value"),
    (FLAT, Cause.FLAT, "[' '] * 9"),
]
WRAPPINGS = [
    *listings("en/write-your-own/8-make-and-undo.md", "wrapped.py"),
    *listings("en/write-your-own/9-other-shapes.md", "wrapped.py"),
]
WRAPPED = [(shape[0], wrapping) for shape, wrapping in zip(SHAPES, WRAPPINGS, strict=True)]
NAMES = ["class", "successors", "pair", "flat"]


def file_report(folder: Path, code: str) -> FunctionReport:
    file = folder / "game.py"
    file.write_text(code, encoding="utf-8")
    first, *_ = check_file(file, TimeLimits(), lambda *_: None, only=["player"])
    return first


@pytest.mark.parametrize(("code", "wrapping"), WRAPPED, ids=NAMES)
def test_a_program_of_another_shape_is_right_in_the_lines_of_the_page(
    tmp_path: Path, code: str, wrapping: str
) -> None:
    (tmp_path / "game.py").write_text(code, encoding="utf-8")
    reports = check(tmp_path, wrapping, max_boards=MAX_BOARDS, only="minimax")
    assert reports["minimax"].boards_checked == MAX_BOARDS
    assert not any(report.is_wrong for report in reports.values())
    assert all(report.hint is None for report in reports.values())


@pytest.mark.parametrize(("code", "wrapping"), WRAPPED, ids=NAMES)
def test_a_mistake_in_a_wrapped_program_is_found(tmp_path: Path, code: str, wrapping: str) -> None:
    wrong = re.sub(r"\bmin\(", "max(", code).replace("else min", "else max")
    assert wrong != code
    (tmp_path / "game.py").write_text(wrong, encoding="utf-8")
    reports = check(tmp_path, wrapping, max_boards=3 * MAX_BOARDS, only="minimax")
    assert reports["minimax"].is_wrong


@pytest.mark.parametrize(("code", "cause", "known_by"), SHAPES, ids=NAMES)
def test_the_shape_of_a_program_is_named(
    tmp_path: Path, code: str, cause: Cause, known_by: str
) -> None:
    hint = file_report(tmp_path, code).hint
    assert hint is not None
    assert (hint.cause, hint.was) == (cause, known_by)


def test_the_shape_is_named_although_the_program_waits_for_somebody_to_type(
    tmp_path: Path,
) -> None:
    hint = file_report(tmp_path, FLAT.replace('if __name__ == "__main__":', "if True:")).hint
    assert hint is not None
    assert hint.cause is Cause.FLAT


@pytest.mark.parametrize(
    "code",
    [
        "print('Hello')",
        "def max_value(state): pass",
        "def actions(board): pass\n" + PAIR,
        "X, O, EMPTY = 'X', 'O', None\ndef minimax(board): pass\n" + A_CLASS,
        "def flat(row): return [0] * 9",
    ],
)
def test_of_other_programs_no_shape_is_said(tmp_path: Path, code: str) -> None:
    assert file_report(tmp_path, code).hint is None


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("en", "docs/en/write-your-own/9-other-shapes.md"),
        ("pt_BR", "docs/pt-BR/write-your-own/9-other-shapes.md"),
        ("es", "docs/es/write-your-own/9-other-shapes.md"),
    ],
)
def test_the_report_as_data_says_where_the_lines_are(tmp_path: Path, code: str, page: str) -> None:
    language = language_named(code)
    assert language is not None
    file = tmp_path / "game.py"
    file.write_text(PAIR, encoding="utf-8")
    report, exit_code = check_as_json(file, TimeLimits(), language)
    help_ = report["results"][0]["cause"]["help"]
    assert "max_value, min_value" in help_
    assert page in help_
    assert exit_code == 1
