"""The table of openings says what the solver proves."""

import random
import zlib

import pytest

from engine import Board, Rules, Solver, Value, analyse
from engine.openings import FILE, MAX_MARKS, RULES, opening_worth
from tests.engine.make_openings import canonical_openings, make_table


def test_a_rebuilt_part_of_the_table_equals_the_shipped_one() -> None:
    part = make_table(Solver(RULES).worth, max_marks=1)
    assert zlib.decompress(FILE.read_bytes())[: len(part)] == part


def random_opening(marks: int, rng: random.Random) -> Board:
    board = Board(RULES)
    for _ in range(marks):
        board = board.result(rng.choice(board.actions()))
    return board


@pytest.mark.parametrize("marks", range(2, MAX_MARKS + 1))
def test_random_entries_equal_the_results_of_a_search(marks: int) -> None:
    rng = random.Random(marks)
    for board in (random_opening(marks, rng) for _ in range(3)):
        assert opening_worth(board) == Solver(RULES).worth(board), board


def test_the_table_has_every_position_with_few_marks() -> None:
    rng = random.Random(9)
    for marks in range(MAX_MARKS + 1):
        assert all(opening_worth(random_opening(marks, rng)) for _ in range(50))
    assert all(opening_worth(board) for board in canonical_openings(3))


def test_the_table_has_no_positions_with_more_marks_or_of_other_boards() -> None:
    board = Board(RULES)
    for cell in (0, 1, 2, 3, 5, 6):
        board = board.result(cell)
    assert opening_worth(board) is None
    assert opening_worth(Board(Rules(5, 4, 4))) is None


def test_every_move_of_the_hardest_openings_is_judged_without_a_search() -> None:
    board = Board.parse(".x... ..... ..... o.... .....", RULES)
    assert {worth.value for worth in analyse(board).values()} == {Value.DRAW}
