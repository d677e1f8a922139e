"""Exact answers for every m,n,k-game up to 5x5, in pure Python and well under a second.

`alphabeta` asks what a position is worth. The solver asks a smaller question, twice: can the
player to move *force* a win, and if not, can the other? Each is a search with two answers only,
in which one player, the attacker, must complete a line, and the other, the defender, must merely
prevent it. Nearly all of its speed comes from what that question lets it leave out:

- Only the attacker's *open* lines matter, those without a defending mark, and of each only the
  cells still *missing*. One missing cell is a win to take, or a reply that is forced.
- Erdos and Selfridge (*On a combinatorial game*, 1973): let a line with r missing cells weigh
  2^-r. While the open lines together weigh less than 1 with the defender to move, or less than
  1/2 with the attacker to move, the defender holds by always taking the heaviest cell. This
  settles most positions without a search.
- Cells are tried in the order of the lines through them, a line with r missing cells counting
  3^-r. The ratios between a player's own lines and the other's were found by measurement.
- Proofs are remembered under the position's symmetries, and say within how many plies they hold.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from engine.board import Board, Cell, Mark, Rules
from engine.geometry import Geometry, Lines, geometry_of
from engine.openings import opening_worth
from engine.worth import Value, Worth

_MOST_SOLVERS = 32

Key = TypeVar("Key")
Known = TypeVar("Known")


class _Memory(dict[Key, Known]):
    """A dict of limited size: when it is full it begins anew."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: Key, known: Known) -> None:
        if len(self) >= self._limit:
            self.clear()
        super().__setitem__(key, known)


_Proofs = _Memory[int, tuple[int, int]]
"""Of a position: within how many plies no win can be forced, and within how many one can."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What best play leads to: wins the fastest way, losses put off the longest.

    `worth` is None where the node budget ran out before there was a proof; what remains is then
    only the most promising move. `nodes` counts the positions visited to find this out.
    """

    worth: Worth | None
    principal_variation: tuple[Cell, ...]
    nodes: int

    @property
    def value(self) -> Value | None:
        return self.worth.value if self.worth else None

    @property
    def distance_plies(self) -> int | None:
        return self.worth.distance_plies if self.worth else None

    @property
    def action(self) -> Cell | None:
        """A best move; None when the game is over."""
        return self.principal_variation[0] if self.principal_variation else None


class Solver:
    """Solves positions of one game, and remembers proofs from one move to the next.

    It remembers the proofs of `max_positions` for either attacker (150 bytes each), a tenth as many
    worths (170 bytes) and a hundredth as many solutions (450 bytes): by default 32 MB. What is full
    begins anew. Without `potential_bound` the theorem of Erdos and Selfridge is left out: the
    answers are the same, and come far slower.
    """

    def __init__(
        self, rules: Rules, *, max_positions: int = 100_000, potential_bound: bool = True
    ) -> None:
        self.rules = rules
        self._geometry = geometry_of(rules)
        self._potential_bound = potential_bound
        self._proofs: dict[Mark, _Proofs] = {mark: _Memory(max_positions) for mark in Mark}
        self._worths: dict[int, Worth] = _Memory(max_positions // 10)
        self._solutions: dict[Board, Solution] = _Memory(max_positions // 100)

    @property
    def remembered(self) -> int:
        """How many things it remembers."""
        proofs = sum(map(len, self._proofs.values()))
        return proofs + len(self._worths) + len(self._solutions)

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:
        """Prove what a position is worth to the player to move.

        Up to 5x5 there is a proof within about a second. On larger boards there may be none in
        a lifetime: a node budget ends the search.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        known = self._solutions.get(board)
        if known is not None:
            return known
        search = self._search(board, node_budget)
        try:
            worth = self._worth(board, search)
        except _OutOfNodesError:
            return Solution(None, search.by_promise(board)[:1], search.nodes)
        search.node_budget = math.inf  # with a proof at hand, its line costs little
        line = search.principal_variation(board, worth)
        solution = Solution(worth, line, search.nodes)
        self._solutions[board] = solution
        return solution

    def worth(self, board: Board) -> Worth:
        """The value and distance of a position: `solve` without the best line of play.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        return self._worth(board, self._search(board, None))

    def analyse(self, board: Board) -> dict[Cell, Worth]:
        """What each move is worth to the player who makes it; nothing when the game is over.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        search = self._search(board, None)
        after = {cell: board.result(cell) for cell in board.actions()}
        worths = {cell: opening_worth(position) for cell, position in after.items()}
        if None in worths.values():
            # No move is worth more than its position: the other gets the opposite, or more.
            at_least = Value(-self._worth(board, search).value)
            worths = {cell: self._worth(after[cell], search, at_least) for cell in after}
        return {cell: worth.before_the_move() for cell, worth in worths.items() if worth}

    def _search(self, board: Board, node_budget: int | None) -> _Search:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        one = self._geometry.one if self._potential_bound else 0
        return _Search(self._geometry, self._proofs, node_budget, one)

    def _worth(self, board: Board, search: _Search, at_least: Value = Value.LOSS) -> Worth:
        key = self._geometry.key(board.x, board.o)
        worth = self._worths.get(key)
        if worth is None:
            worth = self._worths[key] = search.worth(board, at_least)
        return worth


class Solvers:
    """Solvers that everybody shares, one a game, with all that they remember.

    There are at most 32. When another game is asked for, those that were not for the longest are
    forgotten, until the rest remember at most `max_remembered` things: by default 35 MB, and
    what the latest then adds.
    """

    def __init__(self, max_remembered: int = 200_000) -> None:
        self._max_remembered = max_remembered
        self._solvers: dict[Rules, Solver] = {}
        self._lock = Lock()

    def of(self, rules: Rules) -> Solver:
        with self._lock:
            if next(reversed(self._solvers), None) != rules:
                solver = self._solvers.pop(rules) if rules in self._solvers else Solver(rules)
                self._solvers[rules] = solver
                while self._are_too_many():
                    del self._solvers[next(iter(self._solvers))]
            return self._solvers[rules]

    def _are_too_many(self) -> bool:
        solvers = self._solvers.values()
        remembered = sum(solver.remembered for solver in solvers)
        return len(solvers) > _MOST_SOLVERS or (
            len(solvers) > 1 and remembered > self._max_remembered
        )


solver_of = Solvers().of


def solve(board: Board, *, node_budget: int | None = None) -> Solution:
    """Solve one position from nothing; a `Solver` remembers from one to the next."""
    return Solver(board.rules).solve(board, node_budget=node_budget)


def analyse(board: Board) -> dict[Cell, Worth]:
    """What each move of one position is worth; a `Solver` remembers from one to the next."""
    return Solver(board.rules).analyse(board)


class _OutOfNodesError(Exception):
    """The node budget is used up."""


class _Search:
    """The two questions, and what follows from their answers.

    `own` and `other` are the open lines of the attacker and of the defender as bit sets of their
    missing cells, `mine` and `theirs` the cells they hold.
    """

    def __init__(
        self,
        geometry: Geometry,
        proofs: dict[Mark, _Proofs],
        node_budget: int | None,
        one: int,
    ) -> None:
        self.nodes = 0
        self._geometry = geometry
        self._all_proofs = proofs
        self._proofs = proofs[Mark.X]
        self.node_budget = math.inf if node_budget is None else node_budget
        self._one = one
        self._half = one // 2

    def worth(self, board: Board, at_least: Value) -> Worth:
        """The value and distance of a position for the player to move.

        `at_least` is a value that it is known to have, or to exceed.
        """
        mover, free = board.to_move, len(board.actions())
        if board.is_terminal:
            return Worth(Value.LOSS if board.winner else Value.DRAW, 0)
        if plies := self._fastest_win(board, mover):
            return Worth(Value.WIN, plies)
        if at_least is Value.LOSS and (plies := self._fastest_win(board, mover.other)):
            return Worth(Value.LOSS, plies)
        return Worth(Value.DRAW, free)

    def _fastest_win(self, board: Board, attacker: Mark) -> int:
        """Within how many plies the attacker can force a win at the soonest; 0 if never."""
        fastest, found = 0, self._win_within(board, attacker, len(board.actions()))
        while found:
            fastest, found = found, self._win_within(board, attacker, found - 2)
        return fastest

    def principal_variation(self, board: Board, worth: Worth) -> tuple[Cell, ...]:
        """Best play by both sides to the end, from a position whose worth is known."""
        line: list[Cell] = []
        while not board.is_terminal:
            line.append(self._best_action(board, worth))
            board, worth = board.result(line[-1]), worth.after_the_move()
        return tuple(line)

    def _best_action(self, board: Board, worth: Worth) -> Cell:
        return next(a for a in self.by_promise(board) if self._keeps(board.result(a), worth))

    def _keeps(self, after: Board, worth: Worth) -> bool:
        """Whether the move that led to `after` was as good as its position was worth."""
        if after.is_terminal:
            return True
        opponent, plies = after.to_move, worth.distance_plies
        if worth.value is Value.WIN:
            return self._win_within(after, opponent.other, plies - 1) > 0
        within = plies - 2 if worth.value is Value.LOSS else plies - 1
        return self._win_within(after, opponent, within) == 0

    def by_promise(self, board: Board) -> tuple[Cell, ...]:
        """The actions of a position, the most promising first."""
        own, other = _open_lines(board, board.to_move), _open_lines(board, board.to_move.other)
        weights = self._geometry.weigh_for_defender(own, other).order
        return tuple(sorted(board.actions(), key=lambda cell: -weights[cell]))

    def _win_within(self, board: Board, attacker: Mark, plies: int) -> int:
        """The plies to a win, no more than `plies`, that the attacker can force; 0 if none.

        It is the first win that was found, which need not be the fastest. So for all below.
        """
        self._proofs = self._all_proofs[attacker]
        ask = self._attacker_moves if board.to_move is attacker else self._defender_moves
        own, other = _open_lines(board, attacker), _open_lines(board, attacker.other)
        return ask(own, other, board.marks(attacker), board.marks(attacker.other), plies)

    def _attacker_moves(self, own: Lines, other: Lines, mine: int, theirs: int, plies: int) -> int:
        self._count_node()
        singles = self._geometry.single_cells
        if plies < 1:
            return 0
        if not singles.isdisjoint(own):
            return 1
        if plies < 3:
            return 0
        if forced := singles.intersection(other):
            lost = len(forced) > 1
            return 0 if lost else self._attack(own, other, mine, theirs, plies, *forced)
        own = _within_reach(own, (plies + 1) // 2, self._geometry)
        if plies < 5:
            return 3 if _meet(own) else 0
        weights = self._geometry.weigh_for_attacker(own, other)
        if not own or weights.total < self._half:
            return 0
        key = self._geometry.key(mine, theirs)
        cannot_within, can_within = self._proofs.get(key, _NOTHING_KNOWN)
        if plies <= cannot_within or plies >= can_within:
            return can_within if plies >= can_within else 0
        # After a move the defender's turn comes, so the potential has to reach one.
        needed = self._one - weights.total
        for cell in weights.in_order(mine | theirs):
            if weights.potential[cell] >= needed and (
                found := self._attack(own, other, mine, theirs, plies, 1 << cell)
            ):
                self._proofs[key] = cannot_within, found
                return found
        self._proofs[key] = plies, can_within
        return 0

    def _attack(
        self, own: Lines, other: Lines, mine: int, theirs: int, plies: int, cell: int
    ) -> int:
        own = [line & ~cell for line in own]
        other = [line for line in other if not line & cell]
        found = self._defender_moves(own, other, mine | cell, theirs, plies - 1)
        return found and found + 1

    def _defender_moves(self, own: Lines, other: Lines, mine: int, theirs: int, plies: int) -> int:
        self._count_node()
        singles = self._geometry.single_cells
        if plies < 2 or not singles.isdisjoint(other):
            return 0
        if forced := singles.intersection(own):
            won = len(forced) > 1
            return 2 if won else self._defend(own, other, mine, theirs, plies, *forced)
        own = _within_reach(own, plies // 2, self._geometry)
        weights = self._geometry.weigh_for_defender(other, own)
        if not own or weights.total < self._one:
            return 0
        if weights.total - max(weights.potential) < self._half:
            return 0
        key = self._geometry.key(mine, theirs)
        cannot_within, can_within = self._proofs.get(key, _NOTHING_KNOWN)
        if plies <= cannot_within or plies >= can_within:
            return can_within if plies >= can_within else 0
        slowest = 0
        for cell in weights.in_order(mine | theirs):
            found = self._defend(own, other, mine, theirs, plies, 1 << cell)
            if not found:
                self._proofs[key] = plies, can_within
                return 0
            slowest = max(slowest, found)
        self._proofs[key] = cannot_within, slowest
        return slowest

    def _defend(
        self, own: Lines, other: Lines, mine: int, theirs: int, plies: int, cell: int
    ) -> int:
        own = [line for line in own if not line & cell]
        other = [line & ~cell for line in other]
        found = self._attacker_moves(own, other, mine, theirs | cell, plies - 1)
        return found and found + 1

    def _count_node(self) -> None:
        self.nodes += 1
        if self.nodes > self.node_budget:
            raise _OutOfNodesError


_NOTHING_KNOWN = (0, sys.maxsize)


def _open_lines(board: Board, mark: Mark) -> Lines:
    """The missing cells of every line that `mark` can still complete."""
    own, other = board.marks(mark), board.marks(mark.other)
    return [line & ~own for line in board.rules.line_masks if not line & other]


def _meet(lines: Lines) -> bool:
    """Whether lines of two missing cells meet in one: a move there is a double threat."""
    once = 0
    for line in set(lines):
        if once & line:
            return True
        once |= line
    return False


def _within_reach(lines: Lines, moves: int, geometry: Geometry) -> Lines:
    """The lines that so many moves of one's own can complete."""
    if moves >= geometry.rules.in_a_row:
        return lines
    return [line for line in lines if line.bit_count() <= moves]
