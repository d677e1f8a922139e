"""python -m engine play: a game against a learner's own minimax, whatever the file does."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from engine.__main__ import main
from tests.engine.learner_files import HASTY
from tests.engine.solutions import OURS

FIRST_FREE_CELL = OURS + "def minimax(board):\n    return min(actions(board))\n"


def play(
    folder: Path, code: str, typed: str, monkeypatch: pytest.MonkeyPatch, *options: str
) -> int:
    """Play against a file with this code, and return the exit code."""
    file = folder / "mine.py"
    file.write_text(code, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["play", str(file), "--language", "en", *options])


def test_a_person_beats_a_minimax_that_takes_the_first_free_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, FIRST_FREE_CELL, "?\nx\nB2\nC1\nA3\nn\n", monkeypatch) == 0
    shown = capsys.readouterr().out
    assert shown.count("Are you X or O?") == 2, "asked again after another letter"
    assert "O plays A1." in shown
    assert "You win!" in shown


@pytest.mark.parametrize("typed", ["q", "Quit", "salir", "sair"])
def test_one_may_quit_when_asked_for_a_mark(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, FIRST_FREE_CELL, f"{typed}\nX\n", monkeypatch) == 0
    assert capsys.readouterr().out.endswith("Are you X or O? \nGoodbye!\n")


def test_the_learner_s_minimax_may_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, FIRST_FREE_CELL, "O\nq\n", monkeypatch) == 0
    assert "X plays A1." in capsys.readouterr().out


def test_the_learner_s_minimax_may_play_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, OURS, "", monkeypatch, "--self-play") == 0
    assert capsys.readouterr().out.endswith("It's a draw!\n")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("raise ValueError('oh no')", "minimax(board) raises ValueError: oh no (mine.py:3)"),
        ("return None", "minimax(board) returns None; that isn't a free cell"),
        ("return (0, 0)", "minimax(board) returns (0, 0); that isn't a free cell"),
        ("return input()", "minimax(board) waits for somebody to type"),
        ("import nowhere", "minimax(board) imports nowhere (mine.py:3), which isn't installed"),
        ("import os; os._exit(3)", "minimax(board) ends the program."),
        ("import sys; sys.exit('bye')", "minimax(board) ends the program. SystemExit: bye"),
        ("board[2][2] = X", "minimax(board) changes the board it is given."),
        ("while True: pass", "minimax(board) doesn't return within 3 s."),
    ],
)
def test_a_minimax_that_fails_in_a_game_gets_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    body: str,
    sentence: str,
) -> None:
    code = OURS + f"def minimax(board):\n    {body}\n"
    monkeypatch.setattr("engine.__main__.TimeLimits", HASTY)
    seconds = "3" if "while" in body else "300"
    assert play(tmp_path, code, "X\nA1\nB2\n", monkeypatch, "--seconds", seconds) == 1
    shown = capsys.readouterr()
    assert sentence in shown.out
    assert re.search(r"^python3 -m engine check \S+mine.py says more\.$", shown.out, re.MULTILINE)
    assert "Traceback" not in shown.out + shown.err


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("x = 1\n", "mine.py defines none of the eight functions"),
        (OURS + "del minimax\n", "minimax is missing."),
        ("def minimax(:\n", "mine.py raises SyntaxError"),
        ("import nowhere\n", "mine.py imports nowhere"),
    ],
)
def test_a_file_that_cannot_play_gets_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    code: str,
    sentence: str,
) -> None:
    assert play(tmp_path, code, "X\n", monkeypatch) == 1
    shown = capsys.readouterr().out
    assert sentence in shown
    assert "X or O" not in shown, "nothing is asked before"


def test_a_file_that_prints_a_lot_does_not_disturb_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    code = FIRST_FREE_CELL.replace("    return", "    print('y' * 1_000_000)\n    return")
    assert play(tmp_path, code, "X\nB2\nq\n", monkeypatch) == 0
    assert "yyy" not in capfd.readouterr().out
