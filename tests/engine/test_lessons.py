"""What there is to show of a search, checked against the textbook's own values."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import perm

import pytest

from engine import (
    INFINITE,
    MISERE,
    Board,
    Cell,
    Cutoff,
    Mark,
    Rules,
    Search,
    Way,
    advise,
    costs,
    depth_within_reach,
    first_cutoff,
    search,
    solver_of,
)
from tests.engine.positions import TRUTH, UNFINISHED

Utility = Callable[[Board], int]


def true_utility(board: Board) -> int:
    return TRUTH[board][0]


def searched_utility(board: Board) -> int:
    return int(search(board, memory=True).value)


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
POSITIONS: list[tuple[Board, Utility]] = [
    *((board, true_utility) for board in ON_3X3),
    *((board, searched_utility) for board in (*ON_4X4, *MISERES)),
    *((board, solved_utility) for board in INFINITES),
]


def test_what_each_idea_saves_is_pinned() -> None:
    """What it saves on the empty board is pinned where that is shown: in the terminal."""
    assert {way: found.nodes for way, found in costs(AFTER_A_CORNER).items()} == {
        Way.PLAIN: 59_705,
        Way.PLAIN_WITH_MEMORY: 4_792,
        Way.PRUNED: 2_788,
        Way.ORDERED: 1_607,
        Way.WITH_MEMORY: 1_336,
        Way.WITH_BOTH: 756,
    }


def assert_alike(found: dict[Way, Search[Cell]]) -> None:
    assert list(found) == list(Way)
    assert len({(way.value, way.distance_plies, way.is_complete) for way in found.values()}) == 1


def test_every_way_finds_the_same_value() -> None:
    for board in [AFTER_A_CORNER, *ON_4X4[::5], *(b for b in ON_3X3[::20] if len(b.actions()) < 8)]:
        found = costs(board)
        assert_alike(found)
        assert all(way.is_complete for way in found.values())
        assert found[Way.PLAIN].value == searched_utility(board)


def test_only_pruning_cuts_anything_off() -> None:
    cutoffs = {way: found.cutoffs for way, found in costs(AFTER_A_CORNER).items()}
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


def test_good_moves_first_are_the_other_way_round_where_lines_lose() -> None:
    """Otherwise they cost more than reading order does."""
    found = {way: way.search(Board(MISERE)).nodes for way in (Way.PRUNED, Way.ORDERED)}
    assert found == {Way.PRUNED: 12_927, Way.ORDERED: 9_704}


def test_every_way_finds_the_same_value_by_other_rules() -> None:
    for board in (*MISERES[::10], Board.parse("x3x2o1 ..x1o3 ..o2.. 54", INFINITE)):
        found = costs(board)
        assert_alike(found)
        assert all(way.is_complete for way in found.values())
        assert found[Way.PLAIN].value == solved_utility(board)


def test_what_is_nearly_full_is_read_to_its_end() -> None:
    for board in (*ON_3X3, *ON_4X4, Board.parse("xxx oo. ...")):
        assert depth_within_reach(board) == len(board.actions())


def test_on_larger_boards_every_way_stops_at_the_same_depth() -> None:
    """Here nobody completes a line so soon, and plain minimax reads every order of moves."""
    board = Board.parse("xo... ..x.. .o.x. o.... ...xo", Rules(5, 5, 5))
    assert depth_within_reach(board) == 4
    found = costs(board)
    assert_alike(found)
    assert all(way.distance_plies == 4 and not way.is_complete for way in found.values())
    assert found[Way.PLAIN].nodes == sum(perm(17, plies) for plies in range(5))


def test_the_empty_5x5_board_is_not_read_beyond_that_either() -> None:
    found = Way.WITH_BOTH.search(Board(Rules(5, 5, 4)))
    assert found.distance_plies == 4
    assert not found.is_complete


def test_the_first_cutoff_of_the_empty_board_is_pinned() -> None:
    centre_holds = Cutoff(best=0, sure=0, other=2, reply=4, at_most=0, skipped=(5, 6, 7, 8))
    assert first_cutoff(Board()) == centre_holds


def test_the_first_cutoff_of_either_player_is_pinned() -> None:
    of_o = Cutoff(best=4, sure=0, other=2, reply=3, at_most=1, skipped=(4, 5, 6, 7, 8))
    assert first_cutoff(Board.parse("x.. ... ...")) == of_o
    of_x = Cutoff(best=2, sure=1, other=8, reply=1, at_most=1, skipped=(2, 3, 4, 5, 7))
    assert first_cutoff(Board.parse("x.. ... o..")) == of_x


def test_what_a_cutoff_says_is_true() -> None:
    for board, utility in POSITIONS:
        cutoff = first_cutoff(board)
        if cutoff is None:
            continue
        sign = 1 if board.to_move is Mark.X else -1
        after_best, after_other = board.result(cutoff.best), board.result(cutoff.other)
        assert cutoff.best != cutoff.other
        assert cutoff.sure == utility(after_best) == utility(board), board
        assert cutoff.at_most == utility(after_other.result(cutoff.reply)), board
        assert sign * cutoff.at_most <= sign * cutoff.sure, board
        assert sign * utility(after_other) <= sign * cutoff.at_most, board


def test_the_skipped_replies_are_those_that_follow_in_reading_order() -> None:
    for board, _ in POSITIONS:
        if cutoff := first_cutoff(board):
            replies = board.result(cutoff.other).actions()
            after = tuple(reply for reply in replies if reply > cutoff.reply)
            assert cutoff.skipped == after != (), board


def test_nothing_is_cut_before_the_first_cutoff_nor_anywhere_where_there_is_none() -> None:
    for board, utility in POSITIONS:
        best, *others = (verdict.action for verdict in advise(board))
        cutoff = first_cutoff(board)
        if cutoff:
            assert cutoff.best == best, board
            others = others[: others.index(cutoff.other)]
            replies = board.result(cutoff.other).actions()
            earlier = replies[: replies.index(cutoff.reply)]
            assert not refuting(board, cutoff.other, earlier, utility), board
        for other in others:
            all_but_the_last = board.result(other).actions()[:-1]
            assert not refuting(board, other, all_but_the_last, utility), board


def refuting(board: Board, other: Cell, replies: tuple[Cell, ...], utility: Utility) -> list[Cell]:
    """The replies to `other` that leave the mover no better off than the best move does."""
    sign = 1 if board.to_move is Mark.X else -1
    after = board.result(other)
    return [r for r in replies if sign * utility(after.result(r)) <= sign * utility(board)]


@pytest.mark.parametrize("drawing", ["xox xxo o.o", "xox xox o..", "xox xo. ox."])
def test_nothing_is_cut_where_too_few_moves_are_left(drawing: str) -> None:
    assert first_cutoff(Board.parse(drawing)) is None
