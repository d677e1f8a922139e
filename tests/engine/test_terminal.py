"""python -m engine, as a person at a terminal meets it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Board, review, search
from engine.__main__ import main
from engine.terminal import describe, draw

ROOT = Path(__file__).parents[2]


def in_terminal(*arguments: str, typed: str = "") -> str:
    """What a real terminal shows: a process of its own, with `typed` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
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
    assert "O plays" in shown
    assert "X plays" not in shown, "who played it knows"
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


def test_q_quits_as_well() -> None:
    for typed in ("q", "Q", "Exit"):
        shown = in_terminal("--first", "me", typed=f"{typed}\n")
        assert shown.endswith("Goodbye!\n")
        assert "There is no cell" not in shown


def test_the_board_shows_coordinates_and_the_numbers_of_free_cells() -> None:
    assert draw(Board.parse("xo. .x. ..o")) == (
        "    A   B   C\n"
        " 1  X | O | 3 \n"
        "   ---+---+---\n"
        " 2  4 | X | 6 \n"
        "   ---+---+---\n"
        " 3  7 | 8 | O "
    )


def test_a_hint_shows_what_each_cell_is_worth_and_the_best_move_with_its_reason() -> None:
    shown = in_terminal("--first", "me", "--hint", "--seed", "1")
    assert " 1=| 2=| 3=" in shown
    assert "+ a win  = a draw  - a loss" in shown
    assert "Best: A1, a draw (most replies lose)." in shown


def test_hints_are_for_the_person_s_moves() -> None:
    shown = in_terminal("--first", "me", "--hint", "--seed", "1", typed="B2\n")
    assert shown.count("Best:") == 2


def test_a_watched_search_shows_what_pruning_order_and_memory_save() -> None:
    shown = in_terminal("--first", "me", "--watch")
    counts = [line.split()[-2:] for line in shown.splitlines() if line.startswith("alpha-beta")]
    assert re.search(r"plain minimax +549,946 +0\n", shown)
    assert re.search(r"minimax with a memory +16,168 +0\n", shown)
    assert counts == [["20,866", "7,692"], ["7,865", "2,854"], ["5,538", "1,642"], ["2,172", "633"]]
    table = shown[shown.index("search  ") : shown.index("proves a draw")]
    for name in ("README.md", "README.pt-BR.md"):
        assert table in (ROOT / name).read_text(encoding="utf-8"), "learners are led on from it"


def test_on_larger_boards_watching_stops_at_a_depth_within_reach() -> None:
    shown = in_terminal("--first", "me", "--watch", "--board", "4x3x3")
    assert "to depth 5" in shown
    assert "proves a win" in shown


def test_a_review_names_the_blunder_and_what_had_held() -> None:
    shown = in_terminal(
        "--first", "me", "--seed", "1", "--review", typed="A1\nA2\nA3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    )
    assert "Review: for the player who moved" in shown
    assert "would have been a draw" in shown
    assert shown.splitlines()[-1].endswith("a win in 1 ply (win); the only move")


def test_of_a_move_that_holds_a_review_says_nothing_more() -> None:
    """Against the centre every corner holds, and every side would have lost."""
    corner = review([4, 0])[1]
    assert not corner.is_safe
    assert describe(2, corner) == "  2. O = A1, a draw (corner)"


def test_a_win_that_was_missed_is_named_though_the_next_move_wins_as_well() -> None:
    slower = review([4, 0, 6, 8, 1])[-1]
    said = "  5. X + B1, a win in 3 plies (missed win); C1 would have won at once"
    assert describe(5, slower) == said


@pytest.mark.parametrize("board", ["4x3x3", "4x4x4", "5x5x3", "3x5x5"])
def test_larger_boards_are_played_to_the_end(board: str) -> None:
    shown = in_terminal("--self-play", "--board", board, "--level", "medium", "--seed", "2")
    assert shown.strip().splitlines()[-1] in ("It's a draw: deu velha!", "X wins!", "O wins!")


@pytest.mark.parametrize("board", ["6x6x4", "3x3", "3x3x4", "2x2x2", "axbxc"])
def test_boards_out_of_range_are_refused(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--board", board])
    assert "argument --board" in capsys.readouterr().err


def test_there_are_no_colours_where_nobody_sees_them() -> None:
    assert "\x1b" not in in_terminal("--self-play", "--hint", "--seed", "1")


def test_there_are_colours_where_the_terminal_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m" in draw(Board.parse("x.. ... ..."))
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in draw(Board.parse("x.. ... ..."))


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
