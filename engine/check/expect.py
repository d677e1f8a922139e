"""Whether a `minimax` cuts as alpha-beta does, seen by the calls of `result` that it makes.

The cut that is looked for is that of a draw against a draw: neither a memory nor stopping at a win
makes it. At four free cells it is made two moves later, even if each first move is asked about with
open bounds: one move is known to lead to a draw, a reply to another one makes that no better, so
the other replies need not be read. Which these are depends on the order: it is the learner's own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.board import Board, Mark
from engine.check.checks import to_action
from engine.check.finding import Finding, FindingKind
from engine.check.learner import LearnerFile
from engine.check.process import WorkerLostError, drawing_of
from engine.check.report import FunctionReport, UnjudgedReason
from engine.check.tree_search import Fault
from engine.rules import Cell

_BOARDS = [
    Board.parse(drawing)
    for drawing in (
        *("x.. o.x x.o", "xox ... .xo", "ox. x.. .ox", ".xo o.x x.."),
        *(".ox x.. ox.", "..x x.o o.x", "x.o o.x x..", "x.. o.x .xo"),
    )
]
"""With four free cells; in most orders, alpha-beta leaves out a board that can't be met again."""

Move = tuple[Board, Cell]


def expect_cuts(file: LearnerFile, report: FunctionReport) -> None:
    """Add to the report on a right `minimax` that it reads what alpha-beta would cut off.

    Each board is asked about in a fresh process, so that nothing is remembered.
    """
    on_trees = report.on_trees
    if on_trees and on_trees.finding and on_trees.finding.fault is not Fault.MANY:
        report.add(Finding(FindingKind.NOT_ALPHA_BETA))
        return
    are_cuts_seen = False
    for board in _BOARDS:
        moves = _moves_read(file, board)
        order = {move: index for index, move in reversed([*enumerate(moves)])}
        read_on = {before: index for index, (before, _) in reversed([*enumerate(moves)])}
        other_order = {move: read_on.get(move[0].result(move[1]), math.inf) for move in order}
        # It may make all states first and sort them then: what must be read in either order is.
        reading, sorted_later = _Reading(order), _Reading(other_order)
        for each in (reading, sorted_later):
            each.first_moves(board)
        for finding, after in reading.spared():
            if after in sorted_later.read:
                continue
            are_cuts_seen = are_cuts_seen or board in read_on
            if after in read_on:
                report.add(finding)
                report.wrong_for.clear()  # it isn't the player who makes it wrong
                return
    if not are_cuts_seen:
        report.reason = UnjudgedReason.UNSEEN


def _moves_read(file: LearnerFile, board: Board) -> Sequence[Move]:
    """The moves that `minimax` tries by calling `result`, in its order."""
    try:
        with file.fresh() as (worker, _):
            (receive,) = worker.answers("minimax", [board], traced=True)
            answer = receive(file.limits.call)
    except WorkerLostError:
        return ()
    boards = {drawing_of(after): after for after in _unfinished(board)}
    cells = {to_action(cell): cell for cell in board.rules.cells}
    return [
        (boards[drawing], cells[action])
        for drawing, action in answer.said.trace
        if drawing in boards and cells.get(action) in boards[drawing].free_cells
    ]


def _unfinished(board: Board) -> set[Board]:
    """A board and what may follow, but for finished games."""
    if board.is_terminal:
        return set()
    return {board}.union(*(_unfinished(board.result(cell)) for cell in board.actions()))


class _Cut(NamedTuple):
    """On a board one move is a `draw`; a `reply` makes another `move` no better: `rest` is cut."""

    board: Board
    draw: Cell
    move: Cell
    reply: Cell
    rest: Sequence[Cell]


@dataclass
class _Reading:
    """Alpha-beta with the moves in a given order: the boards it reads on from, and its cuts."""

    order: Mapping[Move, float]
    read: set[Board] = field(default_factory=set)
    cuts: list[_Cut] = field(default_factory=list)

    def first_moves(self, board: Board) -> None:
        self.read.add(board)
        for cell in board.actions():
            self._value(board.result(cell), -math.inf, math.inf, None)

    def spared(self) -> list[tuple[Finding, Board]]:
        """The boards that need not be read on from, each with what is to be said if it is."""
        found = []
        for board, draw, move, reply, rest in self.cuts:
            for cell in rest:
                after = board.result(move).result(cell)
                if not after.is_terminal and after not in self.read:
                    better, action, family, got = (
                        str(to_action(each)) for each in (draw, move, reply, cell)
                    )
                    kind = FindingKind.NOT_CUT
                    found.append((Finding(kind, board, got, better, family, action), after))
        return found

    def _value(
        self, board: Board, alpha: float, beta: float, before: tuple[Board, Cell, Cell] | None
    ) -> float:
        """The value of a board, or a bound of it.

        `before` is the board before, the move that set the bound there, and the one that led here.
        Wins are not cut off by wins: who looks for the soonest reads on.
        """
        if board.is_terminal:
            return board.utility
        self.read.add(board)
        sign = 1 if board.to_move is Mark.X else -1
        best, best_cell = -math.inf, -1
        cells = sorted(board.actions(), key=lambda cell: self.order.get((board, cell), math.inf))
        for index, cell in enumerate(cells, start=1):
            value = sign * self._value(board.result(cell), alpha, beta, (board, best_cell, cell))
            if value > best:
                best, best_cell = value, cell
            if sign == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, -best)
            if alpha == beta == 0 and before:
                self.cuts.append(_Cut(*before, cell, cells[index:]))
            if alpha > beta or alpha == beta == 0:
                break
        return sign * best
