"""What there is to show of a search, checked against the textbook's own values."""

from __future__ import annotations

import random
from math import perm

import pytest

from engine import (
    INFINITE,
    MISERE,
    Board,
    Cell,
    Rules,
    Search,
    Value,
    Way,
    depth_within_reach,
    line_balance,
    look_ahead,
    search,
    solve,
    solver_of,
)
from engine.lessons import size_of_tree
from tests.engine.positions import UNFINISHED


def search_each_way(board: Board) -> dict[Way, Search[Cell]]:
    return {way: way.search(board) for way in Way}


def searched_utility(board: Board) -> int:
    return int(search(board, memory=True).utility)


def solved_utility(board: Board) -> int:
    return solver_of(board.rules).worth(board).value.utility(board.to_move)


def random_positions(rules: Rules, plies: int, count: int) -> list[Board]:
    rng = random.Random(f"{rules}")
    found: list[Board] = []
    while len(found) < count:
        board = Board(rules)
        while board.plies < plies and not board.is_terminal:
            board = board.result(rng.choice(board.actions()))
        if not board.is_terminal:
            found.append(board)
    return found


AFTER_A_CORNER = Board.parse("x.. ... ...")
ON_3X3 = UNFINISHED[::10]
ON_4X4 = [
    board
    for rules in (Rules(4, 4, 3), Rules(4, 4, 4), Rules(4, 3, 3))
    for board in random_positions(rules, plies=len(rules.cells) - 7, count=10)
]
MISERES = [board for plies in range(3, 8) for board in random_positions(MISERE, plies, count=10)]
INFINITES = [board for plies in range(24) for board in random_positions(INFINITE, plies, count=4)]


def test_the_nodes_of_every_way_are_pinned() -> None:
    """What it saves on the empty board is pinned where that is shown: in the terminal."""
    assert {way: found.nodes for way, found in search_each_way(AFTER_A_CORNER).items()} == {
        Way.PLAIN: 59_705,
        Way.PLAIN_WITH_MEMORY: 4_792,
        Way.PRUNED: 2_788,
        Way.ORDERED: 1_607,
        Way.WITH_MEMORY: 1_336,
        Way.WITH_BOTH: 756,
    }


def assert_alike(found: dict[Way, Search[Cell]]) -> None:
    assert list(found) == list(Way)
    assert len({(way.utility, way.distance_plies, way.is_complete) for way in found.values()}) == 1


@pytest.mark.parametrize(
    "boards", [[AFTER_A_CORNER, *ON_3X3[5::40]], ON_4X4[::5], MISERES[1::15], INFINITES[95:96]]
)
def test_plain_minimax_visits_the_whole_tree(boards: list[Board]) -> None:
    for board in (board for board in boards if len(board.actions()) < 9):
        depth = depth_within_reach(board)
        assert Way.PLAIN.search(board).nodes == size_of_tree(board, depth), board


def test_every_way_finds_the_same_value() -> None:
    for board in [AFTER_A_CORNER, *ON_4X4[::5], *(b for b in ON_3X3[::20] if len(b.actions()) < 8)]:
        found = search_each_way(board)
        assert_alike(found)
        assert all(way.is_complete for way in found.values())
        assert found[Way.PLAIN].utility == searched_utility(board)


def test_only_pruning_cuts_anything_off() -> None:
    cutoffs = {way: found.cutoffs for way, found in search_each_way(AFTER_A_CORNER).items()}
    assert {way for way, count in cutoffs.items() if not count} == {
        Way.PLAIN,
        Way.PLAIN_WITH_MEMORY,
    }


@pytest.mark.parametrize(
    ("rules", "plies"),
    [
        (Rules(3, 3, 3), 9),
        (Rules(4, 3, 3), 5),
        (Rules(4, 4, 3), 4),
        (Rules(4, 4, 4), 4),
        (Rules(5, 4, 4), 4),
        (Rules(5, 5, 4), 4),
        (Rules(5, 5, 5), 4),
        (MISERE, 9),
        (INFINITE, 7),
    ],
)
def test_how_far_every_way_can_look_ahead_is_pinned(rules: Rules, plies: int) -> None:
    assert depth_within_reach(Board(rules)) == plies


def test_an_endless_game_has_fewer_lines_of_play_once_marks_vanish() -> None:
    """Three cells are free at a time: 3 to the power of 11 is less than 9!, and of 12 is more."""
    six_marks = "x3x2o1 ..x1o3 ..o2.."
    assert depth_within_reach(Board.parse(six_marks, INFINITE)) == 11
    assert depth_within_reach(Board.parse(f"{six_marks} 48", INFINITE)) == 11
    assert depth_within_reach(Board.parse(f"{six_marks} 50", INFINITE)) == 10, "the draw is near"


def test_move_ordering_is_reversed_in_misere() -> None:
    """Otherwise they cost more than reading order does."""
    found = {way: way.search(Board(MISERE)).nodes for way in (Way.PRUNED, Way.ORDERED)}
    assert found == {Way.PRUNED: 12_927, Way.ORDERED: 9_704}


def test_every_way_finds_the_same_value_in_the_variants() -> None:
    for board in (*MISERES[::10], Board.parse("x3x2o1 ..x1o3 ..o2.. 54", INFINITE)):
        found = search_each_way(board)
        assert_alike(found)
        assert all(way.is_complete for way in found.values())
        assert found[Way.PLAIN].utility == solved_utility(board)


def test_nearly_full_boards_are_searched_to_the_end() -> None:
    for board in (*ON_3X3, *ON_4X4, Board.parse("xxx oo. ...")):
        assert depth_within_reach(board) == len(board.actions())


def test_on_larger_boards_every_way_stops_at_the_same_depth() -> None:
    """Here nobody completes a line so soon, and plain minimax reads every order of moves."""
    board = Board.parse("xo... ..x.. .o.x. o.... ...xo", Rules(5, 5, 5))
    assert depth_within_reach(board) == 4
    found = search_each_way(board)
    assert_alike(found)
    assert all(way.distance_plies == 4 and not way.is_complete for way in found.values())
    assert found[Way.PLAIN].nodes == sum(perm(17, plies) for plies in range(5))


def test_the_empty_5x5_board_is_searched_four_plies_deep() -> None:
    found = Way.WITH_BOTH.search(Board(Rules(5, 5, 4)))
    assert found.distance_plies == 4
    assert not found.is_complete


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
def test_line_balance_counts_the_lines_that_one_player_can_complete(
    drawing: str, lines: int
) -> None:
    assert line_balance(Board.parse(drawing)) == lines


def test_no_shallow_search_finds_the_win_on_the_empty_4x4_board() -> None:
    assert solve(Board(FOUR)).value is Value.WIN
    for depth in (1, 2, 3):
        assert search(Board(FOUR), depth_limit=depth).utility == 0
        glimpse = look_ahead(Board(FOUR), depth)
        assert glimpse.guess is not None, "it guesses"
        assert glimpse.proven_worth.value is Value.LOSS, "and moves well"


@pytest.mark.parametrize("depth", [1, 2])
def test_the_guess_is_wrong_beyond_the_horizon(depth: int) -> None:
    assert solve(OPEN_TWO).value is Value.WIN
    glimpse = look_ahead(OPEN_TWO, depth)
    assert FIVE.coordinate(glimpse.action) == "C3"
    assert glimpse.guess is not None
    assert glimpse.proven_worth.value is Value.WIN, "for the opponent"


def test_one_more_ply_of_depth_finds_the_win() -> None:
    glimpse = look_ahead(OPEN_TWO, 3)
    assert (FIVE.coordinate(glimpse.action), glimpse.guess) == ("D1", None)
    assert glimpse.proven_worth.value is Value.LOSS


def test_no_guess_is_taken_for_a_win_or_a_loss() -> None:
    ahead = Board.parse("x.... .x... ..... ..... oo...", FIVE)
    glimpse = look_ahead(ahead, 1)
    assert glimpse.guess is not None
    assert abs(glimpse.guess) < len(FIVE.lines)


def test_look_ahead_needs_a_depth_of_at_least_one_ply() -> None:
    with pytest.raises(ValueError, match="at least one ply"):
        look_ahead(Board(), 0)
