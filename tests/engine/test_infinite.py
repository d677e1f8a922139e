"""Infinite tic-tac-toe: its rules, as drawn boards."""

from __future__ import annotations

import random

import pytest

from engine import INFINITE, Board, IllegalMoveError, Mark, Outcome
from tests.engine.vanishing import drawn, has_line, sides


def infinite(drawing: str) -> Board:
    return Board.parse(drawing, INFINITE)


def test_with_the_fourth_mark_of_a_player_the_oldest_vanishes() -> None:
    board = infinite("x1o1.. ..x2.. o2x3o3")
    assert board.vanishing == 0
    after = board.result(2)
    assert str(after) == "..o1x3 ..x1.. o2x2o3 7"
    assert after.vanishing == 1
    assert str(after.result(0)) == "o3..x3 ..x1.. o1x2o2 8"


def test_the_cell_about_to_vanish_is_free_a_ply_later_and_no_sooner() -> None:
    board = infinite("x1o1.. ..x2.. o2x3o3")
    assert board.actions() == (2, 3, 5)
    with pytest.raises(IllegalMoveError, match="A1 is taken"):
        board.result(0)
    assert board.result(2).actions() == (0, 3, 5)


def test_no_mark_vanishes_before_the_seventh_ply_or_after_the_end() -> None:
    assert infinite("x1o1.. ..x2.. o2x3..").vanishing is None
    assert infinite("x1x2x3 o1o2.. ..o3.. 7").vanishing is None


def test_three_in_a_row_win_only_after_the_oldest_mark_has_vanished() -> None:
    assert infinite("x1x2.. o1..x3 o2o3..").result(2).winner is None
    won = infinite("x2x3.. o1..x1 o2o3..").result(2)
    assert won.outcome() == Outcome(Mark.X, (0, 1, 2))
    assert (won.utility, won.actions(), won.plies_left) == (1, (), 0)


def test_a_winning_cell_completes_a_line_with_the_two_newest_marks() -> None:
    board = infinite("x2x3.. o1..x1 o2o3..")
    assert board.winning_cells(Mark.X) == (2,)
    assert board.winning_cells(Mark.O) == (8,)
    assert infinite("x1x2.. o1..x3 o2o3..").winning_cells(Mark.X) == ()


def test_after_60_plies_it_is_a_draw() -> None:
    last = infinite("o1x1.. o2o3.. x2x3.. 59")
    over = last.result(8)
    assert (last.outcome(), last.plies_left) == (None, 1)
    assert (over.outcome(), over.utility, over.plies_left) == (Outcome(None), 0, 0)
    assert (over.is_terminal, over.actions(), over.vanishing) == (True, (), None)
    with pytest.raises(IllegalMoveError, match="over"):
        over.result(over.free_cells[0])


def test_the_sixtieth_ply_can_win() -> None:
    last = infinite("o1x1.. o2o3.. x2x3.. 59")
    assert last.winning_cells(Mark.O) == (5,)
    assert last.result(5).outcome() == Outcome(Mark.O, (3, 4, 5))


def test_a_player_who_does_not_move_again_has_no_winning_cells() -> None:
    drawing = "x2x3.. o1..x1 o2o3.."
    assert infinite(f"{drawing} 58").forced_cells() == (8,)
    assert infinite(drawing.translate(str.maketrans("xo", "ox")) + " 59").forced_cells() == ()


def test_parse_is_the_inverse_of_str_at_every_ply() -> None:
    for seed in range(10):
        rng = random.Random(seed)
        for plies in range(61):
            cells = tuple(rng.sample(range(9), min(plies, 6)))
            if not has_line(sides(cells)[0]):
                board = infinite(drawn(cells, plies))
                assert str(board) == drawn(cells, plies)
                assert infinite(str(board).upper().replace(" ", "/")) == board
                assert eval(repr(board)) == board  # noqa: S307 - that is what a repr is for
                assert (board.plies, board.to_move) == (plies, list(Mark)[plies % 2])
                assert len(board.free_cells) == INFINITE.free_after(plies)


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("", "not rows of 3 cells of two symbols"),
        ("x.. .o. ...", "not rows of 3 cells of two symbols"),
        ("x1.... ......", "not rows of 3 cells of two symbols"),
        ("x1.... ...... ..... 7", "not rows of 3 cells of two symbols"),
        ("o1.... ...... ......", "not the marks on the board after 1 plies"),
        ("x1x1.. ...... ......", "not the marks on the board after 2 plies"),
        ("z1.... ...... ......", "not the marks on the board after 1 plies"),
        ("x1.... ...... ...... 2", "not the marks on the board after 2 plies"),
        ("x1o1x2 o2o3x3 ...... 62", "not the marks on the board after 62 plies"),
        ("x1o1x2 o2o3x3 ...... -8", "not rows of 3 cells of two symbols"),
        ("x1x2x3 o1o2.. ..o3..", "a move was made after the game was won"),
        ("x1x2x3 o1o2o3 ......", "a move was made after the game was won"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(drawing: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        infinite(drawing)
