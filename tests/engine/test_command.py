"""python -m engine check --command: a program in any language, of which only moves are judged."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import main
from tests.engine import road
from tests.engine.solutions import OURS

ASKED = """
import sys

for line in sys.stdin:
    line = line.strip()
    print(ANSWER, flush=True)
"""
RIGHT = f"""
import sys
sys.path.append({str(Path(__file__).parents[2])!r})
from engine import Board
from engine.solver import solve

def best(line):
    board = Board.parse("/".join([line[:3], line[3:6], line[6:]]))
    return solve(board).principal_variation[0]
{ASKED.replace("ANSWER", "best(line)")}"""
FIRST_FREE_CELL = ASKED.replace("ANSWER", 'line.index(".")')


def command(folder: Path, code: str) -> str:
    """The command of a program with this code, in Python."""
    file = folder / "player.py"
    file.write_text(code, encoding="utf-8")
    return f'"{sys.executable}" "{file}"'


def check(folder: Path, code: str, *options: str) -> int:
    return main(["check", "--command", command(folder, code), *options, "--language", "en"])


def test_a_right_program_is_right_on_every_board_where_it_can_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, RIGHT) == 0
    shown = capsys.readouterr().out
    assert "moves          right   4,520 boards judged, " in shown
    assert shown.endswith("No mistakes found.\n")


def test_a_wrong_program_is_shown_a_board_a_lost_game_and_how_it_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, FIRST_FREE_CELL) == 1
    shown = capsys.readouterr().out
    assert "player.py answers 0: a loss, where 1 would be a draw." in shown
    assert "The moves: X 0, O 1, X 3, O 2, X 6\n" in shown
    assert "It always plays the first move that it tries" in shown
    assert shown.endswith("Wrong: moves.\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("4", "player.py answers 4; that isn't a free cell, from 0 to 8."),
        ("'B2'", "player.py answers 'B2'; that isn't a free cell, from 0 to 8."),
        ("9", "player.py answers '9'; that isn't a free cell, from 0 to 8."),
        ("''", "player.py answers ''; that isn't a free cell, from 0 to 8."),
        ("1 // 0", "player.py ends before it has answered. ZeroDivisionError: "),
        ("sys.exit()", "player.py ends before it has answered."),
        ("sys.stdin.read()", "player.py doesn't answer within 1 s. Does it flush"),
    ],
)
def test_an_answer_that_is_no_move_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, said: str
) -> None:
    assert check(tmp_path, ASKED.replace("ANSWER", answer), "--seconds", "1") == 1
    assert said in capsys.readouterr().out


def test_the_report_on_a_program_may_be_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, FIRST_FREE_CELL, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert [result["passed"] for result in report["results"]] == [True, False]


def test_a_program_plays_levels_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started = ["contest", "--command", command(tmp_path, RIGHT)]
    assert main([*started, "easy", "--language", "en"]) == 0
    assert " 0\n" in capsys.readouterr().out, "it loses none"
    friend = tmp_path / "friend.py"
    friend.write_text(OURS, encoding="utf-8")
    assert main([*started, str(friend), "--language", "en"]) == 0
    assert capsys.readouterr().out.split()[-4:] == ["friend.py", "0", "18", "0"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--command", "no-such-program x"], "I can't find the program of"),
        (["check", "--command", "'"], "I can't find the program of"),
        (["check", "--command", sys.executable, "--own"], "--own doesn't go with --command."),
        (["check", "mine.py", "--command", sys.executable], '"mine.py" is one word too many.'),
        (["contest", "--command", sys.executable, "easy", "hard"], '"hard" is one word too many.'),
    ],
)
def test_what_cannot_be_judged_is_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    with pytest.raises(SystemExit):
        main([*words, "--language", "en"])
    assert said in capsys.readouterr().err


def on_the_page(folder: str, language: str) -> str:
    """The program in another language than Python that a page shows."""
    (code,) = [
        block.text
        for block in road.blocks(f"{folder}/write-your-own/10-opponents.md")
        if block.kind == language
    ]
    return code


@pytest.mark.parametrize("language", ["js", "c"])
def test_the_programs_in_other_languages_on_the_page_are_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    tool = {"js": "node", "c": "cc"}[language]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} isn't installed")
    code = on_the_page("en", language)
    (tmp_path / f"player.{language}").write_text(code, encoding="utf-8")
    started = f"node {tmp_path}/player.js"
    if language == "c":
        started = str(tmp_path / "player")
        subprocess.run([tool, "-O2", "-o", started, tmp_path / "player.c"], check=True)
    assert main(["check", "--command", started, "--language", "en"]) == 0
    assert "moves          right" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["js", "c"])
def test_all_pages_show_these_programs_with_comments_of_their_own(language: str) -> None:
    comment = re.compile(r"^(//.*|/\*.*\*/)$", re.MULTILINE)
    assert len({comment.sub("", on_the_page(folder, language)) for folder in road.LANGUAGES}) == 1
