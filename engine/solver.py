"""Exact answers for every m,n,k-game up to 5x5, in pure Python and well under a second.

`alphabeta` asks what a position is worth. The solver asks a smaller question, twice: can the
player to move force a win, and if not, can the other? `and_or` has the search that answers it.
"""

from __future__ import annotations

import math
from functools import singledispatch
from threading import Lock

from engine.and_or import AndOrSearch, LimitedDict, OutOfNodesError, Proofs, by_promise
from engine.board import Board, Mark
from engine.geometry import geometry_of
from engine.openings import opening_worth
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Oracle, Solution, Value, Worth, worth_of_end

_MOST_SOLVERS = 32


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
        self._proofs: dict[Mark, Proofs] = {
            attacker: LimitedDict(max_positions) for attacker in Mark
        }
        self._worths: dict[int, Worth] = LimitedDict(max_positions // 10)
        self._solutions: dict[Board, Solution] = LimitedDict(max_positions // 100)

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
        except OutOfNodesError:
            return Solution(None, by_promise(board, self._geometry)[:1], search.nodes)
        search.node_budget = math.inf  # with a proof at hand, its line costs little
        line = self._principal_variation(board, worth, search)
        solution = self._solutions[board] = Solution(worth, line, search.nodes)
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
            worths = {cell: self._worth(position, search) for cell, position in after.items()}
        return {cell: worth.before_the_move() for cell, worth in worths.items() if worth}

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the other player can force a win within so many plies more.

        It takes little beside an analysis of the position before: none is deep.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        search, other = self._search(board, None), board.to_move.other
        if search.is_harmless(board, other, within_plies):
            return ()
        after = {cell: board.result(cell) for cell in board.actions()}
        return tuple(
            cell
            for cell, position in after.items()
            if not position.winner and search.win_within(position, other, within_plies)
        )

    def _search(self, board: Board, node_budget: int | None) -> AndOrSearch:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        return AndOrSearch(
            self._geometry, self._proofs, node_budget, potential_bound=self._potential_bound
        )

    def _worth(self, board: Board, search: AndOrSearch) -> Worth:
        key = self._geometry.key(board.x, board.o)
        worth = self._worths.get(key)
        if worth is None:
            worth = self._worths[key] = _prove(board, search)
        return worth

    def _principal_variation(
        self, board: Board, worth: Worth, search: AndOrSearch
    ) -> tuple[Cell, ...]:
        """Best play by both sides to the end, from a position whose worth is known."""
        line: list[Cell] = []
        while not board.is_terminal:
            actions = by_promise(board, self._geometry)
            line.append(next(a for a in actions if _keeps(board.result(a), worth, search)))
            board, worth = board.result(line[-1]), worth.after_the_move()
        return tuple(line)


def _prove(board: Board, search: AndOrSearch) -> Worth:
    if board.is_terminal:
        return worth_of_end(board)
    if plies := search.fastest_win(board, board.to_move):
        return Worth(Value.WIN, plies)
    if plies := search.fastest_win(board, board.to_move.other):
        return Worth(Value.LOSS, plies)
    return Worth(Value.DRAW, len(board.actions()))


def _keeps(after: Board, worth: Worth, search: AndOrSearch) -> bool:
    """Whether the move that led to `after` was as good as its position was worth."""
    if after.is_terminal:
        return True
    opponent, plies = after.to_move, worth.plies_to_end
    if worth.value is Value.WIN:
        return search.win_within(after, opponent.other, plies - 1) > 0
    within = plies - 2 if worth.value is Value.LOSS else plies - 1
    return search.win_within(after, opponent, within) == 0


@singledispatch
def solver_for(rules: Rules) -> Oracle:
    """A new solver of a game; `variants` tells who solves the others."""
    return Solver(rules)


class Solvers:
    """Solvers that everybody shares, one a game, with all that they remember.

    There are at most 32. When another game is asked for, those that were not for the longest are
    forgotten, until the rest remember at most `max_remembered` things: by default 35 MB, and
    what the latest then adds.
    """

    def __init__(self, max_remembered: int = 200_000) -> None:
        self._max_remembered = max_remembered
        self._solvers: dict[Rules, Oracle] = {}
        self._lock = Lock()

    def of(self, rules: Rules) -> Oracle:
        with self._lock:
            if next(reversed(self._solvers), None) != rules:
                solver = self._solvers.pop(rules) if rules in self._solvers else solver_for(rules)
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
    """Solve one position from nothing; a solver remembers from one to the next."""
    return solver_for(board.rules).solve(board, node_budget=node_budget)


def analyse(board: Board) -> dict[Cell, Worth]:
    """What each move of one position is worth; a solver remembers from one to the next."""
    return solver_for(board.rules).analyse(board)
