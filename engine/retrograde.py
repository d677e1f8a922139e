"""Exact solutions of small games, even where play may go on for ever: all positions at once.

Retrograde analysis starts from the final positions and works back. A player who can move to a
position that is lost for the opponent wins; one who can only move to positions that the opponent
wins loses. Positions never decided in this way are draws: neither player can force a win. Endgame
tablebases of chess are made like this (Thompson, *Retrograde Analysis of Certain Endgames*, 1986).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from engine.board import Board
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Solution, Value, Worth, worth_of_end

Table = dict[Hashable, Worth]
"""The worth of every won or lost position, by `Board.key`; all others are draws."""


class TableSolver:
    """Solves the whole game on first use, and keeps a table of the won and lost positions.

    The table takes 1.4 MB for infinite (8 MB while it is made) and 0.1 MB for misère. It does not
    know how many plies are left: a win or loss that would come too late is answered as a draw.
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
        return len(self._table) if "_solved" in self.__dict__ else 0

    def solve(self, board: Board, *, node_budget: int | None = None) -> Solution:  # noqa: ARG002 - the table is there
        """What a position is worth, and best play: to the end, or one move if play never ends."""
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
        return {cell: self.worth(board.result(cell)).one_ply_earlier() for cell in board.actions()}

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        lost = {c: w for c, w in self.analyse(board).items() if w.value is Value.LOSS}
        return tuple(cell for cell, worth in lost.items() if worth.plies_to_end - 1 <= within_plies)


def _solve(start: Board) -> tuple[Table, int]:
    """The table, and how many positions the game has, counting mirror images once."""
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
    for key in decided:  # grows meanwhile, in order of distance
        for parent in parents[key]:
            undecided[parent] -= 1
            if parent not in table and (table[key].value is Value.LOSS or not undecided[parent]):
                table[parent] = table[key].one_ply_earlier()
                decided.append(parent)
    return table, len(positions)
