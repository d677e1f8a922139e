"""What there is to show of a search, checked against the textbook's own values."""

from __future__ import annotations

import re
from functools import cache
from math import perm
from pathlib import Path

import pytest

from engine import (
    INFINITE,
    MISERE,
    Board,
    Cell,
    Rules,
    Search,
    Way,
    depth_within_reach,
    solve,
    solver_of,
)
from engine.lessons import reachable_positions, size_of_tree
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import language_named
from engine.terminal.search_costs import search_cost_lines

COSTS = {
    Way.PLAIN: (549_946, 0),
    Way.PLAIN_WITH_MEMORY: (16_168, 0),
    Way.PRUNED: (20_866, 7_692),
    Way.ORDERED: (7_865, 2_854),
    Way.WITH_MEMORY: (5_538, 1_642),
    Way.WITH_BOTH: (2_172, 633),
}
"""The visits and the cut-offs of each way on the empty board."""

NEARLY_FULL = [
    Board.parse("xo. .x. ..."),
    Board.parse("... .x. .ox"),
    Board.parse("x... ooxo ...x", Rules(4, 3, 3)),
    Board.parse(".x.x o.ox oox. ..xo", Rules(4, 4, 3)),
    Board.parse(".xox .x.x oxo. ...o", Rules(4, 4, 4)),
    Board.parse("x.. ... xo.", MISERE),
    Board.parse("xxo ... ...", MISERE),
    Board.parse("x3x2o1 ..x1o3 ..o2.. 54", INFINITE),
]


@cache
def search_each_way(board: Board) -> dict[Way, Search[Cell]]:
    return {way: way.search(board) for way in Way}


def test_what_every_way_costs_on_the_empty_board_is_pinned() -> None:
    """Plain minimax would take seconds; the next test says that it visits the whole tree."""
    for way in set(COSTS) - {Way.PLAIN}:
        found = way.search(Board())
        assert (found.nodes, found.cutoffs) == COSTS[way], way
    assert (size_of_tree(Board()), 0) == COSTS[Way.PLAIN]


@pytest.mark.parametrize("board", NEARLY_FULL, ids=str)
def test_nearly_full_boards_are_searched_to_the_end_whichever_way(board: Board) -> None:
    assert depth_within_reach(board) == board.plies_left
    found = search_each_way(board)
    assert list(found) == list(Way)
    assert all(way.is_complete for way in found.values())
    utility = solver_of(board.rules).worth(board).value.utility(board.to_move)
    assert {way.utility for way in found.values()} == {utility}
    assert len({way.distance_plies for way in found.values()}) == 1
    assert found[Way.PLAIN].nodes == size_of_tree(board)
    assert {way for way in Way if not found[way].cutoffs} == {Way.PLAIN, Way.PLAIN_WITH_MEMORY}


@pytest.mark.parametrize(("code", "folder"), [("en", "en"), ("pt_BR", "pt-BR"), ("es", "es")])
def test_the_table_in_the_docs_is_that_of_the_terminal(code: str, folder: str) -> None:
    """It has the terminal's words, and the numbers of the empty board, which would take seconds.

    A name takes 34 columns, the visits 9, and the cut-offs 10.
    """
    language, two_left = language_named(code), Board.parse("xxo oox x..")
    assert language is not None
    heading, *rows, solver, foot = search_cost_lines(two_left, GameTexts(language))
    table = [heading]
    for row, (visits, cutoffs) in zip(rows, COSTS.values(), strict=True):
        table.append(f"{row[:34]}{language.number(visits):>9}{language.number(cutoffs):>10}")
    table.append(f"{solver[:34]}{solve(Board()).nodes:>9}{solver[34 + 9 :]}")
    positions = len(reachable_positions(Board()))
    table.append(re.sub(r"\b\d+\b", language.number(positions), foot))
    page = Path(__file__).parents[2] / "docs" / folder / "LEARNING.md"
    assert "\n".join(table) in page.read_text(encoding="utf-8")


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
    """In the order of tic-tac-toe, more positions are visited than in reading order."""
    found = {way: way.search(Board(MISERE)).nodes for way in (Way.PRUNED, Way.ORDERED)}
    assert found == {Way.PRUNED: 12_927, Way.ORDERED: 9_704}


def test_on_larger_boards_every_way_stops_at_the_same_depth() -> None:
    """Here nobody completes a line so soon, and plain minimax reads every order of moves."""
    board = Board.parse("xo... ..x.. .o.x. o.... ...xo", Rules(5, 5, 5))
    assert depth_within_reach(board) == 4
    found = search_each_way(board)
    assert len({way.utility for way in found.values()}) == 1
    assert all(way.distance_plies == 4 and not way.is_complete for way in found.values())
    assert found[Way.PLAIN].nodes == sum(perm(17, plies) for plies in range(5))
