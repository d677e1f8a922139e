"""Looking only so far ahead: what is guessed, and where the guess fails."""

from __future__ import annotations

import pytest

from engine import Board, Rules, Value, line_balance, look_ahead, search, solve

FOUR, FIVE = Rules(4, 4, 3), Rules(5, 5, 4)
OPEN_TWO = Board.parse(".xx.. x..o. ..... .oo.. .....", FIVE)
"""D1 makes an open three, which wins; ⭕ has an open two as well, and wins if nobody hurries."""


@pytest.mark.parametrize(
    ("drawing", "lines"),
    [
        ("... ... ...", 0),
        ("... .x. ...", 4),  # of eight lines O can still complete four
        ("x.. .o. ...", -1),  # X keeps row and column; O another row, column and diagonal
        ("xox xxo oxo", 0),
    ],
)
def test_open_lines_are_those_that_only_one_can_complete(drawing: str, lines: int) -> None:
    assert line_balance(Board.parse(drawing)) == lines


def test_the_empty_4x4_is_won_yet_no_short_search_finds_that() -> None:
    assert solve(Board(FOUR)).value is Value.WIN
    for depth in (1, 2, 3):
        assert search(Board(FOUR), depth_limit=depth).value == 0
        glimpse = look_ahead(Board(FOUR), depth)
        assert glimpse.guess is not None, "it guesses"
        assert glimpse.proven_worth.value is Value.LOSS, "and moves well"


@pytest.mark.parametrize("depth", [1, 2])
def test_the_guess_fails_where_the_answer_lies_beyond_the_horizon(depth: int) -> None:
    assert solve(OPEN_TWO).value is Value.WIN
    glimpse = look_ahead(OPEN_TWO, depth)
    assert FIVE.coordinate(glimpse.action) == "C3"
    assert glimpse.guess is not None
    assert glimpse.proven_worth.value is Value.WIN, "for the opponent"


def test_one_move_further_it_is_seen() -> None:
    glimpse = look_ahead(OPEN_TWO, 3)
    assert (FIVE.coordinate(glimpse.action), glimpse.guess) == ("D1", None)
    assert glimpse.proven_worth.value is Value.LOSS


def test_no_guess_is_taken_for_a_win_or_a_loss() -> None:
    ahead = Board.parse("x.... .x... ..... ..... oo...", FIVE)
    glimpse = look_ahead(ahead, 1)
    assert glimpse.guess is not None
    assert abs(glimpse.guess) < len(FIVE.lines)


def test_it_looks_at_least_one_move_ahead() -> None:
    with pytest.raises(ValueError, match="at least one ply"):
        look_ahead(Board(), 0)
