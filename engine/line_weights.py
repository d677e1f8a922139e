"""Heuristic weights of open lines, by which the solver orders moves and prunes.

The *potential* of a line decides whether the attacker can still win (the theorem of Erdős and
Selfridge, see `and_or`); its *order weight* decides which cells are tried first.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Literal, NamedTuple

from engine.lines import Lines
from engine.rules import Cell, Rules

# The weights of the attacker's and the defender's open lines in each player's move ordering.
_ATTACK_TO_ATTACKER = 4
_DEFENCE_TO_ATTACKER = 1
_ATTACK_TO_DEFENDER = 2
_DEFENCE_TO_DEFENDER = 3


class Weights(NamedTuple):
    """Sums over the open lines: the total potential, and each cell's potential and order weight."""

    total: int
    potential: list[int]
    order: list[int]

    def ordered_cells(self, taken: int) -> list[Cell]:
        """The free cells, by order weight, the heaviest first."""
        free = [cell for cell in range(len(self.order)) if not taken >> cell & 1]
        return sorted(free, key=self.order.__getitem__, reverse=True)


class LineWeights:
    """The weights of the lines of one game.

    Potentials are integers in units of 2^-k, for k in a row: a completed line has `full_weight`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.single_cells = frozenset(1 << cell for cell in rules.cells)
        self.full_weight = 1 << rules.in_a_row
        # Sixteen bits hold every sum up to 5x5. On larger boards speed does not matter.
        bits = 16 if max(rules.columns, rules.rows) <= 5 else 64
        self._lane: Literal["H", "Q"] = "H" if bits == 16 else "Q"
        self._lanes_bytes = (2 * len(rules.cells) + 1) * bits // 8
        packed = partial(_PackedWeights, rules, bits)
        self._attack_to_attacker = packed(_ATTACK_TO_ATTACKER, has_potential=True)
        self._defence_to_attacker = packed(_DEFENCE_TO_ATTACKER, has_potential=False)
        self._attack_to_defender = packed(_ATTACK_TO_DEFENDER, has_potential=True)
        self._defence_to_defender = packed(_DEFENCE_TO_DEFENDER, has_potential=False)

    def weigh_for_attacker(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and order weights for the attacker's move."""
        lanes = sum(map(self._attack_to_attacker.__getitem__, attack))
        return self._unpack(lanes + sum(map(self._defence_to_attacker.__getitem__, defence)))

    def weigh_for_defender(self, attack: Lines, defence: Lines) -> Weights:
        """The potential of the attacker's lines, and order weights for the defender's move."""
        lanes = sum(map(self._attack_to_defender.__getitem__, attack))
        return self._unpack(lanes + sum(map(self._defence_to_defender.__getitem__, defence)))

    def _unpack(self, lanes: int) -> Weights:
        packed = memoryview(lanes.to_bytes(self._lanes_bytes, "little"))
        values = packed.cast(self._lane).tolist()
        count = len(self.rules.cells)
        return Weights(values[2 * count], values[:count], values[count : 2 * count])


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
        """Compute the entry of a line when it is first looked up."""
        count = len(self._rules.cells)
        marks = self._rules.in_a_row - line.bit_count()
        potential = 1 << marks if self._has_potential else 0
        order = self._order * 3**marks
        packed = potential << 2 * count * self._bits
        for cell in self._rules.cells:
            if line >> cell & 1:
                packed += potential << cell * self._bits
                packed += order << (count + cell) * self._bits
        self[line] = packed
        return packed


@lru_cache(maxsize=32)
def line_weights_of(rules: Rules) -> LineWeights:
    """The weights that all solvers of a game share; up to 5x5 they take at most 0.25 MB."""
    return LineWeights(rules)
