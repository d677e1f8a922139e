"""The rules of the m,n,k-game, and positions as values."""

from itertools import product

import pytest

from engine import MISERE, TIC_TAC_TOE, Board, IllegalMoveError, Mark, Outcome, Rules
from engine.rules import bit_set
from tests.engine.positions import REACHABLE


def test_exactly_the_reachable_positions_are_accepted() -> None:
    accepted = set()
    for rows in product(map("".join, product("xo.", repeat=3)), repeat=3):
        drawing = " ".join(rows)
        try:
            board = Board.parse(drawing)
        except ValueError:
            continue
        assert str(board) == drawing
        accepted.add(board)
    assert accepted == set(REACHABLE)
    assert len(accepted) == 5478


@pytest.mark.parametrize(
    ("drawing", "rules"),
    [
        ("xo. .x. ..o", TIC_TAC_TOE),
        ("xo. .x. ..o", MISERE),
        ("xo.. .x.o ...x", Rules(4, 3, 3)),
        ("xo. .x. o.x ...", Rules(3, 4, 3)),
    ],
)
def test_a_board_is_rebuilt_from_its_str_and_its_repr(drawing: str, rules: Rules) -> None:
    board = Board.parse(drawing, rules)
    assert str(board) == drawing
    assert eval(repr(board)) == board  # noqa: S307 - that is what a repr is for


def test_parse_accepts_slashes_and_capitals() -> None:
    assert Board.parse("XO./.X./..O") == Board.parse("xo. .x. ..o")


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("xx. ... ...", "take turns"),
        ("o.. ... ...", "take turns"),
        ("xxx ooo ...", "after the game was won"),
        ("xxx oo. o..", "after the game was won"),
        ("xxx oo. .", "rows"),
        ("xx. oo.", "rows"),
        ("xo.. x... ....", "rows"),
        ("xo. .z. ...", "not a mark: z"),
        ("", "rows"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(drawing: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Board.parse(drawing)


def test_two_lines_that_no_single_move_completes_are_impossible() -> None:
    with pytest.raises(ValueError, match="no single move"):
        Board.parse("xxx.. o.o.. .o.o. xxx.. o....", Rules(5, 5, 3))


def test_a_bit_set_has_each_of_its_cells_once() -> None:
    assert bit_set([4, 0, 4]) == 0b10001


def test_x_begins_and_the_players_take_turns() -> None:
    board = Board()
    assert board.to_move is Mark.X
    assert board.result(4).to_move is Mark.O
    assert board.result(4).result(0).to_move is Mark.X


def test_actions_are_the_free_cells_in_reading_order() -> None:
    assert Board.parse("xo. .x. ..o").actions() == (2, 3, 5, 6, 7)


def test_a_finished_game_has_no_actions() -> None:
    assert Board.parse("xxx oo. ...").actions() == ()
    assert Board.parse("xox xxo oxo").actions() == ()


def test_a_result_is_a_new_board_and_the_old_one_stays() -> None:
    board = Board.parse("xo. ... ...")
    assert str(board.result(4)) == "xo. .x. ..."
    assert str(board) == "xo. ... ..."


@pytest.mark.parametrize(
    ("drawing", "action", "reason"),
    [
        ("xo. ... ...", 0, "A1 is taken"),
        ("xo. ... ...", 9, "no cell"),
        ("xo. ... ...", -1, "no cell"),
        ("xxx oo. ...", 8, "over"),
    ],
)
def test_an_illegal_move_is_an_error(drawing: str, action: int, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        Board.parse(drawing).result(action)


def test_every_line_wins_for_either_mark() -> None:
    for line in TIC_TAC_TOE.lines:
        others = [cell for cell in TIC_TAC_TOE.cells if cell not in line]
        held, two, three = bit_set(line), bit_set(others[:2]), bit_set(others[1:4])
        assert Board(x=held, o=two).outcome() == Outcome(Mark.X, line)
        assert Board(x=three, o=held).outcome() == Outcome(Mark.O, line)


def test_a_move_that_completes_two_lines_shows_both() -> None:
    assert Board.parse("XOX/OXO/XOX").outcome() == Outcome(Mark.X, (0, 2, 4, 6, 8))


def test_utility_is_what_the_game_is_worth_to_x() -> None:
    assert Board.parse("xxx oo. ...").utility == 1
    assert Board.parse("ooo xx. x..").utility == -1
    assert Board.parse("xox xxo oxo").utility == 0
    assert Board.parse("xox oxo xox").utility == 1, "though the board is full"


def test_winning_cells_are_those_that_complete_a_line() -> None:
    board = Board.parse("xx. oo. ...")
    assert board.winning_cells(Mark.X) == (2,)
    assert board.winning_cells(Mark.O) == (5,)
    assert Board().winning_cells(Mark.X) == ()
    assert Board.parse("xxx oo. ...").winning_cells(Mark.O) == (), "the game is over"


def test_a_game_is_over_exactly_if_it_has_an_outcome() -> None:
    for board in REACHABLE:
        assert board.is_terminal == (board.outcome() is not None)


@pytest.mark.parametrize(
    ("columns", "rows", "in_a_row", "lines"),
    [(3, 3, 3, 8), (4, 4, 4, 10), (5, 5, 5, 12), (5, 5, 4, 28), (4, 3, 3, 14), (5, 5, 3, 48)],
)
def test_a_board_has_as_many_lines_as_geometry_says(
    columns: int, rows: int, in_a_row: int, lines: int
) -> None:
    rules = Rules(columns, rows, in_a_row)
    assert len(rules.lines) == lines
    assert all(len(set(line)) == in_a_row for line in rules.lines)


@pytest.mark.parametrize(
    "rules", [Rules(*sizes) for sizes in product((3, 4, 5), repeat=3) if sizes[2] <= max(sizes[:2])]
)
def test_every_symmetry_maps_the_board_and_its_lines_to_themselves(rules: Rules) -> None:
    for moved in rules.symmetries:
        assert set(moved) == set(rules.cells)
        assert {frozenset(moved[cell] for cell in line) for line in rules.lines} == {
            frozenset(line) for line in rules.lines
        }
    is_square = rules.columns == rules.rows
    assert len(rules.symmetries) == 8
    assert len(set(rules.symmetries)) == (8 if is_square else 4)


def test_coordinates_are_a_column_letter_and_a_row_number() -> None:
    assert [TIC_TAC_TOE.coordinate(cell) for cell in (0, 2, 4, 8)] == ["A1", "C1", "B2", "C3"]
    assert Rules(5, 4, 4).coordinate(19) == "E4"
