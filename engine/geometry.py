"""Tables with which the solver weighs lines and finds canonical forms of positions.

They depend on the rules alone, so they are computed once per game.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Literal, NamedTuple

from engine.rules import Cell, Rules

# The weights of the attacker's and the defender's open lines in each player's move ordering.
_ATTACK_TO_ATTACKER = 4
_DEFENCE_TO_ATTACKER = 1
_ATTACK_TO_DEFENDER = 2
_DEFENCE_TO_DEFENDER = 3
_MAX_STONES_FOR_SYMMETRY = 10

Lines = list[int]
"""Lines, each as the bit set of its missing cells: those its player does not hold yet."""


class Weights(NamedTuple):
    """Sums over the open lines: the total potential, and each cell's potential and order weight."""

    total: int
    potential: list[int]
    order: list[int]

    def ordered_cells(self, taken: int) -> list[Cell]:
        """The free cells, by order weight, the heaviest first."""
        free = [cell for cell in range(len(self.order)) if not taken >> cell & 1]
        return sorted(free, key=self.order.__getitem__, reverse=True)


class _PackedWeights(dict[int, int]):
    """Maps a line's missing cells to one integer: the line's weight in each cell, packed in lanes.

    The sum of such integers weighs all cells by all lines at once. The lanes are, lowest first: the
    potential of each cell, the order weight of each cell, the total potential. A line has 2^k sets
    of missing cells: up to 5x5 the table takes 60 KB at most.
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
        potential = 1 << marks if self._has_potential else 0
        order = self._order * 3**marks
        lanes = [0] * (2 * count + 1)
        for cell in self._rules.cells:
            if line >> cell & 1:
                lanes[cell] = potential
                lanes[count + cell] = order
        lanes[2 * count] = potential
        self[line] = sum(weight << lane * self._bits for lane, weight in enumerate(lanes))
        return self[line]


class Geometry:
    """The weights of lines and the symmetries of the board, for one game.

    Potentials are integers in units of 2^-k, for k in a row: a completed line has `full_weight`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.cells = rules.cells
        self.single_cells = frozenset(1 << cell for cell in rules.cells)
        self.full_weight = 1 << rules.in_a_row
        # Sixteen bits hold every sum up to 5x5. On larger boards speed does not matter.
        bits = 16 if max(rules.columns, rules.rows) <= 5 else 64
        self._lanes_bytes = (2 * len(rules.cells) + 1) * bits // 8
        self._lane: Literal["H", "Q"] = "H" if bits == 16 else "Q"
        packed = partial(_PackedWeights, rules, bits)
        self._attack_to_attacker = packed(_ATTACK_TO_ATTACKER, has_potential=True)
        self._defence_to_attacker = packed(_DEFENCE_TO_ATTACKER, has_potential=False)
        self._attack_to_defender = packed(_ATTACK_TO_DEFENDER, has_potential=True)
        self._defence_to_defender = packed(_DEFENCE_TO_DEFENDER, has_potential=False)
        self._row_images = _images_of_rows(rules)

    def weigh_for_attacker(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and order weights for the attacker's move."""
        lanes = sum(map(self._attack_to_attacker.__getitem__, attack))
        return self._weights(lanes + sum(map(self._defence_to_attacker.__getitem__, defence)))

    def weigh_for_defender(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and order weights for the defender's move."""
        lanes = sum(map(self._attack_to_defender.__getitem__, attack))
        return self._weights(lanes + sum(map(self._defence_to_defender.__getitem__, defence)))

    def _weights(self, lanes: int) -> Weights:
        packed = memoryview(lanes.to_bytes(self._lanes_bytes, "little"))
        values = packed.cast(self._lane).tolist()
        count = len(self.cells)
        return Weights(values[2 * count], values[:count], values[count : 2 * count])

    def key(self, own: int, other: int) -> int:
        """The transposition-table key of a position, from the bit sets of both players' cells.

        While there are few stones, symmetric positions have the same key.
        """
        if (own | other).bit_count() > _MAX_STONES_FOR_SYMMETRY or not self._row_images:
            return own | (other << max(32, len(self.cells)))
        images = 0
        for shift, mask, image in self._row_images:
            images |= image[own >> shift & mask] | (image[other >> shift & mask] << 32)
        return min(memoryview(images.to_bytes(64, "little")).cast("Q"))


def _images_of_rows(rules: Rules) -> list[tuple[int, int, list[int]]]:
    """For each row: its first cell, its bit mask, and the image of every subset of its cells.

    An image is one integer of eight 64-bit lanes, a lane for each symmetry. Boards of more than
    32 cells or 8 columns get none.
    """
    if len(rules.cells) > 32 or rules.columns > 8:
        return []
    width = rules.columns
    rows = [range(start, start + width) for start in range(0, len(rules.cells), width)]
    return [(row[0], (1 << width) - 1, _images_of_row(row, rules)) for row in rows]


def _images_of_row(row: range, rules: Rules) -> list[int]:
    def image(subset: int) -> int:
        cells = [cell for i, cell in enumerate(row) if subset >> i & 1]
        lanes = enumerate(rules.symmetries)
        return sum(1 << 64 * lane + symmetry[cell] for lane, symmetry in lanes for cell in cells)

    return [image(subset) for subset in range(1 << len(row))]


@lru_cache(maxsize=32)
def geometry_of(rules: Rules) -> Geometry:
    """The geometry that all solvers of a game share; up to 5x5 it takes at most 0.25 MB."""
    return Geometry(rules)
