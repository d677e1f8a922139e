"""What a move was worth, whether it kept the result, and what it was good for.

The verdict is the solver's proof; the reason is a name that people understand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.board import Board, Mark
from engine.reasons import Names, Reason, names_of, reason_among
from engine.rules import TIC_TAC_TOE, Cell, Rules
from engine.solver import Solver, solver_of
from engine.worth import Worth


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move of a game, judged.

    `worth` is what it left its player, `best` what the best moves, `best_actions`, would have;
    `reason` names what it was good for, where there is a name for that. It was an only move when
    every other would have thrown the value away, and safe when none would.
    """

    board: Board
    action: Cell
    worth: Worth
    best: Worth
    best_actions: tuple[Cell, ...]
    reason: Reason | None
    is_only_move: bool
    is_safe: bool

    @property
    def mark(self) -> Mark:
        return self.board.to_move

    @property
    def kept_value(self) -> bool:
        return self.worth.value is self.best.value

    @property
    def is_blunder(self) -> bool:
        """Whether it turned a win into less, or a draw into a loss."""
        return not self.kept_value


def review(
    moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE, solver: Solver | None = None
) -> list[Verdict]:
    """Judge every move of a game from the empty board on.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    solver = solver or solver_of(rules)
    verdicts, board = [], Board(rules)
    for action in moves:
        after = board.result(action)
        verdicts.append(judge(board, action, solver))
        board = after
    return verdicts


def judge(board: Board, action: Cell, solver: Solver) -> Verdict:
    """Judge one legal move of a position."""
    return _judge(board, action, solver.analyse(board), names_of(board))


def _judge(board: Board, action: Cell, worths: dict[Cell, Worth], names: Names) -> Verdict:
    best = max(worths.values(), key=lambda worth: worth.rank)
    keeping = [cell for cell, worth in worths.items() if worth.value is best.value]
    return Verdict(
        board=board,
        action=action,
        worth=worths[action],
        best=best,
        best_actions=tuple(cell for cell, worth in worths.items() if worth.rank == best.rank),
        reason=reason_among(action, worths[action], names),
        is_only_move=keeping == [action] and len(worths) > 1,
        is_safe=len(keeping) == len(worths),
    )


def advise(board: Board, solver: Solver | None = None) -> list[Verdict]:
    """Every move of a position judged, the best first, and of equals the most telling reason."""
    solver = solver or solver_of(board.rules)
    worths, names = solver.analyse(board), names_of(board)
    verdicts = [_judge(board, action, worths, names) for action in worths]
    return sorted(verdicts, key=lambda v: (v.worth.rank, -_weakness(v)), reverse=True)


def best_reply(board: Board, action: Cell, solver: Solver | None = None) -> Verdict | None:
    """The best answer to a move, judged; None where the move ends the game."""
    after = board.result(action)
    return None if after.is_terminal else advise(after, solver)[0]


def _weakness(verdict: Verdict) -> int:
    """How far down the list of reasons a move's stands."""
    reasons = list(Reason)
    return reasons.index(verdict.reason) if verdict.reason else len(reasons)


def turning_point(verdicts: Sequence[Verdict]) -> int | None:
    """Which move of a game, 0-based, changed the value for the last time; None if none did."""
    blunders = [number for number, verdict in enumerate(verdicts) if verdict.is_blunder]
    return blunders[-1] if blunders else None
