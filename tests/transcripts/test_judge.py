"""`python3 -m engine check`: what learners read about files of theirs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bot.views.i18n import Language
from engine import Board
from engine.check.finding import Finding, FindingKind
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport, UnjudgedReason
from engine.check.runner import check_file
from engine.terminal.check_texts import CheckTexts
from tests.transcripts.terminal import Terminal, words

LIMITS = TimeLimits(call=5, function=600, wrong_function=600, clock=lambda seconds: 20 * seconds)
"""Of hasty seconds: what loops forever is waited for three times."""
UNLIMITED = TimeLimits(clock=lambda _: 0)
RIGHT = """
X, O, EMPTY = "X", "O", None
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
known = {}

def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]

def player(board):
    cells = sum(board, [])
    return X if cells.count(X) == cells.count(O) else O

def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}

def result(board, action):
    if action not in actions(board):
        raise ValueError("not a free cell")
    after = [row.copy() for row in board]
    after[action[0]][action[1]] = player(board)
    return after

def winner(board):
    cells = sum(board, [])
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != EMPTY:
            return cells[a]

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
    return choose((value(result(board, action)), action) for action in actions(board))

def minimax(board):
    return None if terminal(board) else best(board)[1]
"""
MISTAKES = """
import right

X, O, EMPTY = "X", "O", None

def initial_state():
    return [[EMPTY] * 3] * 3

def player(board):
    cells = sum(board, [])
    return X if cells.count(X) < cells.count(O) else O

def actions(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]

def result(board, action):
    i, j = action
    board[i][j] = right.player(board)
    return board

def winner(board):
    for mark in (X, O):
        columns = list(zip(*board))
        if [mark] * 3 in board or (mark, mark, mark) in columns:
            return mark
        if all(board[i][i] == mark for i in range(3)):
            return mark

def terminal(board):
    return winner(board)

def utility(board):
    return {X: 1, O: -1}[winner(board)]

def minimax(board):
    if right.terminal(board) or right.player(board) == X:
        return right.minimax(board)
    return min(right.actions(board))
"""
UNRULY = """
import os
from right import *

def initial_state():
    os._exit(0)

def player(board):
    while True:
        pass

def actions(board):
    return board[3]

def result(board, action):
    print("thinking")
    i, j = action
    after = [row.copy() for row in board]
    after[i][j] = X if sum(board, []).count(EMPTY) % 2 else O
    return after

def minimax(board):
    if sum(board, []).count(EMPTY) == 2:
        os._exit(0)
    return [0, 1]
"""
HALF = """
from right import EMPTY, O, player, utility
"""
WRONG = Finding(FindingKind.WRONG, Board(), "None", "'X'")
NO_TIME = partial(FunctionReport, reason=UnjudgedReason.NO_TIME, boards_total=5_478)
RARER = {
    "A minimax that is slow on the largest boards": NO_TIME(
        "minimax", boards_checked=5_400, games=800
    ),
    "Another function that is slow": NO_TIME("player", boards_checked=4_000, boards_total=4_520),
    "A function that is wrong, and slow": NO_TIME(
        "player",
        boards_checked=1_000,
        boards_total=4_520,
        findings={(WRONG.kind, ""): (WRONG, 900)},
    ),
    "A function for which there was no time": NO_TIME("player"),
}
UNUSABLE = {
    "same.py": "from right import *\nO = X\n",
    "colon.py": "def player(board)\n    return X\n",
    "imports.py": "import right\nimport nowhere\n",
    "waits.py": "name = input('Who are you? ')\n",
    "nothing.py": "print('Hello')\n",
    "names.py": "from right import *\nfrom right import player as plyer\ndel player\n",
    "leaves.py": "import sys\nsys.exit('enough')\n",
}


def test_judge(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"right.py": RIGHT, "mistakes.py": MISTAKES, "unruly.py": UNRULY, "half.py": HALF}
    for name, code in (files | UNUSABLE).items():
        (tmp_path / name).write_text(code.lstrip(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    terminal = Terminal("A file of one's own, checked")

    def show_code(name: str) -> None:
        terminal.heading(name)
        terminal.write("", *(f"    {line}" for line in Path(name).read_text("utf-8").splitlines()))

    for name in ("right.py", "mistakes.py", "unruly.py"):
        show_code(name)
        limits = LIMITS if name == "unruly.py" else UNLIMITED
        judgements = list(check_file(Path(name), limits, lambda _name, _done, _of: None))
        terminal.show("What is said of each function", partial(said_of, judgements, name))
    show_code("half.py")
    terminal.run("check half.py")
    for name in UNUSABLE:
        show_code(name)
        terminal.run(f"check {name} --only player")
    Path("latin.py").write_bytes('X = "é"\n'.encode("latin-1"))
    terminal.heading("latin.py, which is not UTF-8")
    terminal.run("check latin.py")
    terminal.heading("One function alone, as JSON")
    terminal.run("check right.py --only player")
    terminal.run("check right.py --only plyer")
    terminal.run("check right.py --only everything")
    terminal.run_wide("check mistakes.py --only player --json")
    terminal.heading("Against levels and other programs")
    terminal.run("contest right.py easy --seed 1")
    terminal.run("contest mistakes.py right.py")
    terminal.run("contest right.py unruly.py --seconds 5")
    terminal.run("contest colon.py")
    terminal.run("contest right.py nobody.py")
    terminal.heading("Rarer")
    for title, rare in RARER.items():
        terminal.show(title, partial(said_of, [rare], "rare.py"))
    assert str(terminal) == snapshot


def said_of(judgements: Iterable[FunctionReport], name: str, language: Language) -> list[str]:
    """What `check` prints between its first and its last lines.

    Judging takes seconds, so it is done once for both languages.
    """
    spoken = words(language).language
    texts = CheckTexts(Path(name), LIMITS, spoken)
    return [line for one in judgements for line in texts.lines(one)]
