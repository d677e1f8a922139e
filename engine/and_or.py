"""The solver's AND/OR search: whether a player can force a win within a number of plies.

One player, the *attacker*, has to complete a line; the *defender* has to prevent it, and a draw
is as good for the defender as a win. Where the attacker is to move, one winning cell is enough (an
OR node); where the defender is to move, every cell has to lose (an AND node). This is alpha-beta
with a null window, between "a win within that many plies" and anything less. It is fail-soft: a
proof may hold for fewer plies than the limit, and the transposition table keeps the exact number.
Nearly all of the speed comes from what a yes-or-no question allows:

- Only *open* lines matter, those without a mark of the other player, and of each only its
  *missing* cells. A line with one missing cell is a win to take, or forces the reply.
- The theorem of Erdős and Selfridge (*On a combinatorial game*, 1973): let each open line of
  the attacker with r missing cells weigh 2^-r. If the total is less than 1 and the defender is to
  move, the defender holds by always taking the heaviest cell, the one whose lines weigh the most.
  A move at most doubles the weight of the lines through its cell, so with the attacker to move a
  total below 1/2 is enough. This settles most positions without a search.
- Cells are tried in the order of the lines through them, a line with r missing cells counting
  3^-r. The ratios between the attacker's lines and the defender's were found by measurement.
- Symmetric positions share their proofs.

Weights and keys are computed by plain loops. Packed into the lanes of large integers, which took a
hundred lines more, they saved a sixth of the time to solve the empty board of 5x5, and a tenth of
that to analyse the hardest positions: 360 instead of 400 ms. Either is soon enough.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from engine.board import Board, Lines, Mark
from engine.rules import Cell, Rules

_ATTACKER_TO_MOVE = (4, 1)
_DEFENDER_TO_MOVE = (2, 3)
"""For each player to move, how much the attacker's and the defender's lines count in its order."""

_NO_PROOF = (0, sys.maxsize)
_MAX_STONES_FOR_SYMMETRY = 10
"""With more stones, positions reached in two symmetric ways are too rare to look for."""

Key = TypeVar("Key")
Item = TypeVar("Item")


class LimitedDict(dict[Key, Item]):
    """A dictionary that is cleared when it is full."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: Key, item: Item) -> None:
        if len(self) >= self._limit and key not in self:
            self.clear()
        super().__setitem__(key, item)


Proofs = LimitedDict[int, tuple[int, int]]
"""By position: within how many plies a win cannot be forced, and within how many it can."""

_Position = tuple[Lines, Lines, int, int]
"""The attacker's and the defender's open lines, then the bit sets of the cells that each holds."""


class Weights(NamedTuple):
    """Sums over the open lines: the total potential, and each cell's potential and order.

    The *potential* of the attacker's lines tells whether it can still win; it is an integer, in
    units of 2^-k for k in a row. The *order* tells which cells to try first.
    """

    total: int
    potential: list[int]
    order: list[int]

    def ordered_cells(self, taken: int) -> list[Cell]:
        """The free cells, the heaviest in the order first."""
        free = [cell for cell in range(len(self.order)) if not taken >> cell & 1]
        return sorted(free, key=self.order.__getitem__, reverse=True)


class Geometry:
    """What all searches of a game look up: the weights of lines, and keys of positions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.single_cells = frozenset(1 << cell for cell in rules.cells)
        self.full_potential = 1 << rules.in_a_row
        self._lines = _Lines(rules)
        self._images = [_images_of_parts(image_of) for image_of in set(rules.symmetries)]

    def weigh(self, attack: Lines, defence: Lines, factors: tuple[int, int]) -> Weights:
        """The weights of the open lines, ordered for the player whose `factors` they are."""
        attack_factor, defence_factor = factors
        total = 0
        potential = [0] * len(self.rules.cells)
        order = potential.copy()
        for line in attack:
            cells, line_potential, line_order = self._lines[line]
            total += line_potential
            line_order *= attack_factor
            for cell in cells:
                potential[cell] += line_potential
                order[cell] += line_order
        for line in defence:
            cells, _, line_order = self._lines[line]
            line_order *= defence_factor
            for cell in cells:
                order[cell] += line_order
        return Weights(total, potential, order)

    def key(self, own: int, other: int) -> int:
        """The key of a position, from the bit sets of both players' cells.

        Symmetric positions share it, unless there are many stones.
        """
        shift = len(self.rules.cells)
        if (own | other).bit_count() > _MAX_STONES_FOR_SYMMETRY:
            return own | other << shift
        keys = []
        for parts in self._images:
            key = 0
            for start, images in parts:
                key |= images[own >> start & 31] | images[other >> start & 31] << shift
            keys.append(key)
        return min(keys)


class _Lines(dict[int, tuple[list[Cell], int, int]]):
    """The missing cells of each open line that was looked up, with its potential and its order."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, line: int) -> tuple[list[Cell], int, int]:
        cells = [cell for cell in self._rules.cells if line >> cell & 1]
        marks = self._rules.in_a_row - len(cells)
        self[line] = cells, 1 << marks, 3**marks
        return self[line]


def _images_of_parts(image_of: Sequence[Cell]) -> list[tuple[Cell, list[int]]]:
    """Where a symmetry takes every subset of five cells that follow one another.

    The result has the first cell of each five, with a list by the bit set of the subset.
    """
    parts = []
    for start in range(0, len(image_of), 5):
        images = [0]
        for image in image_of[start : start + 5]:
            images += [subset | 1 << image for subset in images]
        parts.append((start, images))
    return parts


@lru_cache(maxsize=32)
def geometry_of(rules: Rules) -> Geometry:
    """The geometry that all solvers of a game share; up to 5x5 it takes at most 0.1 MB."""
    return Geometry(rules)


class AndOrSearch:
    """Searches positions of one game, and counts the nodes that it visits.

    The private methods return the number of plies within which the first win found is forced,
    which need not be the fastest; 0 if there is none within `plies`.
    """

    def __init__(
        self, geometry: Geometry, proofs: dict[Mark, Proofs], *, potential_bound: bool
    ) -> None:
        self.nodes = 0
        self._geometry = geometry
        self._all_proofs = proofs
        self._proofs = proofs[Mark.X]
        self._single_cells = geometry.single_cells
        self._in_a_row = geometry.rules.in_a_row
        self._bound = geometry.full_potential if potential_bound else 0
        self._half_bound = self._bound // 2

    def fastest_win(self, board: Board, attacker: Mark) -> int:
        """The fewest plies within which the attacker can force a win; 0 if it cannot."""
        fastest = 0
        win = self.win_within(board, attacker, len(board.actions()))
        while win:
            fastest = win
            win = self.win_within(board, attacker, fastest - 2)
        return fastest

    def win_within(self, board: Board, attacker: Mark, plies: int) -> int:
        """A number of plies, `plies` at most, within which the attacker can force a win, or 0."""
        self._proofs = self._all_proofs[attacker]
        defender = attacker.other
        position = (
            board.open_lines(attacker),
            board.open_lines(defender),
            board.mask_of(attacker),
            board.mask_of(defender),
        )
        if board.to_move is attacker:
            return self._attacker_moves(position, plies)
        return self._defender_moves(position, plies)

    def is_harmless(self, board: Board, attacker: Mark, plies: int) -> bool:
        """Whether it is certain that no move of the defender lets the attacker win within `plies`.

        It is if the attacker could not force a win even after a pass, as no move is worse than a
        pass. False proves nothing.
        """
        attack = self._completable(board.open_lines(attacker), (plies + 1) // 2)
        weights = self._geometry.weigh(attack, [], _ATTACKER_TO_MOVE)
        return weights.total < self._half_bound

    def _attacker_moves(self, position: _Position, plies: int) -> int:
        self.nodes += 1
        attack, defence, attacker_cells, defender_cells = position
        singles = self._single_cells
        if plies < 1:
            return 0
        if not singles.isdisjoint(attack):
            return 1
        if plies < 3:
            return 0
        forced_moves = singles.intersection(defence)
        if len(forced_moves) > 1:
            return 0
        if forced_moves:
            (bit,) = forced_moves
            win = self._defender_moves(_after_attack(position, bit), plies - 1)
            return win + 1 if win else 0
        attack = self._completable(attack, (plies + 1) // 2)
        if plies < 5:
            # Two moves are left and every line lacks two cells: the first move has to leave two
            # different cells to win on, since the defender can take one of them.
            return 3 if _has_double_threat(attack) else 0
        return self._search_attack((attack, defence, attacker_cells, defender_cells), plies)

    def _search_attack(self, position: _Position, plies: int) -> int:
        """Try the attacker's moves, unless the potential or an earlier proof tells the result."""
        attack, defence, attacker_cells, defender_cells = position
        weights = self._geometry.weigh(attack, defence, _ATTACKER_TO_MOVE)
        if not attack or weights.total < self._half_bound:
            return 0
        key = self._geometry.key(attacker_cells, defender_cells)
        cannot_within, can_within = self._proofs.get(key, _NO_PROOF)
        if plies <= cannot_within:
            return 0
        if plies >= can_within:
            return can_within
        # After this move the defender is to move, so the potential has to reach the full bound.
        needed = self._bound - weights.total
        for cell in weights.ordered_cells(attacker_cells | defender_cells):
            if weights.potential[cell] < needed:
                continue
            win = self._defender_moves(_after_attack(position, 1 << cell), plies - 1)
            if win:
                self._proofs[key] = cannot_within, win + 1
                return win + 1
        self._proofs[key] = plies, can_within
        return 0

    def _defender_moves(self, position: _Position, plies: int) -> int:
        self.nodes += 1
        attack, defence, attacker_cells, defender_cells = position
        singles = self._single_cells
        if plies < 2 or not singles.isdisjoint(defence):
            return 0
        forced_moves = singles.intersection(attack)
        if len(forced_moves) > 1:
            return 2
        if forced_moves:
            (bit,) = forced_moves
            win = self._attacker_moves(_after_defence(position, bit), plies - 1)
            return win + 1 if win else 0
        attack = self._completable(attack, plies // 2)
        return self._search_defence((attack, defence, attacker_cells, defender_cells), plies)

    def _search_defence(self, position: _Position, plies: int) -> int:
        """Try the defender's moves, unless the potential or an earlier proof tells the result."""
        attack, defence, attacker_cells, defender_cells = position
        weights = self._geometry.weigh(attack, defence, _DEFENDER_TO_MOVE)
        if not attack or weights.total < self._bound:
            return 0
        # The heaviest cell closes its lines; the attacker, then to move, needs half the bound.
        if weights.total - max(weights.potential) < self._half_bound:
            return 0
        key = self._geometry.key(attacker_cells, defender_cells)
        cannot_within, can_within = self._proofs.get(key, _NO_PROOF)
        if plies <= cannot_within:
            return 0
        if plies >= can_within:
            return can_within
        slowest = 0
        for cell in weights.ordered_cells(attacker_cells | defender_cells):
            win = self._attacker_moves(_after_defence(position, 1 << cell), plies - 1)
            if not win:
                self._proofs[key] = plies, can_within
                return 0
            slowest = max(slowest, win + 1)
        self._proofs[key] = cannot_within, slowest
        return slowest

    def _completable(self, lines: Lines, moves: int) -> Lines:
        """The lines that their player can complete in `moves` moves."""
        if moves >= self._in_a_row:
            return lines
        return [line for line in lines if line.bit_count() <= moves]


def _after_attack(position: _Position, bit: int) -> _Position:
    """The attacker takes a cell: its lines lack it no longer, and the defender's are closed."""
    attack, defence, attacker_cells, defender_cells = position
    return (
        [line & ~bit for line in attack],
        [line for line in defence if not line & bit],
        attacker_cells | bit,
        defender_cells,
    )


def _after_defence(position: _Position, bit: int) -> _Position:
    """The defender takes a cell: its lines lack it no longer, and the attacker's are closed."""
    attack, defence, attacker_cells, defender_cells = position
    return (
        [line for line in attack if not line & bit],
        [line & ~bit for line in defence],
        attacker_cells,
        defender_cells | bit,
    )


def ordered_moves(board: Board) -> list[Cell]:
    """The legal moves, the most promising first: ordered as for the defender."""
    attack = board.open_lines(board.to_move.other)
    defence = board.open_lines(board.to_move)
    weights = geometry_of(board.rules).weigh(attack, defence, _DEFENDER_TO_MOVE)
    return weights.ordered_cells(board.x | board.o)


def _has_double_threat(lines: Lines) -> bool:
    """Whether lines with two missing cells share one of them: a move there is a double threat."""
    seen = 0
    for line in set(lines):
        if seen & line:
            return True
        seen |= line
    return False
