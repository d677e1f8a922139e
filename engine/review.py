"""Verdicts on moves, from the solver's proofs, with reasons that players understand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from engine.board import Board, Mark
from engine.reasons import (
    Cause,
    MovesByReason,
    Reason,
    find_allowed,
    find_missed,
    find_reasons,
    main_reason,
    nearest_cause,
    open_line_counts,
)
from engine.rules import TIC_TAC_TOE, Cell, Rules
from engine.solver import solver_of
from engine.worth import Value, Worth, best_actions, value_keeping_actions

_CACHE_SIZE = 5_000
"""1 MB; 3x3 has 4,520 unfinished positions."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a move.

    `worth` is what the move is worth to its player, and `best_worth` what each of `best_actions`
    is; `reason` is the most telling reason that applies. A blunder, or a move that loses, has a
    `cause`; `allowed` is what a move that loses lets the opponent do, which need not be the cause.
    For a move that keeps a draw, `losing_reply_count` is the number of replies that lose soon. It
    is the only move if every other would change the value, and safe if no move would.
    """

    board: Board
    action: Cell
    worth: Worth
    best_worth: Worth
    best_actions: tuple[Cell, ...]
    reason: Reason
    is_only_move: bool
    is_safe: bool
    cause: Cause | None = None
    allowed: Cause | None = None
    losing_reply_count: int = 0

    @property
    def mark(self) -> Mark:
        return self.board.to_move

    @property
    def utility(self) -> int:
        """What best play leads to after the move: +1 if X wins, -1 if O does, 0 for a draw."""
        return self.worth.value.utility(self.mark)

    @property
    def reply_count(self) -> int:
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
        return self.worth.value is self.best_worth.value

    @property
    def is_blunder(self) -> bool:
        """Whether it turned a win into less, or a draw into a loss."""
        return not self.kept_value


class Accuracy(NamedTuple):
    """How many of a player's `critical` moves, those that were not safe, `kept` the value."""

    kept: int = 0
    critical: int = 0

    def with_move(self, *, is_safe: bool, kept_value: bool) -> Accuracy:
        """The accuracy with one more move counted, unless it was safe."""
        if is_safe:
            return self
        return Accuracy(self.kept + kept_value, self.critical + 1)


def accuracy(verdicts: Iterable[Verdict], mark: Mark) -> Accuracy:
    """How often a player kept the value in its critical moves."""
    total = Accuracy()
    for verdict in verdicts:
        if verdict.mark is mark:
            total = total.with_move(is_safe=verdict.is_safe, kept_value=verdict.kept_value)
    return total


def accuracies(moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE) -> dict[Mark, Accuracy]:
    """The accuracy of both players in a game, in a fifth of the time that a review takes.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    totals = dict.fromkeys(Mark, Accuracy())
    for board, action, keeping in _played(moves, rules):
        totals[board.to_move] = totals[board.to_move].with_move(
            is_safe=len(keeping) == len(board.actions()), kept_value=action in keeping
        )
    return totals


def blunders(moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE) -> list[int]:
    """The 0-based numbers of the moves that changed the value, as fast as `accuracies`.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    played = enumerate(_played(moves, rules))
    return [number for number, (_board, action, keeping) in played if action not in keeping]


def _played(moves: Iterable[Cell], rules: Rules) -> Iterator[tuple[Board, Cell, tuple[Cell, ...]]]:
    """Each move of a game: the position, the move, and those that would keep the value."""
    board = Board(rules)
    for action in moves:
        child = board.result(action)
        yield board, action, _moves_keeping_value(board)
        board = child


@lru_cache(_CACHE_SIZE)
def _moves_keeping_value(board: Board) -> tuple[Cell, ...]:
    return value_keeping_actions(solver_of(board.rules).analyse(board))


def review(moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE) -> list[Verdict]:
    """Judge every move of a game that starts on the empty board.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    verdicts: list[Verdict] = []
    board = Board(rules)
    for action in moves:
        child = board.result(action)
        verdicts.append(judge(board, action))
        board = child
    return verdicts


def judge(board: Board, action: Cell) -> Verdict:
    """Judge one legal move of a position."""
    analysis = _Analysis.of(board)
    is_blunder = action not in analysis.keeping
    return _verdict(analysis, action, {} if is_blunder else find_reasons(board, analysis.worths))


def _verdict(analysis: _Analysis, action: Cell, reasons: MovesByReason) -> Verdict:
    board, worths, best_moves, keeping = analysis
    worth, best_worth = worths[action], worths[best_moves[0]]
    is_blunder = action not in keeping
    missed = allowed = None
    if is_blunder and best_worth.value is Value.WIN:
        missed = find_missed(board, best_worth)
    if worth.value is Value.LOSS:
        allowed = find_allowed(board, action, worth)
    cause = nearest_cause(missed, allowed)
    losing_reply_count = 0
    reason = None
    if not is_blunder:
        child = board.result(action)
        if worth.value is Value.DRAW:
            losing_reply_count = len(solver_of(board.rules).losing_replies(child))
        reason = main_reason(action, reasons, losing_reply_count, len(child.actions()))
    if reason is None:
        assert cause is not None, "every move has a merit or is bad"
        reason = cause.reason
    return Verdict(
        board=board,
        action=action,
        worth=worth,
        best_worth=best_worth,
        best_actions=best_moves,
        reason=reason,
        is_only_move=keeping == (action,) and len(worths) > 1,
        is_safe=len(keeping) == len(worths),
        cause=cause,
        allowed=allowed,
        losing_reply_count=losing_reply_count,
    )


class _Analysis(NamedTuple):
    """What the verdicts on all moves of a position share."""

    board: Board
    worths: Mapping[Cell, Worth]
    best_moves: tuple[Cell, ...]
    keeping: tuple[Cell, ...]

    @classmethod
    def of(cls, board: Board) -> _Analysis:
        worths = solver_of(board.rules).analyse(board)
        return cls(board, worths, best_actions(worths), value_keeping_actions(worths))


def advise(board: Board) -> list[Verdict]:
    """Judge every move of a position, the best first; empty when the game is over.

    Equally good moves are ordered by the number of losing replies, the reason, and open lines.
    """
    if board.is_terminal:
        return []
    analysis = _Analysis.of(board)
    reasons = find_reasons(board, analysis.worths)
    verdicts = [_verdict(analysis, action, reasons) for action in analysis.worths]
    best_reason_first = list(Reason)
    own_lines = open_line_counts(board, board.to_move)
    other_lines = open_line_counts(board, board.to_move.other)

    def sort_key(verdict: Verdict) -> tuple[object, ...]:
        return (
            verdict.worth.rank,
            verdict.losing_reply_count,
            -best_reason_first.index(verdict.reason),
            own_lines[verdict.action],
            other_lines[verdict.action],
        )

    return sorted(verdicts, key=sort_key, reverse=True)


def best_reply(board: Board, action: Cell) -> Verdict | None:
    """The best reply to a move, judged; None if the move ends the game."""
    replies = advise(board.result(action))
    return replies[0] if replies else None


def line_of_play(verdict: Verdict) -> tuple[Cell, ...]:
    """Best play that shows why a move is bad, where the lines of the board do not.

    It follows the move that loses, or stands in the place of one that gave a win away.
    """
    if verdict.cause is None or verdict.cause.cells:
        return ()
    board = verdict.board
    if verdict.reason is Reason.LOSES:
        board = board.result(verdict.action)
    return solver_of(board.rules).solve(board).principal_variation


def refutation(verdict: Verdict, played: Cell | None = None, plies: int = 3) -> list[Verdict]:
    """The first `plies` of best play after a move that loses, each judged; the reply comes first.

    That is the one that was `played`, if it is among the best. Empty if the move does not lose, or
    if it has ended the game.
    """
    board = verdict.board.result(verdict.action)
    if verdict.worth.value is not Value.LOSS or board.is_terminal:
        return []
    assert verdict.allowed is not None, "a move that loses allows something"
    solver = solver_of(board.rules)
    best = best_actions(solver.analyse(board))
    named = [cell for cell in (played, *verdict.allowed.cells) if cell in best]
    reply = named[0] if named else solver.solve(board).principal_variation[0]
    line = (reply, *solver.solve(board.result(reply)).principal_variation)[:plies]
    boards = accumulate(line, Board.result, initial=board)
    return [judge(before, cell) for before, cell in zip(boards, line, strict=False)]


def turning_point(verdicts: Sequence[Verdict]) -> int | None:
    """The 0-based number of the last move that changed the value; None if none did."""
    numbers = [number for number, verdict in enumerate(verdicts) if verdict.is_blunder]
    return numbers[-1] if numbers else None
