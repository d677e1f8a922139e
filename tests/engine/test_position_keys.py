"""Under which keys positions are remembered."""

from __future__ import annotations

import random
from itertools import product

from engine import Board, Rules, bit_set
from engine.openings import canonical
from engine.position_keys import PositionKeys

RULES = Rules(5, 5, 4)
KEYS = PositionKeys(RULES)


def test_only_symmetric_positions_share_a_key() -> None:
    rng = random.Random(1)
    images: dict[int, set[Board]] = {}
    for _ in range(3_000):
        cells = rng.sample(RULES.cells, rng.randrange(1, 8))
        one, other = bit_set(cells[::2]), bit_set(cells[1::2])
        images.setdefault(KEYS.key(one, other), set()).add(canonical(Board(RULES, one, other)))
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
        keys.add(KEYS.key(middle | held["x"], others | held["o"]))
    assert len(keys) == 3**4


def test_positions_on_more_than_32_cells_have_different_keys() -> None:
    keys = PositionKeys(Rules(6, 6, 5))
    assert keys.key(1 << 32, 0) != keys.key(0, 1)
