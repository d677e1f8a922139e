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
"""

from __future__ import annotations

import math
import sys
from typing import TypeVar

from engine.board import Board
from engine.grid import Mark
from engine.line_weights import LineWeights
from engine.lines import Lines, open_lines
from engine.position_keys import PositionKeys
from engine.rules import Cell

_NO_PROOF = (0, sys.maxsize)

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


class OutOfNodesError(Exception):
    """The node budget is used up."""


class AndOrSearch:
    """Searches positions of one game, and counts the nodes that it visits.

    The private methods return the number of plies within which the first win found is forced,
    which need not be the fastest; 0 if there is none within `plies`.
    """

    def __init__(
        self,
        weights: LineWeights,
        keys: PositionKeys,
        proofs: dict[Mark, Proofs],
        node_budget: int | None,
        *,
        potential_bound: bool,
    ) -> None:
        self.nodes = 0
        self.node_budget = math.inf if node_budget is None else node_budget
        self._weights = weights
        self._keys = keys
        self._all_proofs = proofs
        self._proofs = proofs[Mark.X]
        self._single_cells = weights.single_cells
        self._in_a_row = weights.rules.in_a_row
        self._bound = weights.full_weight if potential_bound else 0
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
        """A number of plies, at most `plies`, within which the attacker can force a win; 0 if none.

        Raises:
            OutOfNodesError: The node budget ran out first.
        """
        self._proofs = self._all_proofs[attacker]
        defender = attacker.other
        position = (
            open_lines(board, attacker),
            open_lines(board, defender),
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
        attack = self._completable(open_lines(board, attacker), (plies + 1) // 2)
        return self._weights.weigh_for_attacker(attack, []).total < self._half_bound

    def _attacker_moves(self, position: _Position, plies: int) -> int:
        self.nodes += 1
        if self.nodes > self.node_budget:
            raise OutOfNodesError
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
        weights = self._weights.weigh_for_attacker(attack, defence)
        if not attack or weights.total < self._half_bound:
            return 0
        key = self._keys.key(attacker_cells, defender_cells)
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
        if self.nodes > self.node_budget:
            raise OutOfNodesError
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
        weights = self._weights.weigh_for_defender(attack, defence)
        if not attack or weights.total < self._bound:
            return 0
        # The heaviest cell closes its lines; the attacker, then to move, needs half the bound.
        if weights.total - max(weights.potential) < self._half_bound:
            return 0
        key = self._keys.key(attacker_cells, defender_cells)
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


def ordered_moves(board: Board, weights: LineWeights) -> tuple[Cell, ...]:
    """The legal moves, the most promising first: ordered as for the defender."""
    attack = open_lines(board, board.to_move.other)
    defence = open_lines(board, board.to_move)
    order = weights.weigh_for_defender(attack, defence).order
    return tuple(sorted(board.actions(), key=lambda cell: -order[cell]))


def _has_double_threat(lines: Lines) -> bool:
    """Whether lines with two missing cells share one of them: a move there is a double threat."""
    seen = 0
    for line in set(lines):
        if seen & line:
            return True
        seen |= line
    return False
