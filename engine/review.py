"""What a move was worth, whether it kept the result, and what it was good for.

The verdict is the solver's proof; the reason is a name that people understand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.board import Board
from engine.grid import Mark
from engine.reasons import Names, Reason, lines_through, names_of, reason_among
from engine.rules import TIC_TAC_TOE, Cell, Rules
from engine.solver import solver_of
from engine.worth import Value, Worth


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move of a game, judged.

    `worth` is what the move is worth to its player, `best` what the best moves, `best_actions`,
    are worth; `reason` is the most telling reason that applies, if any. For a move that keeps a
    draw, `losing_replies` counts the replies that lose soon. It is the only move if every other
    would change the value, and safe if no move would.
    """

    board: Board
    action: Cell
    worth: Worth
    best: Worth
    best_actions: tuple[Cell, ...]
    reason: Reason | None
    is_only_move: bool
    is_safe: bool
    losing_replies: int = 0

    @property
    def mark(self) -> Mark:
        return self.board.to_move

    @property
    def replies(self) -> int:
        """How many replies the opponent has."""
        return len(self.board.result(self.action).actions())

    @property
    def missed_wins(self) -> tuple[Cell, ...]:
        """The cells that would have won at once; empty if this one did."""
        wins = self.board.winning_cells(self.mark)
        return () if self.action in wins else wins

    @property
    def lost_at_once(self) -> bool:
        """Whether it completed a line that loses, where another move would not have."""
        losing = self.board.losing_cells()
        return self.action in losing and len(losing) < len(self.board.actions())

    @property
    def kept_value(self) -> bool:
        return self.worth.value is self.best.value

    @property
    def is_blunder(self) -> bool:
        """Whether it turned a win into less, or a draw into a loss."""
        return not self.kept_value


class Accuracy(NamedTuple):
    """How many of a player's `critical` moves, those that were not safe, `kept` the value."""

    kept: int = 0
    critical: int = 0


def accuracy(verdicts: Iterable[Verdict], mark: Mark) -> Accuracy:
    """How often one side kept the value where it could have lost it."""
    critical = [verdict for verdict in verdicts if verdict.mark is mark and not verdict.is_safe]
    return Accuracy(sum(verdict.kept_value for verdict in critical), len(critical))


def accuracies(moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE) -> dict[Mark, Accuracy]:
    """The accuracy of both sides of a game; a review takes five times as long, to find reasons.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    found, board = {mark: Accuracy() for mark in Mark}, Board(rules)
    for action in moves:
        after = board.result(action)
        values = {cell: worth.value for cell, worth in solver_of(rules).analyse(board).items()}
        if len({*values.values()}) > 1:
            kept, critical = found[board.to_move]
            has_kept = values[action] is max(values.values())
            found[board.to_move] = Accuracy(kept + has_kept, critical + 1)
        board = after
    return found


def review(moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE) -> list[Verdict]:
    """Judge every move of a game that starts on the empty board.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    verdicts, board = [], Board(rules)
    for action in moves:
        after = board.result(action)
        verdicts.append(judge(board, action))
        board = after
    return verdicts


def judge(board: Board, action: Cell) -> Verdict:
    """Judge one legal move of a position."""
    worths = solver_of(board.rules).analyse(board)
    return _judge(board, action, worths, names_of(board, worths))


def _judge(board: Board, action: Cell, worths: dict[Cell, Worth], names: Names) -> Verdict:
    best = max(worths.values(), key=lambda worth: worth.rank)
    keeping = [cell for cell, worth in worths.items() if worth.value is best.value]
    holds = worths[action].value is best.value is Value.DRAW
    after = board.result(action)
    losing = solver_of(board.rules).losing_replies(after) if holds else ()
    return Verdict(
        board=board,
        action=action,
        worth=worths[action],
        best=best,
        best_actions=tuple(cell for cell, worth in worths.items() if worth.rank == best.rank),
        reason=reason_among(action, names, len(losing), len(after.actions())),
        is_only_move=keeping == [action] and len(worths) > 1,
        is_safe=len(keeping) == len(worths),
        losing_replies=len(losing),
    )


def advise(board: Board) -> list[Verdict]:
    """Judge every move of a position, the best first; empty when the game is over.

    Among equals, moves with the most losing replies come first, then by reason, then open lines.
    """
    if board.is_terminal:
        return []
    worths = solver_of(board.rules).analyse(board)
    names = names_of(board, worths)
    verdicts = [_judge(board, action, worths, names) for action in worths]
    reasons = [*Reason, None]
    lines = [lines_through(board, mark) for mark in (board.to_move, board.to_move.other)]

    def profit(verdict: Verdict) -> tuple[object, ...]:
        weakness = reasons.index(verdict.reason)
        through = [count[verdict.action] for count in lines]
        return verdict.worth.rank, verdict.losing_replies, -weakness, through

    return sorted(verdicts, key=profit, reverse=True)


def best_reply(board: Board, action: Cell, played: Cell | None = None) -> Verdict | None:
    """The best reply to a move, judged; None if the move ends the game.

    It is the `played` one, if that is as good as any.
    """
    advice = advise(board.result(action))
    equals = (v for v in advice if v.action == played and played in v.best_actions)
    return next(equals, next(iter(advice), None))


def turning_point(verdicts: Sequence[Verdict]) -> int | None:
    """The 0-based number of the last move that changed the value; None if none did."""
    blunders = [number for number, verdict in enumerate(verdicts) if verdict.is_blunder]
    return blunders[-1] if blunders else None
