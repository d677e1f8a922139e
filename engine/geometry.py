"""What the solver weighs lines with, and recognizes mirror images by.

It follows from the rules alone, so it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from engine.rules import Cell, Rules

# What an open line of the attacker's and one of the defender's weigh, in either's order of moves.
_ATTACK_TO_ATTACKER, _DEFENCE_TO_ATTACKER = 4, 1
_ATTACK_TO_DEFENDER, _DEFENCE_TO_DEFENDER = 2, 3
_SYMMETRIC_UP_TO_STONES = 10

Lines = list[int]
"""Lines, each as the bit set of the cells still missing from it."""


class Weights(NamedTuple):
    """What the open lines amount to: their potential in all, and by cell; and the cells' order."""

    total: int
    potential: list[int]
    order: list[int]

    def in_order(self, taken: int) -> list[Cell]:
        """The free cells, the heaviest first."""
        free = [cell for cell in range(len(self.order)) if not taken >> cell & 1]
        return sorted(free, key=self.order.__getitem__, reverse=True)


class _Lanes(dict[int, int]):
    """For a line's missing cells, one integer whose lanes say what the line adds to each cell.

    The sum of such integers weighs all cells of all lines at once. First come the cells' lanes of
    potential, then their lanes of order, then one lane for the potential in all. A line has 2^k
    sets of missing cells: up to 5x5 that is 60 KB at most.
    """

    def __init__(self, rules: Rules, bits: int, order: int, *, has_potential: bool) -> None:
        super().__init__()
        self._rules = rules
        self._bits = bits
        self._order = order
        self._has_potential = has_potential

    def __missing__(self, line: int) -> int:
        count = len(self._rules.cells)
        marks = self._rules.in_a_row - line.bit_count()
        potential = self._has_potential << marks
        order = self._order * 3**marks
        lanes = dict.fromkeys(range(2 * count + 1), 0)
        for cell in self._rules.cells:
            if line >> cell & 1:
                lanes[cell], lanes[count + cell] = potential, order
        lanes[2 * count] = potential
        self[line] = sum(value << lane * self._bits for lane, value in lanes.items())
        return self[line]


class Geometry:
    """What follows from the rules alone: weights of lines, and the board's symmetries.

    Potentials are counted in units of 2^-k: a line that lacks nothing has `one`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.cells = rules.cells
        self.single_cells = frozenset(1 << cell for cell in rules.cells)
        self.one = 1 << rules.in_a_row
        # Sixteen bits hold every sum up to 5x5. Beyond, speed is not the question.
        bits = 16 if max(rules.columns, rules.rows) <= 5 else 64
        self._lanes_bytes = (2 * len(rules.cells) + 1) * bits // 8
        self._unpack: Callable[[memoryview], list[int]] = _unpack_16 if bits == 16 else _unpack_64
        self._attack_to_attacker = _Lanes(rules, bits, _ATTACK_TO_ATTACKER, has_potential=True)
        self._defence_to_attacker = _Lanes(rules, bits, _DEFENCE_TO_ATTACKER, has_potential=False)
        self._attack_to_defender = _Lanes(rules, bits, _ATTACK_TO_DEFENDER, has_potential=True)
        self._defence_to_defender = _Lanes(rules, bits, _DEFENCE_TO_DEFENDER, has_potential=False)
        self._images = _images_of_rows(rules)

    def weigh_for_attacker(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and the attacker's order of the cells."""
        lanes = sum(map(self._attack_to_attacker.__getitem__, attack))
        return self._weights(lanes + sum(map(self._defence_to_attacker.__getitem__, defence)))

    def weigh_for_defender(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and the defender's order of the cells."""
        lanes = sum(map(self._attack_to_defender.__getitem__, attack))
        return self._weights(lanes + sum(map(self._defence_to_defender.__getitem__, defence)))

    def _weights(self, lanes: int) -> Weights:
        values = self._unpack(memoryview(lanes.to_bytes(self._lanes_bytes, "little")))
        count = len(self.cells)
        return Weights(values[2 * count], values[:count], values[count : 2 * count])

    def key(self, one: int, other: int) -> int:
        """What a position is remembered by, from the cells that one player and the other hold.

        It is alike for the position's mirror images while stones are few.
        """
        if (one | other).bit_count() > _SYMMETRIC_UP_TO_STONES or not self._images:
            return one | other << max(32, len(self.cells))
        images = 0
        for shift, full, image in self._images:
            images |= image[one >> shift & full] | image[other >> shift & full] << 32
        return min(memoryview(images.to_bytes(64, "little")).cast("Q"))


def _unpack_16(lanes: memoryview) -> list[int]:
    return lanes.cast("H").tolist()


def _unpack_64(lanes: memoryview) -> list[int]:
    return lanes.cast("Q").tolist()


def _images_of_rows(rules: Rules) -> list[tuple[int, int, list[int]]]:
    """For every row of the board, where the symmetries take each set of its cells.

    An image is one integer of eight 64-bit lanes, a lane for each symmetry. Boards of more than
    32 cells or 8 columns get none.
    """
    if len(rules.cells) > 32 or rules.columns > 8:
        return []
    width = rules.columns
    rows = [range(start, start + width) for start in range(0, len(rules.cells), width)]
    return [(row[0], (1 << width) - 1, _images_of_row(row, rules)) for row in rows]


def _images_of_row(row: range, rules: Rules) -> list[int]:
    def image(cells: int) -> int:
        present = [cell for i, cell in enumerate(row) if cells >> i & 1]
        lanes = enumerate(rules.symmetries)
        return sum(1 << 64 * lane + moved[cell] for lane, moved in lanes for cell in present)

    return [image(cells) for cells in range(1 << len(row))]


@lru_cache(maxsize=32)
def geometry_of(rules: Rules) -> Geometry:
    """The geometry that all solvers of a game share: up to 5x5 at most 0.25 MB."""
    return Geometry(rules)
