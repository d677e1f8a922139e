"""Exact answers for every m,n,k-game up to 5x5, in pure Python and well under a second.

`alphabeta` asks what a position is worth. The solver asks a yes-or-no question, twice: can the
player to move force a win, and if not, can the opponent? `and_or` has the search that answers it.
"""

from __future__ import annotations

import math
from functools import singledispatch
from threading import Lock

from engine.and_or import AndOrSearch, LimitedDict, OutOfNodesError, Proofs, ordered_moves
from engine.board import Board
from engine.geometry import geometry_of
from engine.grid import Mark
from engine.openings import opening_worth
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Oracle, Solution, Value, Worth, worth_of_end

_MOST_SOLVERS = 32


class Solver:
    """Solves positions of one game, and remembers proofs from one move to the next.

    It keeps up to `max_positions` proofs for each attacker (150 bytes each), a tenth as many worths
    (170 bytes) and a hundredth as many solutions (450 bytes): 32 MB by default. A table that is
    full is cleared. Without `potential_bound` the theorem of Erdos and Selfridge is not used: the
    answers are the same, but far slower.
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
        """How many entries it keeps in memory."""
        proofs = sum(map(len, self._proofs.values()))
        return proofs + len(self._worths) + len(self._solutions)

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:
        """Prove what a position is worth to the player to move.

        Up to 5x5 a proof takes about a second at most. On larger boards it may take a lifetime: a
        node budget ends the search, and the worth of the solution is then None.

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
            return Solution(None, ordered_moves(board, self._geometry)[:1], search.nodes)
        search.node_budget = math.inf  # given the proof, its line costs little
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
        """What each move is worth to the player who makes it; empty when the game is over.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        search = self._search(board, None)
        after = {cell: board.result(cell) for cell in board.actions()}
        worths = {cell: opening_worth(position) for cell, position in after.items()}
        if None in worths.values():
            worths = {cell: self._worth(position, search) for cell, position in after.items()}
        return {cell: worth.one_ply_earlier() for cell, worth in worths.items() if worth}

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the opponent can force a win in `within_plies` plies or fewer.

        It is cheap compared with `analyse`: no search is deep.

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
            actions = ordered_moves(board, self._geometry)
            line.append(next(a for a in actions if _keeps_worth(board.result(a), worth, search)))
            board, worth = board.result(line[-1]), worth.one_ply_later()
        return tuple(line)


def _prove(board: Board, search: AndOrSearch) -> Worth:
    if board.is_terminal:
        return worth_of_end(board)
    if plies := search.fastest_win(board, board.to_move):
        return Worth(Value.WIN, plies)
    if plies := search.fastest_win(board, board.to_move.other):
        return Worth(Value.LOSS, plies)
    return Worth(Value.DRAW, len(board.actions()))


def _keeps_worth(after: Board, worth: Worth, search: AndOrSearch) -> bool:
    """Whether the move that led to `after` kept the worth of the position before it."""
    if after.is_terminal:
        return True
    opponent, plies = after.to_move, worth.plies_to_end
    if worth.value is Value.WIN:
        return search.win_within(after, opponent.other, plies - 1) > 0
    within = plies - 2 if worth.value is Value.LOSS else plies - 1
    return search.win_within(after, opponent, within) == 0


@singledispatch
def solver_for(rules: Rules) -> Oracle:
    """A new solver of a game; the games in `variants` register their own."""
    return Solver(rules)


class Solvers:
    """An LRU cache of solvers, one for each game, that all callers share.

    It holds at most 32. When the game asked for changes, the least recently used solvers are
    dropped until the rest keep at most `max_remembered` entries: 35 MB by default, plus what the
    latest then adds.
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
    """Solve one position with a new solver; shared solvers reuse earlier proofs."""
    return solver_for(board.rules).solve(board, node_budget=node_budget)


def analyse(board: Board) -> dict[Cell, Worth]:
    """What each move of one position is worth, by a new solver; shared ones reuse proofs."""
    return solver_for(board.rules).analyse(board)
