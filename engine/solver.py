"""Exact answers for every m,n,k-game up to 5x5, in pure Python and well under a second.

`alphabeta` computes the value of a position. The solver asks a yes-or-no question twice: can the
player to move force a win, and if not, can the opponent? The search in `and_or` answers it.
"""

from __future__ import annotations

import math
from functools import singledispatch
from threading import Lock
from typing import Protocol

from engine.and_or import AndOrSearch, LimitedDict, OutOfNodesError, Proofs, ordered_moves
from engine.board import Board
from engine.grid import Mark
from engine.line_weights import line_weights_of
from engine.openings import opening_worth
from engine.position_keys import position_keys_of
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Solution, Value, Worth, terminal_worth

_MAX_SOLVERS = 32


class Solver:
    """Solves positions of one game, and keeps its proofs for later positions.

    It keeps up to `max_positions` proofs for each attacker (150 bytes each), a tenth as many worths
    (170 bytes) and a hundredth as many solutions (450 bytes): 32 MB by default. A full table is
    cleared. Without `potential_bound` the theorem of Erdős and Selfridge is not used: the results
    are the same, but far slower.
    """

    def __init__(
        self, rules: Rules, *, max_positions: int = 100_000, potential_bound: bool = True
    ) -> None:
        self.rules = rules
        self._weights = line_weights_of(rules)
        self._keys = position_keys_of(rules)
        self._potential_bound = potential_bound
        self._proofs: dict[Mark, Proofs] = {
            attacker: LimitedDict(max_positions) for attacker in Mark
        }
        self._worths: dict[int, Worth] = LimitedDict(max_positions // 10)
        self._solutions: dict[Board, Solution] = LimitedDict(max_positions // 100)

    @property
    def entry_count(self) -> int:
        """How many entries it keeps in memory."""
        proof_count = sum(map(len, self._proofs.values()))
        return proof_count + len(self._worths) + len(self._solutions)

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:
        """Prove what a position is worth to the player to move.

        Up to 5x5 a proof takes about a second at most. On larger boards it may never end: a node
        budget stops the search, and the worth of the solution is then None.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        cached = self._solutions.get(board)
        if cached is not None:
            return cached
        search = self._search(board, node_budget)
        try:
            worth = self._worth(board, search)
        except OutOfNodesError:
            return Solution(None, ordered_moves(board, self._weights)[:1], search.nodes)
        search.node_budget = math.inf  # with the proof, its best line costs little
        line = self._principal_variation(board, worth, search)
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
        """What each move is worth to the player who makes it; empty when the game is over.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        search = self._search(board, None)
        worths = {}
        for cell in board.actions():
            child = board.result(cell)
            worth = opening_worth(child) or self._worth(child, search)
            worths[cell] = worth.one_ply_earlier()
        return worths

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the opponent can force a win in `within_plies` plies or fewer.

        It is cheap compared with `analyse`: no search is deep.

        Raises:
            ValueError: The board has other rules than this solver.
        """
        search = self._search(board, None)
        opponent = board.to_move.other
        if search.is_harmless(board, opponent, within_plies):
            return ()
        children = {cell: board.result(cell) for cell in board.actions()}
        return tuple(
            cell
            for cell, child in children.items()
            if not child.winner and search.win_within(child, opponent, within_plies)
        )

    def _search(self, board: Board, node_budget: int | None) -> AndOrSearch:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        return AndOrSearch(
            self._weights,
            self._keys,
            self._proofs,
            node_budget,
            potential_bound=self._potential_bound,
        )

    def _worth(self, board: Board, search: AndOrSearch) -> Worth:
        key = self._keys.key(board.x, board.o)
        worth = self._worths.get(key)
        if worth is None:
            worth = _prove(board, search)
            self._worths[key] = worth
        return worth

    def _principal_variation(
        self, board: Board, worth: Worth, search: AndOrSearch
    ) -> tuple[Cell, ...]:
        """Best play by both sides to the end, from a position whose worth is known."""
        line: list[Cell] = []
        while not board.is_terminal:
            moves = ordered_moves(board, self._weights)
            move = next(cell for cell in moves if _keeps_worth(board.result(cell), worth, search))
            line.append(move)
            board = board.result(move)
            worth = worth.one_ply_later()
        return tuple(line)


def _prove(board: Board, search: AndOrSearch) -> Worth:
    if board.is_terminal:
        return terminal_worth(board)
    if plies := search.fastest_win(board, board.to_move):
        return Worth(Value.WIN, plies)
    if plies := search.fastest_win(board, board.to_move.other):
        return Worth(Value.LOSS, plies)
    return Worth(Value.DRAW, len(board.actions()))


def _keeps_worth(child: Board, worth: Worth, search: AndOrSearch) -> bool:
    """Whether the move that led to `child` kept the worth of the position before it."""
    if child.is_terminal:
        return True
    opponent = child.to_move
    plies = worth.plies_to_end
    if worth.value is Value.WIN:
        return search.win_within(child, opponent.other, plies - 1) > 0
    too_few_plies = plies - 2 if worth.value is Value.LOSS else plies - 1
    return search.win_within(child, opponent, too_few_plies) == 0


class SolverProtocol(Protocol):
    """The interface of solvers: exact answers about positions of one game."""

    rules: Rules

    @property
    def entry_count(self) -> int:
        """How many entries it keeps in memory."""

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:
        """What a position is worth to the player to move, and best play."""

    def worth(self, board: Board) -> Worth:
        """What a position is worth to the player to move."""

    def analyse(self, board: Board) -> dict[Cell, Worth]:
        """What each move is worth to the player who makes it; empty when the game is over."""

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the opponent can force a win in `within_plies` plies or fewer."""


@singledispatch
def new_solver(rules: Rules) -> SolverProtocol:
    """Create a solver of a game; the variants register their own."""
    return Solver(rules)


class Solvers:
    """An LRU cache of solvers, one for each game, that all callers share.

    It holds at most 32. When another game is requested, the least recently used solvers are
    dropped until the rest keep at most `max_entries` entries: 35 MB by default, plus what the
    latest solver then adds.
    """

    def __init__(self, max_entries: int = 200_000) -> None:
        self._max_entries = max_entries
        self._solvers: dict[Rules, SolverProtocol] = {}
        self._lock = Lock()

    def of(self, rules: Rules) -> SolverProtocol:
        with self._lock:
            most_recent = next(reversed(self._solvers), None)
            if rules != most_recent:
                solver = self._solvers.pop(rules) if rules in self._solvers else new_solver(rules)
                self._solvers[rules] = solver
                while self._exceeds_limits():
                    least_recent = next(iter(self._solvers))
                    del self._solvers[least_recent]
            return self._solvers[rules]

    def _exceeds_limits(self) -> bool:
        solvers = self._solvers.values()
        if len(solvers) > _MAX_SOLVERS:
            return True
        entries = sum(solver.entry_count for solver in solvers)
        return len(solvers) > 1 and entries > self._max_entries


solver_of = Solvers().of


def solve(board: Board, *, node_budget: int | None = None) -> Solution:
    """Solve one position with a new solver; one from `solver_of` reuses earlier proofs."""
    return new_solver(board.rules).solve(board, node_budget=node_budget)


def analyse(board: Board) -> dict[Cell, Worth]:
    """What each move of a position is worth, by a new solver; see also `solver_of`."""
    return new_solver(board.rules).analyse(board)
