"""Under which keys positions are remembered, and what open lines weigh."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine import Board, Rules, bit_set
from engine.and_or import Geometry
from engine.openings import canonical

RULES = Rules(5, 5, 4)
ON_5X5 = Geometry(RULES)


def test_only_symmetric_positions_share_a_key() -> None:
    rng = random.Random(1)
    images: dict[int, set[Board]] = {}
    for _ in range(3_000):
        cells = rng.sample(RULES.cells, rng.randrange(1, 8))
        one, other = bit_set(cells[::2]), bit_set(cells[1::2])
        images.setdefault(ON_5X5.key(one, other), set()).add(canonical(Board(RULES, one, other)))
    assert all(len(boards) == 1 for boards in images.values())


def test_full_boards_that_differ_in_corners_have_different_keys() -> None:
    middle, corners = bit_set([1, 2, 3, 5, 6, 7]), (0, 4, 20, 24)
    others = bit_set([10, 11, 12, 13, 14])
    keys = set()
    for marks in product("xo.", repeat=4):
        held = {
            mark: bit_set(c for c, m in zip(corners, marks, strict=True) if m == mark)
            for mark in "xo"
        }
        keys.add(ON_5X5.key(middle | held["x"], others | held["o"]))
    assert len(keys) == 3**4


def test_positions_on_more_than_32_cells_have_different_keys() -> None:
    keys = Geometry(Rules(6, 6, 5))
    assert keys.key(1 << 32, 0) != keys.key(0, 1)


@pytest.mark.parametrize(
    "rules", [Rules(3, 3, 3), Rules(5, 5, 5), Rules(8, 8, 5), Rules(18, 1, 18)]
)
def test_an_open_line_weighs_half_as_much_for_each_missing_cell(rules: Rules) -> None:
    geometry = Geometry(rules)
    for missing in (1, 2, 3):
        line = bit_set(range(missing))
        weight = geometry.full_potential >> missing
        assert geometry.total_potential([line, line]) == 2 * weight
        others = [0] * (len(rules.cells) - missing)
        assert geometry.potentials([line, line]) == [2 * weight] * missing + others


def test_the_cell_in_which_most_lines_meet_is_tried_first() -> None:
    lines = [bit_set([0, 1]), bit_set([1, 2])]
    assert ON_5X5.ordered_cells(lines, [], (4, 1), taken=0)[0] == 1
    assert 1 not in ON_5X5.ordered_cells(lines, [], (4, 1), taken=bit_set([1]))


def test_the_factors_say_whose_lines_count_more() -> None:
    attack, defence = [bit_set([0, 1, 2])], [bit_set([5, 6, 7])]
    assert ON_5X5.ordered_cells(attack, defence, (4, 1), taken=0)[:3] == [0, 1, 2]
    assert ON_5X5.ordered_cells(attack, defence, (2, 3), taken=0)[:3] == [5, 6, 7]
