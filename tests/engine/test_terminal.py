"""python -m engine, as a person at a terminal meets it."""

import subprocess
import sys

import pytest

from engine import Board, search
from engine.__main__ import draw, main


def in_terminal(*arguments: str, typed: str = "") -> str:
    """What a real terminal shows: a process of its own, with `typed` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_mind_against_itself_draws() -> None:
    shown = in_terminal("--self-play", "--seed", "5")
    assert shown.strip().endswith("It's a draw: deu velha!")
    assert shown.count("plays") == 9


def test_a_person_who_lets_it_loses_and_is_told() -> None:
    shown = in_terminal(
        "--first", "me", "--seed", "1", typed="A1\nA2\nA3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    )
    assert "You are X" in shown
    assert shown.strip().endswith("You lose.")


def test_bad_input_is_asked_again_with_a_reason() -> None:
    shown = in_terminal("--first", "me", "--seed", "1", typed="Z9\n\n10\nb2\nB2\n")
    assert "There is no cell 'Z9': type A1 to C3, or 1 to 9." in shown
    assert "There is no cell ''" in shown
    assert "There is no cell '10'" in shown
    assert "B2 is taken: choose a free cell." in shown


def test_ctrl_d_ends_it_politely() -> None:
    assert in_terminal("--first", "me").endswith("Goodbye!\n")


def test_the_starter_is_random_unless_told() -> None:
    starters = {in_terminal("--seed", str(seed)).splitlines()[0] for seed in range(8)}
    assert {line[:9] for line in starters} == {"You are X", "You are O"}


def test_the_board_shows_coordinates_and_the_numbers_of_free_cells() -> None:
    assert draw(Board.parse("xo. .x. ..o")) == (
        "    A   B   C\n"
        " 1  X | O | 3 \n"
        "   ---+---+---\n"
        " 2  4 | X | 6 \n"
        "   ---+---+---\n"
        " 3  7 | 8 | O "
    )


def test_a_perfect_person_holds_the_draw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides are perfect here: what is typed is the search's own choice."""
    board = Board()

    def type_the_best(_prompt: str) -> str:
        shown = capsys.readouterr().out
        for line in shown.splitlines():
            if "O plays" in line:
                nonlocal board
                board = board.result("A1B1C1A2B2C2A3B3C3".index(line.split()[2].rstrip(".")) // 2)
        cell = search(board).best_actions[0]
        board = board.result(cell)
        return str(cell + 1)

    monkeypatch.setattr("builtins.input", type_the_best)
    assert main(["--first", "me", "--seed", "2"]) == 0
    assert capsys.readouterr().out.strip().endswith("deu velha!")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["--level", "godlike"])
