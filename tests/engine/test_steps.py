"""A learner's own `minimax`, followed step by step on one board."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from tests.engine.road import listings
from tests.engine.solutions import OURS, changed
from tests.engine.test_terminal import refused

(FINISHED,) = listings("en/write-your-own/4-minimax.md", "finished.py")
BOARD = "xxo oox ..."


def steps(
    folder: Path, code: str, capsys: pytest.CaptureFixture[str], board: str = BOARD, *more: str
) -> list[str]:
    """The steps that are shown, and what is said below them, one space between columns."""
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    main(["check", str(file), "--steps", board, *(more or ("--language", "en"))])
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_it_shows_what_was_asked_and_what_came_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = steps(tmp_path, FINISHED, capsys)
    assert "98 best_value = min(best_value, max_value(result(board, action)))" in shown
    first = shown.index("1 minimax(board)")
    assert shown[first - 1 : first + 10] == [
        "step line",
        "1 minimax(board)",
        "2 110 X (2, 0): min_value(board)",
        "3 98 O (2, 1): max_value(board)",
        "4 95 X (2, 2): min_value(board) returns 0 (draw)",
        "5 90 max_value returns 0",
        "6 98 O (2, 2): max_value(board)",
        "7 95 X (2, 1): min_value(board) returns 0 (draw)",
        "8 90 max_value returns 0",
        "9 99 min_value returns 0",
        "10 110 X (2, 1): min_value(board)",
    ]
    assert shown[-1] == "minimax(board) returns (2, 0), and that is right."


def test_bounds_and_what_is_cut_off_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = "    best_value = -math.inf\n    for action in sorted(actions(board)):\n"
    stops_at_a_draw = "        if best_value == 0:\n            return best_value\n"
    code = changed(
        FINISHED,
        (f"{loop}        best_value", f"{loop}{stops_at_a_draw}        best_value"),
        ("def max_value(board):", "def max_value(board, alpha=-1, beta=1):"),
    )
    shown = steps(tmp_path, code, capsys, "xo. ox. ...")
    assert "O (0, 2): max_value(board, alpha=-1, beta=1)" in "\n".join(shown)
    assert any("max_value returns 0 not tried: (2, 1), (2, 2)" in line for line in shown)


def test_a_return_in_the_loop_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = "    return best_value\n\n\ndef minimax"
    code = changed(FINISHED, (last, f"    {last}"))
    shown = steps(tmp_path, code, capsys)
    assert any(line.endswith("min_value returns 0 not tried: (2, 2)") for line in shown)


def test_a_winner_that_sees_no_column_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = changed(FINISHED, (" or check_columns(board)", ""))
    shown = steps(tmp_path, code, capsys, "xo. xo. ...")
    assert any(line.endswith("returns 0 (X wins)") for line in shown)


def test_marks_that_are_left_on_the_board_are_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = changed(FINISHED, ("after = deepcopy(board)", "after = board"))
    shown = steps(tmp_path, code, capsys)
    assert shown[-1] == "minimax(board) changes the board it is given. Work on a copy."


def test_an_exception_is_where_it_was_raised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = changed(
        FINISHED, ("        return -1\n    return 0", "        return -1\n    return 0 / 0")
    )
    shown = steps(tmp_path, code, capsys)
    assert any(line.endswith("X (2, 2): min_value(board) raises an error") for line in shown)
    assert (
        shown[-1] == "minimax(board) raises ZeroDivisionError: division by zero (tictactoe.py:81)"
    )


def test_a_recursion_without_an_end_is_cut_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = changed(FINISHED, ("min_value(result(board, action)))", "max_value(board))"))
    shown = steps(tmp_path, code, capsys)
    assert len(shown) < 600
    assert "raises an error" in shown[-10]
    assert shown[-1].startswith("minimax(board) raises RecursionError")


def test_marks_that_are_taken_back_are_no_other_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = """from engine.tictactoe import *


def value(board, turn):
    if terminal(board):
        return utility(board)
    values = []
    for i, j in sorted(actions(board)):
        board[i][j] = turn
        values.append(value(board, O if turn == X else X))
        board[i][j] = EMPTY
    return max(values) if turn == X else min(values)


def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    turn = O if player(board) == X else X
    return best(sorted(actions(board)), key=lambda move: value(result(board, move), turn))
"""
    shown = steps(tmp_path, code, capsys)
    assert any("O (2, 1): value(board, turn='X')" in line for line in shown)
    assert any("X (2, 2): value(board, turn='O') returns 0 (draw)" in line for line in shown)


def test_a_minimax_that_asks_for_one_move_only_shows_what_it_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = """from engine.tictactoe import *


def minimax(board):
    for action in sorted(actions(board)):
        if winner(result(board, action)) == player(board):
            return action
    return min(actions(board))
"""
    shown = steps(tmp_path, code, capsys, "xx. oo. ...")
    assert "X (0, 2): winner(board) returns 'X' (X wins)" in shown[-4]


def test_a_minimax_from_elsewhere_is_not_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = steps(tmp_path, OURS, capsys)
    assert "This minimax isn't written in tictactoe.py: I can't follow it." in shown


def test_a_file_that_cannot_be_used_is_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = steps(tmp_path, "def", capsys)
    assert shown[0].startswith("tictactoe.py raises SyntaxError")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("pt_BR", "minimax(board) devolve (2, 0), e está certo."),
        ("es", "minimax(board) devuelve (2, 0), y es correcto."),
    ],
)
def test_steps_are_translated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    assert sentence in steps(tmp_path, FINISHED, capsys, BOARD, "--language", language)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--steps", "xo"], '"xo" isn\'t three rows of three, such as "xo. xxo ..o".'),
        (["--steps", "xxx oo. ..."], '"xxx oo. ..." is over: there is no move.'),
        (
            ["--steps", "x.. ... ..."],
            "8 squares are free, and I follow 5 at most: fill more squares.",
        ),
        (
            ["--steps", "xxx xo. ..."],
            '"xxx xo. ..." can\'t arise: X begins and both take turns, but there are 4 X and 1 O.',
        ),
        (["--steps", BOARD, "--json"], "--steps doesn't go with --json."),
        (["--steps", BOARD, "--only", "player"], "--steps doesn't go with --only."),
        (["--steps"], "--steps needs a value."),
    ],
)
def test_a_board_that_cannot_be_followed_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(FINISHED, encoding="utf-8")
    assert refused("check", str(file), *options, capsys=capsys)[0] == sentence


def test_a_folder_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tictactoe.py").write_text(FINISHED, encoding="utf-8")
    sentence = f"--steps wants one program, and {tmp_path.name} is a folder."
    assert refused("check", str(tmp_path), "--steps", BOARD, capsys=capsys)[0] == sentence
