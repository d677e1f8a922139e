"""Infinite tic-tac-toe: what can arise, and what it is worth, by two programs written apart."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

from engine import INFINITE, Board, Cell, Value, Worth, search, solver_of
from engine.variants import InfiniteBoard
from tests.engine.vanishing import drawn, has_line, ordered_cells, sides, solved

SIDES = (1, 3, 5, 7)
OPENINGS = [(0, 1), (0, 2), (0, 4), (0, 5), (0, 8), (1, 0), (1, 3), (1, 4), (1, 6), (1, 7)]
OPENINGS += [(4, 0), (4, 1)]
"""The first two moves, one pair for all mirror images."""


def test_exactly_the_reachable_positions_are_accepted() -> None:
    """Of all orders of marks, one for all mirror images; of six, every seventh."""
    for opening, count in product(OPENINGS, range(5)):
        others = set(range(9)).difference(opening)
        for number, rest in enumerate(permutations(others, count)):
            cells = (*opening, *rest)
            if count < 4 or number % 7 == 0:
                assert accepts(drawn(cells, len(cells))) == is_reachable(cells), cells


def accepts(drawing: str) -> bool:
    try:
        Board.parse(drawing, INFINITE)
    except ValueError:
        return False
    return True


def is_reachable(cells: tuple[Cell, ...]) -> bool:
    """Whether one can come to these marks, unfinished or by a move that wins."""
    own, other = sides(cells)
    if has_line(other):
        return (other[:-1], own) in solved()
    return (own, other) in solved()


def test_every_worth_equals_plain_value_iteration() -> None:
    """Every fifth is compared: each position has eight mirror images."""
    solver = solver_of(INFINITE)
    assert len(solved()) == 66_682
    for position, plies in [*solved().items()][::5]:
        board = Board.after(ordered_cells(position), INFINITE)
        assert solver.worth(board) == worth_in(plies), board


def worth_in(plies: int) -> Worth:
    value = Value((plies > 0) - (plies < 0))
    return Worth(value, abs(plies) if value else None)


def test_the_first_player_wins_in_13_plies_only_from_a_side() -> None:
    worths = solver_of(INFINITE).analyse(Board(INFINITE))
    wins, has_no_end = Worth(Value.WIN, 13), Worth(Value.DRAW, None)
    assert worths == {cell: wins if cell in SIDES else has_no_end for cell in range(9)}
    assert max(solved().values()) == 17


@pytest.mark.parametrize("plies", range(54, 60))
def test_near_the_ply_limit_a_plain_search_finds_the_same_worths(plies: int) -> None:
    """A win that would come too late is none."""
    rng, late = random.Random(plies), 0
    for _ in range(25):
        board = standing(rng, plies)
        found, worth = search(board), solver_of(INFINITE).worth(board)
        assert worth.value.utility(board.to_move) == found.utility, board
        assert worth.value is Value.DRAW or worth.distance_plies == found.distance_plies, board
        late += found.utility == 0 != solved()[sides(board.recent)]
    assert late


def standing(rng: random.Random, plies: int) -> InfiniteBoard:
    """Any position after so many plies, of which there are at least six."""
    while True:
        cells = tuple(rng.sample(range(9), 6))
        if sides(cells) in solved():
            board = Board.parse(drawn(cells, plies), INFINITE)
            assert isinstance(board, InfiniteBoard)
            return board
