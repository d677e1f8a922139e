"""Programs that are not written as the eight functions: recognised, and right once wrapped."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.__main__ import main
from engine.check.hypotheses import Cause, Hint
from engine.check.learner import TimeLimits
from engine.check.report import ExitCode, Judgement, UnjudgedReason, exit_code
from engine.check.runner import check_file
from engine.terminal.check_json import report_as_json
from tests.engine.learner_files import check, texts_in
from tests.engine.road import listings

FREE_CELLS = 3

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

# The shapes of programs that people find on the web

ITS_OWN_NAMES = """
class Partida:
    def __init__(self):
        self.casas = ["-" for _ in range(9)]
        self.pessoa = "O"
        self.maquina = "X"

    def livres(self):
        return [casa for casa in range(9) if self.casas[casa] == "-"]

    def vencedor(self):
        for trio in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)):
            if len({self.casas[casa] for casa in trio}) == 1 and self.casas[trio[0]] != "-":
                return self.casas[trio[0]]
        for trio in ((0, 4, 8), (2, 4, 6)):
            if len({self.casas[casa] for casa in trio}) == 1 and self.casas[4] != "-":
                return self.casas[4]
        return None

    def pontos(self, vez_da_maquina):
        if self.vencedor() is not None:
            return 1 if self.vencedor() == self.maquina else -1
        if not self.livres():
            return 0
        pontos = []
        for casa in self.livres():
            self.casas[casa] = self.maquina if vez_da_maquina else self.pessoa
            pontos.append(self.pontos(not vez_da_maquina))
            self.casas[casa] = "-"
        return max(pontos) if vez_da_maquina else min(pontos)

    def jogada(self):
        valor, escolhida = -2, None
        for casa in self.livres():
            self.casas[casa] = self.maquina
            if self.pontos(False) > valor:
                valor, escolhida = self.pontos(False), casa
            self.casas[casa] = "-"
        return escolhida

    def jogar(self):
        while self.livres() and not self.vencedor():
            self.casas[self.jogada()] = self.maquina
            self.casas[int(input("Casa? "))] = self.pessoa

if __name__ == "__main__":
    Partida().jogar()
"""

PAIRS_WITH_BOUNDS = f"""{LINES}
import math

def over(rows):
    cells = sum(rows, [])
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != "_":
            return 1 if cells[a] == "x" else -1
    return None if "_" in cells else 0

def following(state):
    for i in range(3):
        for j in range(3):
            if state["rows"][i][j] == "_":
                rows = [row[:] for row in state["rows"]]
                rows[i][j] = state["turn"]
                yield dict(turn="o" if state["turn"] == "x" else "x", rows=rows, points=over(rows))

def best_for_max(state, low, high):
    if state["points"] is not None:
        return state["points"], state
    best = -math.inf, None
    for after in following(state):
        points, _ = best_for_min(after, low, high)
        if points > best[0]:
            best = points, after
        low = max(low, points)
        if low >= high:
            break
    return best

def best_for_min(state, low, high):
    if state["points"] is not None:
        return state["points"], state
    best = math.inf, None
    for after in following(state):
        points, _ = best_for_max(after, low, high)
        if points < best[0]:
            best = points, after
        high = min(high, points)
        if low >= high:
            break
    return best

def watch():
    rows = [["_"] * 3 for _ in range(3)]
    state = {{"turn": "x", "rows": rows, "points": None}}
    while state["points"] is None:
        if state["turn"] == "x":
            _, state = best_for_max(state, -math.inf, math.inf)
        else:
            _, state = best_for_min(state, -math.inf, math.inf)
    print(state["rows"])

watch()
"""

TWO_FUNCTIONS = """
def max_value(state, worth, moves):
    if not moves(state):
        return worth(state)
    return max(min_value(after, worth=worth, moves=moves) for after in moves(state))

def min_value(state, worth, moves):
    if not moves(state):
        return worth(state)
    return min(max_value(after, worth=worth, moves=moves) for after in moves(state))
"""

TWO_FUNCTIONS_OF_A_GAME = f"""{LINES}{TWO_FUNCTIONS}
def won(board):
    cells = sum(board, [])
    sums = [sum(cells[cell] for cell in line) for line in LINES]
    return (3 in sums) - (-3 in sums)

def worth(state):
    return won(state[0])

def moves(state):
    board, turn = state
    found = []
    for cell in [] if won(board) else range(9):
        after = [row[:] for row in board]
        if after[cell // 3][cell % 3] == 0:
            after[cell // 3][cell % 3] = turn
            found.append((after, -turn))
    return found

def next_board(state):
    if state[1] == 1:
        return max((min_value(after, worth, moves), after) for after in moves(state))[1][0]
    return min((max_value(after, worth, moves), after) for after in moves(state))[1][0]

def main():
    board = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    turn = 1
    while moves((board, turn)):
        board = next_board((board, turn))
        turn = -turn

if __name__ == "__main__":
    main()
"""

SHAPES = {
    "class": (A_CLASS, "minimax"),
    "successors": (SUCCESSORS, "best_successor"),
    "pair": (PAIR, "max_value"),
    "flat": (FLAT, "minimax"),
    "its_own_names": (ITS_OWN_NAMES, "pontos"),
    "pairs_with_bounds": (PAIRS_WITH_BOUNDS, "best_for_max"),
    "two_functions": (TWO_FUNCTIONS, "max_value"),
    "two_functions_of_a_game": (TWO_FUNCTIONS_OF_A_GAME, "max_value"),
}
PAGES = [
    *listings("en/write-your-own/8-make-and-undo.md", "game_wrapped.py"),
    *listings("en/write-your-own/9-other-shapes.md", "wrapped.py"),
]
ON_PAGES = [(SHAPES[name][0], lines) for name, lines in zip(SHAPES, PAGES, strict=False)]


def mistaken(code: str) -> str:
    wrong = re.sub(r"\bmin\(", "max(", code).replace("else min", "else max")
    wrong = wrong.replace("points < best", "points > best").replace("best = math.", "best = -math.")
    assert wrong != code
    return wrong.replace("\nwatch()\n", "\n")  # it would play, slowly, in each process


def hint_of(folder: Path, code: str, name: str = "game.py") -> Hint | None:
    """What is said of a program that is not judged."""
    file = folder / name
    file.write_text(code, encoding="utf-8")
    reports = list(check_file(file, TimeLimits(), lambda *_: None))
    if reports[0].reason is UnjudgedReason.OTHER_SHAPE:
        assert exit_code(reports) == ExitCode.NOT_ALL_JUDGED
    return reports[0].hint


@cache
def right_hint(name: str) -> Hint:
    """What is said of a program of another shape, which is right."""
    with TemporaryDirectory() as folder:
        hint = hint_of(Path(folder), SHAPES[name][0])
    assert hint is not None
    return hint


@pytest.mark.parametrize(("code", "lines"), ON_PAGES)
def test_a_program_of_another_shape_is_right_in_the_lines_of_the_page(
    tmp_path: Path, code: str, lines: str
) -> None:
    (tmp_path / "game.py").write_text(code, encoding="utf-8")
    reports = check(tmp_path, lines, free_cells=FREE_CELLS, only="minimax")
    assert {report.judgement for report in reports.values()} == {Judgement.RIGHT}
    assert all(report.hint is None for report in reports.values())


def test_the_command_that_is_shown_names_the_folder_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game.py"
    game.write_text(PAIRS_WITH_BOUNDS, encoding="utf-8")
    assert main(["check", str(game), "--language", "en"]) == 3
    assert f"engine check {tmp_path / 'wrapped.py'} --only minimax" in capsys.readouterr().out


@pytest.mark.parametrize("name", SHAPES)
def test_a_program_of_another_shape_is_right_in_the_lines_that_are_said(
    tmp_path: Path, name: str
) -> None:
    code, known_by = SHAPES[name]
    (tmp_path / "game.py").write_text(code, encoding="utf-8")
    hint = right_hint(name)
    assert (hint.cause, hint.was) == (Cause.OTHER_SHAPE, known_by)
    reports = check(tmp_path, hint.now, free_cells=FREE_CELLS, only="minimax")
    assert {report.judgement for report in reports.values()} == {Judgement.RIGHT}


def test_a_program_of_another_shape_can_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.py").write_text(PAIRS_WITH_BOUNDS, encoding="utf-8")
    lines = right_hint("pairs_with_bounds").now
    (tmp_path / "wrapped.py").write_text(lines, encoding="utf-8")
    assert main(["play", str(tmp_path / "wrapped.py"), "--self-play", "--language", "en"]) == 0
    assert "It's a draw!" in capsys.readouterr().out


@pytest.mark.parametrize("name", SHAPES)
def test_a_mistake_in_a_wrapped_program_is_found(tmp_path: Path, name: str) -> None:
    """It gets no lines of its own, which might as well be what is wrong."""
    wrong = hint_of(tmp_path, mistaken(SHAPES[name][0]))
    assert wrong is not None
    assert wrong.now == ""
    reports = check(tmp_path, right_hint(name).now, free_cells=FREE_CELLS, only="minimax")
    assert reports["minimax"].is_wrong


def test_a_program_that_plays_when_it_is_imported_is_told_where_that_belongs(
    tmp_path: Path,
) -> None:
    hint = hint_of(tmp_path, FLAT.replace('if __name__ == "__main__":\n    play()', "\nplay()"))
    assert hint is not None
    assert (hint.cause, hint.line) == (Cause.PLAYS, len(FLAT.splitlines()))


def test_what_cannot_be_imported_by_name_is_to_be_renamed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tic-tac-toe.py"
    file.write_text(FLAT, encoding="utf-8")
    assert main(["check", str(file), "--language", "en"]) == 3
    assert "give it another name, such as tic_tac_toe.py" in capsys.readouterr().out


@pytest.mark.parametrize(
    "code",
    [
        "print('Hello')",
        "def max_value(state): pass",
        "def actions(board): pass\n" + PAIR,
        "X, O, EMPTY = 'X', 'O', None\ndef minimax(board): pass\n" + A_CLASS,
        "def flat(row): return [0] * 9",
        "import nowhere\ndef actions(board): pass\ndef result(board, action): pass\n" + PAIR,
    ],
)
def test_other_programs_are_not_taken_for_a_known_shape(tmp_path: Path, code: str) -> None:
    hint = hint_of(tmp_path, code)
    assert hint is None or hint.cause is not Cause.OTHER_SHAPE


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("en", "docs/en/write-your-own/9-other-shapes.md"),
        ("pt_BR", "docs/pt-BR/write-your-own/9-other-shapes.md"),
        ("es", "docs/es/write-your-own/9-other-shapes.md"),
    ],
)
def test_the_report_as_data_says_where_the_lines_are(tmp_path: Path, code: str, page: str) -> None:
    file = tmp_path / "game.py"
    file.write_text(PAIR, encoding="utf-8")
    reports = [*check_file(file, TimeLimits(), lambda *_: None)]
    report = report_as_json(reports, texts_in(code, file))
    result = report["results"][0]
    assert "max_value" in result["cause"]["rationale"]
    assert page in result["cause"]["help"]
    assert "import game" in result["log"]
    assert (result["passed"], exit_code(reports)) == (None, ExitCode.NOT_ALL_JUDGED)
