"""Exact answers for small games, also where play may go on for ever: all positions at once.

Retrograde analysis begins at the ends of the game and works back. Whoever can move to a position
that is lost for the other wins; whoever can only move to positions that the other wins loses. What
is never decided like this is a draw: neither can force an end. So are the endgame tables of chess
made (Thompson, *Retrograde Analysis of Certain Endgames*, 1986).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from engine.board import Board
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Solution, Value, Worth, worth_of_end

Table = dict[Hashable, Worth]
"""What is won or lost, by `Board.key`."""


class TableSolver:
    """Solves a game as a whole when it is first asked, and remembers what is won or lost.

    That weighs 1.4 MB for infinite (8 MB while it is found) and 0.1 MB for misère. How many plies
    are left is not in it: an end that would come too late is none.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @cached_property
    def _solved(self) -> tuple[Table, int]:
        return _solve(Board(self.rules))

    @property
    def _table(self) -> Table:
        return self._solved[0]

    @property
    def remembered(self) -> int:
        """How many things it remembers."""
        return len(self._table) if "_solved" in self.__dict__ else 0

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:  # noqa: ARG002 - the table is there
        """What a position is worth, and best play: up to the end, or one move where it has none."""
        worth, line = self.worth(board), list[Cell]()
        after = board
        while not after.is_terminal:
            worths = self.analyse(after)
            line.append(max(worths, key=lambda cell: worths[cell].rank))
            after = after.result(line[-1])
            if worth.distance_plies is None:
                break
        return Solution(worth, tuple(line), nodes=self._solved[1])

    def worth(self, board: Board) -> Worth:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        if board.is_terminal:
            return worth_of_end(board)
        left = board.plies_left
        draw = Worth(Value.DRAW, None if self.rules.repeats else left)
        worth = self._table.get(board.key, draw)
        return worth if (worth.distance_plies or 0) <= left else draw

    def analyse(self, board: Board) -> dict[Cell, Worth]:
        """What each move is worth to the player who makes it; nothing when the game is over."""
        return {cell: self.worth(board.result(cell)).before_the_move() for cell in board.actions()}

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        """The moves after which the other player can force a win within so many plies more."""
        lost = {c: w for c, w in self.analyse(board).items() if w.value is Value.LOSS}
        return tuple(cell for cell, worth in lost.items() if worth.plies_to_end - 1 <= within_plies)


def _solve(start: Board) -> tuple[Table, int]:
    """The table, and how many positions there are, mirror images aside."""
    parents: dict[Hashable, list[Hashable]] = {start.key: []}
    undecided: dict[Hashable, int] = {}
    table: Table = {}
    positions = [start]
    for board in positions:
        own = board.key
        if board.is_terminal:
            if board.winner:
                table[own] = worth_of_end(board)
            continue
        after = {position.key: position for position in map(board.result, board.actions())}
        undecided[own] = len(after)
        for key, position in after.items():
            if key not in parents:
                parents[key] = []
                positions.append(position)
            parents[key].append(own)
    decided = list(table)
    for key in decided:  # in the order of their distances
        for parent in parents[key]:
            undecided[parent] -= 1
            if parent not in table and (table[key].value is Value.LOSS or not undecided[parent]):
                table[parent] = table[key].before_the_move()
                decided.append(parent)
    return table, len(positions)
