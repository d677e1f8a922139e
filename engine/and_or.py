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

Weights and keys are sums of integers that have a lane for each cell or symmetry. With loops over
lines, cells and symmetries instead, 5x5 with four in a row takes 40 % longer from the empty board,
and 20 % longer to analyse in the hardest positions: too much for ten lines less.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Literal, TypeVar

from engine.board import Board, Lines, Mark
from engine.rules import Cell, Rules

_ATTACKER_TO_MOVE = (4, 1)
_DEFENDER_TO_MOVE = (2, 3)
"""For each player to move, how much the attacker's and the defender's lines count in its order."""

_NO_PROOF = (0, sys.maxsize)
_MAX_MARKS_FOR_SYMMETRY = 10
"""With more marks, positions reached in two symmetric ways are too rare to look for."""

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
        return self._geometry.total_potential(attack) < self._half_bound

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
            return 3 if _has_fork(attack) else 0
        return self._search_attack((attack, defence, attacker_cells, defender_cells), plies)

    def _search_attack(self, position: _Position, plies: int) -> int:
        """Try the attacker's moves, unless the potential or an earlier proof tells the result."""
        attack, defence, attacker_cells, defender_cells = position
        geometry = self._geometry
        total = geometry.total_potential(attack)
        if not attack or total < self._half_bound:
            return 0
        key = geometry.key(attacker_cells, defender_cells)
        cannot_within, can_within = self._proofs.get(key, _NO_PROOF)
        if plies <= cannot_within:
            return 0
        if plies >= can_within:
            return can_within
        potentials = geometry.potentials(attack)
        taken = attacker_cells | defender_cells
        for cell in geometry.ordered_cells(attack, defence, _ATTACKER_TO_MOVE, taken):
            if total + potentials[cell] < self._bound:  # the defender is to move after this move
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
        geometry = self._geometry
        total = geometry.total_potential(attack)
        if not attack or total < self._bound:
            return 0
        # The heaviest cell closes its lines; the attacker, then to move, needs half the bound.
        if total - max(geometry.potentials(attack)) < self._half_bound:
            return 0
        key = geometry.key(attacker_cells, defender_cells)
        cannot_within, can_within = self._proofs.get(key, _NO_PROOF)
        if plies <= cannot_within:
            return 0
        if plies >= can_within:
            return can_within
        slowest = 0
        taken = attacker_cells | defender_cells
        for cell in geometry.ordered_cells(attack, defence, _DEFENDER_TO_MOVE, taken):
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


def _has_fork(lines: Lines) -> bool:
    """Whether lines with two missing cells share one of them: a move there is a fork."""
    seen = 0
    for line in set(lines):
        if seen & line:
            return True
        seen |= line
    return False


class Geometry:
    """What all searches of a game look up: the weights of open lines, and keys of positions.

    The *potential* of a line is the weight of Erdős and Selfridge in units of 2^-k, for k in a row:
    a completed line has the `full_potential`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.single_cells = frozenset(1 << cell for cell in rules.cells)
        self.full_potential = 1 << rules.in_a_row
        self._potentials = _LineWeights(rules, base=2)
        self._order_weights = _LineWeights(rules, base=3)
        self._key_bits = max(32, len(rules.cells))
        self._images = _images_of_parts(rules) if len(rules.cells) <= 32 else []

    def total_potential(self, lines: Lines) -> int:
        return sum([self.full_potential >> line.bit_count() for line in lines])

    def potentials(self, lines: Lines) -> list[int]:
        """The potential of each cell: of all the lines through it."""
        return self._potentials.of_cells(sum(map(self._potentials.__getitem__, lines)))

    def ordered_cells(
        self, attack: Lines, defence: Lines, factors: tuple[int, int], taken: int
    ) -> list[Cell]:
        """The cells that are not taken, those to try first before the others.

        `factors` say how much the lines of the attacker and of the defender count.
        """
        attack_factor, defence_factor = factors
        weight_of = self._order_weights.__getitem__
        attack_weights = attack_factor * sum(map(weight_of, attack))
        defence_weights = defence_factor * sum(map(weight_of, defence))
        order = self._order_weights.of_cells(attack_weights + defence_weights)
        free = [cell for cell in self.rules.cells if not taken >> cell & 1]
        return sorted(free, key=order.__getitem__, reverse=True)

    def key(self, own: int, other: int) -> int:
        """The key of a position, from the bit sets of both players' cells.

        Symmetric positions share it, unless there are many marks or the board is large. It is the
        smallest of the eight images, which are computed at once, five cells at a time.
        """
        if (own | other).bit_count() > _MAX_MARKS_FOR_SYMMETRY or not self._images:
            return own | other << self._key_bits
        lanes = 0
        for start, images in self._images:
            lanes |= images[own >> start & 31] | images[other >> start & 31] << 32
        return min(memoryview(lanes.to_bytes(64, "little")).cast("Q"))


class _LineWeights(dict[int, int]):
    """The weights of open lines, in proportion to base^-r for r missing cells.

    Each is an integer with a lane for every cell, the first in the lowest bits: the line's weight
    where the cell is missing. So a sum of them weighs all cells by all lines at once.
    """

    def __init__(self, rules: Rules, base: int) -> None:
        super().__init__()
        self._rules = rules
        self._base = base
        # 16 bits hold every sum up to 5x5. On larger boards speed does not matter.
        is_small = max(rules.columns, rules.rows) <= 5
        self._lane: Literal["H", "Q"] = "H" if is_small else "Q"
        self._lane_bits = 16 if is_small else 64
        self._bytes = len(rules.cells) * self._lane_bits // 8

    def __missing__(self, line: int) -> int:
        """Compute the weight of a line, by the bit set of its missing cells, once."""
        weight = self._base ** (self._rules.in_a_row - line.bit_count())
        cells = [cell for cell in self._rules.cells if line >> cell & 1]
        self[line] = sum(weight << self._lane_bits * cell for cell in cells)
        return self[line]

    def of_cells(self, weights: int) -> list[int]:
        """The weight of each cell in a sum."""
        lanes = memoryview(weights.to_bytes(self._bytes, "little"))
        return lanes.cast(self._lane).tolist()


def _images_of_parts(rules: Rules) -> list[tuple[Cell, list[int]]]:
    """Where the symmetries take every subset of five cells that follow one another.

    For the first cell of each five there is a list, by the bit set of the subset. An entry has a
    lane of 64 bits for each of the eight symmetries, with the image of the subset.
    """
    parts = []
    for start in rules.cells[::5]:
        images = [0]
        for cell in rules.cells[start : start + 5]:
            lanes = sum(1 << 64 * lane + image[cell] for lane, image in enumerate(rules.symmetries))
            images += [subset | lanes for subset in images]
        parts.append((start, images))
    return parts


@lru_cache(maxsize=32)
def geometry_of(rules: Rules) -> Geometry:
    """The geometry that all solvers of a game share; up to 5x5 it takes at most 0.2 MB."""
    return Geometry(rules)


def ordered_moves(board: Board) -> list[Cell]:
    """The legal moves, the most promising first: ordered as for the defender."""
    attack = board.open_lines(board.to_move.other)
    defence = board.open_lines(board.to_move)
    taken = board.x | board.o
    return geometry_of(board.rules).ordered_cells(attack, defence, _DEFENDER_TO_MOVE, taken)
