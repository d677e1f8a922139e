"""Exact answers for every m,n,k-game up to 5x5, in pure Python and a second at most.

`alphabeta` looks for the utility of a position. The solver asks a yes-or-no question twice: can the
player to move force a win, and if not, can the opponent? The search in `and_or` answers it, and
again for fewer plies until it is the fastest win. If neither can, it is a draw.
"""

from __future__ import annotations

from functools import lru_cache

from engine.and_or import AndOrSearch, LimitedDict, Proofs, geometry_of, ordered_moves
from engine.board import Board, Mark
from engine.openings import opening_worth
from engine.retrograde import TableSolver
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Solution, Value, Worth, terminal_worth


class Solver:
    """Solves positions of one game, and keeps its proofs for later positions.

    It keeps up to `max_positions` proofs for each attacker (150 bytes each), a tenth as many worths
    (170 bytes) and a hundredth as many solutions (450 bytes): 32 MB by default. A full table is
    cleared. Without `potential_bound` the theorem of Erdős and Selfridge is not used: the results
    are the same, but far slower. A board with other rules is a ValueError.
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

    def solve(self, board: Board) -> Solution:
        """Prove what a position is worth to the player to move, and find best play.

        Up to 5x5 it takes about a second at most. On larger boards it may never end.
        """
        cached = self._solutions.get(board)
        if cached is not None:
            return cached
        search = self._new_search(board)
        worth = self._proven_worth(board, search)
        line = _principal_variation(board, worth, search)
        solution = Solution(worth, line, search.nodes)
        self._solutions[board] = solution
        return solution

    def worth(self, board: Board) -> Worth:
        """The value and distance of a position: `solve` without the best line of play."""
        return self._proven_worth(board, self._new_search(board))

    def analyse(self, board: Board) -> dict[Cell, Worth]:
        """What each move is worth to the player who makes it; empty when the game is over."""
        search = self._new_search(board)
        worths = {}
        for cell in board.actions():
            child = board.result(cell)
            worth = opening_worth(child) or self._proven_worth(child, search)
            worths[cell] = worth.one_ply_earlier()
        return worths

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the opponent can force a win in `within_plies` plies or fewer.

        It is cheap compared with `analyse`: no search is deep.
        """
        search = self._new_search(board)
        opponent = board.to_move.other
        if search.is_harmless(board, opponent, within_plies):
            return ()
        children = {cell: board.result(cell) for cell in board.actions()}
        return tuple(
            cell
            for cell, child in children.items()
            if not child.winner and search.win_within(child, opponent, within_plies)
        )

    def _new_search(self, board: Board) -> AndOrSearch:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        return AndOrSearch(self._geometry, self._proofs, potential_bound=self._potential_bound)

    def _proven_worth(self, board: Board, search: AndOrSearch) -> Worth:
        key = self._geometry.key(board.x, board.o)
        worth = self._worths.get(key)
        if worth is None:
            worth = _prove(board, search)
            self._worths[key] = worth
        return worth


def _prove(board: Board, search: AndOrSearch) -> Worth:
    if board.is_terminal:
        return terminal_worth(board)
    if plies := search.fastest_win(board, board.to_move):
        return Worth(Value.WIN, plies)
    if plies := search.fastest_win(board, board.to_move.other):
        return Worth(Value.LOSS, plies)
    return Worth(Value.DRAW, len(board.actions()))


def _principal_variation(board: Board, worth: Worth, search: AndOrSearch) -> tuple[Cell, ...]:
    """Best play by both sides to the end, from a position whose worth is known."""
    line: list[Cell] = []
    while not board.is_terminal:
        children = ((cell, board.result(cell)) for cell in ordered_moves(board))
        move, board = next(
            (cell, child) for cell, child in children if _keeps_worth(child, worth, search)
        )
        line.append(move)
        worth = worth.one_ply_later()
    return tuple(line)


def _keeps_worth(child: Board, worth: Worth, search: AndOrSearch) -> bool:
    """Whether the move that led to `child` kept the worth of the position before it."""
    if child.is_terminal:
        return True
    opponent = child.to_move
    plies = worth.plies_to_end
    if worth.value is Value.WIN:
        return search.win_within(child, opponent.other, plies - 1) > 0
    # A loss must not come sooner; the winner makes the last move, so sooner is two plies at least.
    too_few_plies = plies - 2 if worth.value is Value.LOSS else plies - 1
    return search.win_within(child, opponent, too_few_plies) == 0


Oracle = Solver | TableSolver
"""What answers exactly about the positions of one game."""


def new_solver(rules: Rules) -> Oracle:
    """A solver of a game that knows nothing yet, of the class that its rules name."""
    solver: Oracle = (rules.solver_class or Solver)(rules)
    return solver


@lru_cache(maxsize=32)
def solver_of(rules: Rules) -> Oracle:
    """The solver of a game that all callers share.

    Of the games up to 5x5 only three fill tables of this size: 4x5, 5x4 and 5x5, each with four in
    a row, which take 8 MB each. After a thousand games the others keep some 1.5 MB each.
    """
    if rules.solver_class is None:
        return Solver(rules, max_positions=25_000)
    return new_solver(rules)


def solve(board: Board) -> Solution:
    """Solve one position with a new solver; one from `solver_of` reuses earlier proofs."""
    return new_solver(board.rules).solve(board)


def analyse(board: Board) -> dict[Cell, Worth]:
    """What each move of a position is worth, by a new solver; see also `solver_of`."""
    return new_solver(board.rules).analyse(board)
