"""python -m engine contest: a learner's program against levels and other programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.levels import Level
from tests.engine.learner_files import HASTY
from tests.engine.solutions import BASE, OURS

FIRST_FREE_CELL = BASE + "def minimax(board):\n    return min(actions(board))\n"
FAILS = f"""{BASE}
import os
def minimax(board):
    while board[2][2] == X:
        pass
    if board[2][1] == X:
        os._exit(1)
    if board[2][0] == X:
        raise ValueError("no idea")
    return min(actions(board))
"""


def compete(folder: Path, code: str, *opponent: str, options: Sequence[str] = ()) -> int:
    """Let a program with this code play, and return the exit code; an opponent may be code, too."""
    (folder / "mine.py").write_text(code, encoding="utf-8")
    if opponent and "\n" in opponent[0]:
        (folder / "friend.py").write_text(opponent[0], encoding="utf-8")
        opponent = (str(folder / "friend.py"),)
    return main(["contest", str(folder / "mine.py"), *opponent, *options, "--language", "en"])


def results(shown: str) -> dict[str, list[int]]:
    """The table: how many games were won, drawn and lost against each opponent."""
    rows = re.findall(r"^(\S+) +(\d+) +(\d+) +(\d+)$", shown, re.MULTILINE)
    return {name: [int(count) for count in counts] for name, *counts in rows}


def waiting_for(go: Path) -> str:
    """A program that takes the first free cell once there is a file."""
    waits = FIRST_FREE_CELL.replace("return min(", "while not go.exists(): pass\n    return min(")
    return f"import pathlib\ngo = pathlib.Path({str(go)!r})\n{waits}"


def shown_before_and_after(go: Path, lines: int, *arguments: str) -> tuple[list[str], str]:
    """The first lines that a contest prints while a program waits for a file, and the rest."""
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "contest", *arguments, "--language", "en"],
        stdout=subprocess.PIPE,
        text=True,
    ) as contest:
        assert contest.stdout is not None
        first = [contest.stdout.readline() for _ in range(lines)]
        go.touch()
        return first, contest.stdout.read()


def test_each_level_has_a_line_and_a_right_program_loses_to_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compete(tmp_path, OURS, options=["--seed", "1"]) == 0
    shown = capsys.readouterr().out
    table = results(shown)
    assert list(table) == [level.name.lower() for level in Level]
    for won, drawn, lost in table.values():
        assert (won + drawn, lost) == (100, 0)
    assert table["child"][0] > table["hard"][0] > table["perfect"][0] == 0
    assert shown.endswith("0\n"), "nothing is said of failures or losses"


def test_a_seed_makes_it_repeatable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeds = ("1", "1", "2")
    shown = []
    for seed in seeds:
        compete(tmp_path, FIRST_FREE_CELL, "child", options=["--seed", seed])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]


def test_two_programs_begin_once_at_every_cell_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compete(tmp_path, OURS, FIRST_FREE_CELL) == 0
    won, drawn, lost = results(capsys.readouterr().out)["friend.py"]
    assert (won + drawn + lost, lost) == (18, 0)
    assert compete(tmp_path, FIRST_FREE_CELL, OURS) == 0
    shown = capsys.readouterr().out
    assert results(shown)["friend.py"] == [lost, drawn, won], "the same games, seen by the other"
    assert "Lost to friend.py, as O: X (0, 0), O (0, 1), X (1, 0), O (0, 2), X (2, 0)\n" in shown


def test_a_program_that_fails_or_hangs_loses_the_game_and_play_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.__main__.TimeLimits", HASTY)
    assert compete(tmp_path, FIRST_FREE_CELL, FAILS, options=["--seconds", "1"]) == 0
    shown = capsys.readouterr().out
    won, drawn, lost = results(shown)["friend.py"]
    assert won + drawn + lost == 18
    told = re.findall(
        r"^friend.py lost (\d+) games? so: minimax\(board\) (.*)$", shown, re.MULTILINE
    )
    reasons = [reason for _, reason in told]
    assert "doesn't return within 1 s. Does it loop forever?" in reasons
    line = FAILS.rpartition("raise ")[0].count("\n") + 1
    assert f"raises ValueError: no idea (friend.py:{line})" in reasons
    assert "ends the program." in reasons
    assert sum(int(count) for count, _ in told) <= won


@pytest.mark.parametrize("is_opponent", [False, True])
def test_a_file_that_cannot_be_used_plays_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_opponent: bool
) -> None:
    codes = [OURS, "def minimax(:\n"] if is_opponent else ["def minimax(:\n", OURS]
    assert compete(tmp_path, *codes) == 1
    name = "friend.py" if is_opponent else "mine.py"
    assert capsys.readouterr().out.startswith(f"{name} raises SyntaxError")


def test_the_table_comes_line_by_line_without_a_terminal(tmp_path: Path) -> None:
    """The program waits for us once the head of the table is there."""
    mine, go = tmp_path / "mine.py", tmp_path / "go"
    mine.write_text(waiting_for(go), encoding="utf-8")
    head, shown = shown_before_and_after(go, 3, str(mine), "perfect")
    assert head[2].split() == ["against", "won", "drawn", "lost"]
    assert list(results(shown)) == ["perfect"]
    assert "mine.py lost" not in shown, "it has not waited in vain"


def folder_of_programs(folder: Path) -> Path:
    """Two students' folders, and two files beside them: one right program, and three others."""
    codes = {
        "ana/tictactoe.py": OURS,
        "ben/tictactoe.py": FIRST_FREE_CELL,
        "fails.py": FAILS,
        "typo.py": "def minimax(:\n",
    }
    for name, code in codes.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(code, encoding="utf-8")
    return folder


def league(
    folder: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[str, dict[str, list[int]]]:
    assert main(["contest", str(folder), "--seconds", "1", *options, "--language", "en"]) == 0
    shown = capsys.readouterr().out
    return shown, results(shown)


def test_in_a_league_all_programs_of_a_folder_play_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of_programs(tmp_path)
    (folder / "fails.py").unlink()
    raises = "def minimax(board):\n    return 1 // (board[2][2] is None)\n"
    (folder / "raises.py").write_text(OURS + raises, encoding="utf-8")
    shown, table = league(folder, capsys)
    assert [*table] == ["ana", "ben"], "the best is first"
    assert table["ana"][2] == 0
    assert {sum(counts) for counts in table.values()} == {18}
    assert league(folder, capsys)[0] == shown, "it is the same each time"


def test_a_program_that_hangs_or_never_moves_wins_nothing_in_a_league(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.__main__.TimeLimits", HASTY)
    folder = folder_of_programs(tmp_path)
    raises = OURS + "def minimax(board):\n    return {}[board[0][0] == X]\n"
    (folder / "raises.py").write_text(raises, encoding="utf-8")
    shown, table = league(folder, capsys)
    assert {*table} == {"ana", "ben"}
    assert "fails.py is left out. minimax(board) doesn't return within 1 s." in shown
    assert "raises.py is left out. minimax(board) raises KeyError" in shown
    assert "typo.py is left out. typo.py raises SyntaxError" in shown


def test_a_program_that_fails_now_and_then_loses_those_games_of_a_league(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of_programs(tmp_path)
    fails = FAILS.replace("        pass", "        return 3")
    (folder / "fails.py").write_text(fails, encoding="utf-8")
    shown, table = league(folder, capsys)
    assert sum(table["fails.py"]) == 2 * 18
    told = re.findall(r"^fails.py lost (\d+) games? so: (.*)$", shown, re.MULTILINE)
    assert sum(int(count) for count, _ in told) <= table["fails.py"][2]
    assert {reason.partition(":")[0] for _, reason in told} == {
        "minimax(board) ends the program.",
        "minimax(board) raises ValueError",
        "minimax(board) returns 3; that isn't a free cell as a pair (row, column).",
    }


def test_wins_against_weak_guests_rank_programs_that_cannot_lose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are right; one prefers the moves after which a random reply loses most often."""
    traps = """
from engine import Board
from engine.levels import Level, move_odds
def minimax(board):
    rows = "/".join("".join(mark or "." for mark in row) for row in board)
    odds = move_odds(Board.parse(rows), Level.IMPOSSIBLE)
    return divmod(max(odds, key=odds.get), 3)
"""
    (tmp_path / "a.py").write_text(OURS, encoding="utf-8")
    (tmp_path / "b.py").write_text(OURS + traps, encoding="utf-8")
    shown, table = league(tmp_path, capsys, "--seconds", "60")
    assert table == {"b.py": [0, 18, 0], "a.py": [0, 18, 0]}, shown
    assert [*table] == ["b.py", "a.py"]
    wins = dict(re.findall(r"^(\S+) +(\d+) +\d+$", shown, re.MULTILINE))
    assert int(wins["b.py"]) > int(wins["a.py"])


def test_a_league_says_of_each_program_when_it_has_played_without_a_terminal(
    tmp_path: Path,
) -> None:
    """The second program waits for us once the line of the first is there."""
    go = tmp_path / "go"
    (tmp_path / "a.py").write_text(FIRST_FREE_CELL, encoding="utf-8")
    (tmp_path / "b.py").write_text(waiting_for(go), encoding="utf-8")
    lines, shown = shown_before_and_after(go, 4, str(tmp_path))
    assert lines[3].startswith("a.py ")
    assert list(results(shown)) == ["a.py", "b.py"]


@pytest.mark.parametrize("opponent", [[], ["easy"], [FIRST_FREE_CELL]])
def test_with_own_a_program_that_takes_ours_plays_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], opponent: list[str]
) -> None:
    assert compete(tmp_path, OURS, *opponent, options=["--own"]) == 1
    assert "mine.py imports engine.tictactoe (mine.py:1), which --own" in capsys.readouterr().out


def test_a_folder_is_judged_with_a_line_for_each_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of_programs(tmp_path)
    (folder / "wrong.py").write_text(OURS + "def player(board):\n    return X\n", encoding="utf-8")
    (folder / "begun.py").write_text(OURS + "def player(board):\n    pass\n", encoding="utf-8")
    command = ["check", str(folder), "--only", "player"]
    assert main([*command, "--language", "en"]) == 1
    lines = capsys.readouterr().out.splitlines()
    graded = [line.split() for line in lines if not line.startswith(" ")]
    right = ["1", "player"]
    assert graded == [
        ["begun.py", "0"],
        ["fails.py", *right],
        ["typo.py", "0"],
        ["wrong.py", "0"],
        ["ana", *right],
        ["ben", *right],
    ]
    reasons = [line.strip() for line in lines if line.startswith(" ")]
    assert reasons[0] == "player: It isn't written yet."
    assert reasons[1].startswith("typo.py raises SyntaxError")
    assert reasons[2:] == ["player(board) returns 'X'; 'O' would be right."]
    assert main([*command, "--json"]) == 1
    reports = json.loads(capsys.readouterr().out)
    assert [*reports] == [name for name, *_ in graded]
    assert reports["ana"]["results"][1]["passed"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [([], "There's no program in \""), (["easy"], '"easy" is one word too many.')],
)
def test_a_folder_without_programs_or_with_an_opponent_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    folder = folder_of_programs(tmp_path) if words else tmp_path
    with pytest.raises(SystemExit):
        main(["contest", str(folder), *words, "--language", "en"])
    assert problem in capsys.readouterr().err
