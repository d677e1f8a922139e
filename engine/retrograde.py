"""Retrograde analysis: solves all positions of a small game at once, even if play can be endless.

It starts from the final positions and works back. A player who can move to a position that is lost
for the opponent wins; one who can only move to positions that the opponent wins loses. Positions
never decided in this way are draws: neither player can force a win. The endgame tablebases of
chess are made like this (Thompson, *Retrograde Analysis of Certain Endgames*, 1986).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import NamedTuple

from engine.board import Board
from engine.rules import Cell, Rules
from engine.worth import SOON_PLIES, Solution, Value, Worth, terminal_worth

Table = dict[Hashable, Worth]
"""The worth of every won or lost position, by `Board.key`; all others are draws."""


class _SolvedGame(NamedTuple):
    table: Table
    position_count: int
    """How many positions the game has, counting symmetric ones once."""


class TableSolver:
    """Solves the whole game on first use, and keeps a table of the won and lost positions.

    The table takes 1.4 MB for infinite (8 MB while it is made) and 0.1 MB for misère. It ignores
    the ply limit: a win or loss that would come too late is returned as a draw. A board with other
    rules is a ValueError.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @cached_property
    def _solved(self) -> _SolvedGame:
        return _solve_game(Board(self.rules))

    @property
    def table(self) -> Table:
        return self._solved.table

    def solve(self, board: Board) -> Solution:
        """What a position is worth, and best play: to the end, or one move if play never ends."""
        worth = self.worth(board)
        line: list[Cell] = []
        while not board.is_terminal:
            worths = self.analyse(board)
            best = max(worths, key=lambda cell: worths[cell].rank)
            line.append(best)
            board = board.result(best)
            if worth.distance_plies is None:
                break
        return Solution(worth, tuple(line), nodes=self._solved.position_count)

    def worth(self, board: Board) -> Worth:
        if board.rules != self.rules:
            raise ValueError(f"a solver of {self.rules} cannot solve {board.rules}")
        if board.is_terminal:
            return terminal_worth(board)
        plies_left = board.plies_left
        draw = Worth(Value.DRAW, None if self.rules.repeats else plies_left)
        proven = self.table.get(board.key)
        if proven is None or proven.plies_to_end > plies_left:
            return draw
        return proven

    def analyse(self, board: Board) -> dict[Cell, Worth]:
        return {cell: self.worth(board.result(cell)).one_ply_earlier() for cell in board.actions()}

    def losing_replies(self, board: Board, within_plies: int = SOON_PLIES) -> tuple[Cell, ...]:
        return tuple(
            cell
            for cell, worth in self.analyse(board).items()
            if worth.value is Value.LOSS and worth.plies_to_end - 1 <= within_plies
        )


def _solve_game(start: Board) -> _SolvedGame:
    graph = _explore(start)
    return _SolvedGame(_work_back(graph), position_count=len(graph.parents))


class _Graph(NamedTuple):
    """All positions of a game, by `Board.key`: symmetric ones are one."""

    parents: dict[Hashable, list[Hashable]]
    """The positions from which each position is reached by a move."""
    child_counts: dict[Hashable, int]
    """How many positions each unfinished position leads to."""
    ends: Table
    """The worth of every finished position that is no draw."""


def _explore(start: Board) -> _Graph:
    """Find all positions that play can reach, breadth first."""
    graph = _Graph(parents={start.key: []}, child_counts={}, ends={})
    positions = [start]
    for board in positions:  # grows during the loop
        key = board.key
        if board.is_terminal:
            if board.winner:
                graph.ends[key] = terminal_worth(board)
            continue
        children = {child.key: child for child in map(board.result, board.actions())}
        graph.child_counts[key] = len(children)
        for child_key, child in children.items():
            if child_key not in graph.parents:
                graph.parents[child_key] = []
                positions.append(child)
            graph.parents[child_key].append(key)
    return graph


def _work_back(graph: _Graph) -> Table:
    """The worth of every position that is won or lost, by going back from the ends."""
    table = graph.ends.copy()
    undecided_children = graph.child_counts.copy()
    queue = list(table)
    for key in queue:  # grows during the loop, in order of distance
        worth = table[key]
        for parent in graph.parents[key]:
            undecided_children[parent] -= 1
            is_decided = worth.value is Value.LOSS or undecided_children[parent] == 0
            if is_decided and parent not in table:
                table[parent] = worth.one_ply_earlier()
                queue.append(parent)
    return table
