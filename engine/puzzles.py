"""A puzzle for every day: a position in which exactly one move wins, or holds the draw."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path

from engine.and_or import open_lines
from engine.board import Board
from engine.grid import Mark
from engine.reasons import Reason, names_of, reason_among
from engine.rules import Cell
from engine.solver import solver_of
from engine.variants import rules_named
from engine.worth import Value, Worth

TRIES = 3
FILE = Path(__file__).with_name("puzzles.txt")
"""One position per line, for one day each from a Monday on; no two are mirror images.

`tests/engine/make_puzzles.py` generates the file, and describes how.
"""


class Grade(IntEnum):
    """How hard a puzzle is: how far its proof looks ahead."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


_A_MONDAY = date(1, 1, 1).toordinal()


@dataclass(frozen=True)
class Puzzle:
    """A position, what each move is worth to the player to move, and the move that solves it.

    `line` is best play by both sides from the solution to the win, or until no line can be
    completed any more; where play has no end, it is the solution alone.
    """

    board: Board
    worths: dict[Cell, Worth]
    solution: Cell
    line: tuple[Cell, ...]

    @property
    def value(self) -> Value:
        """What there is to find: a win, or a draw where every other move loses."""
        return self.worths[self.solution].value

    @property
    def depth_plies(self) -> int:
        """How many plies one has to look ahead to see that the solution wins, or holds the draw.

        For a draw, it is the length of the longest win that the opponent has after another move.
        Moves that threaten to win are ignored if others are left: they only delay the loss.
        """
        if self.value is Value.WIN:
            return self.worths[self.solution].plies_to_end
        others = [cell for cell in self.worths if cell != self.solution]
        quiet = [cell for cell in others if not self._threatens(cell)]
        return max(self.worths[cell].plies_to_end for cell in quiet or others) - 1

    def _threatens(self, cell: Cell) -> bool:
        return bool(self.board.result(cell).winning_cells(self.board.to_move))

    @property
    def grade(self) -> Grade:
        plies = self.depth_plies
        return Grade.EASY if plies <= 3 else Grade.MEDIUM if plies <= 5 else Grade.HARD

    @property
    def reason(self) -> Reason | None:
        return reason_among(self.solution, names_of(self.board, self.worths))


@lru_cache(maxsize=8)
def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    positions = table()
    puzzle = puzzle_in(positions[(day.toordinal() - _A_MONDAY) % len(positions)])
    assert puzzle is not None, "every position of the table is one"
    return puzzle


@cache
def table() -> tuple[Board, ...]:
    """The position of each day, from a Monday on."""
    lines = [line.split(maxsplit=1) for line in FILE.read_text(encoding="ascii").splitlines()]
    return tuple(Board.parse(drawing, rules_named(name)) for name, drawing in lines)


def puzzle_in(board: Board) -> Puzzle | None:
    """The puzzle that a position makes; None for most positions.

    It makes none if it has several solutions, no more free cells than `TRIES`, or is obvious: the
    player to move can win or lose at once, or has to block.
    """
    urgent = board.winning_cells(board.to_move) or board.losing_cells() or board.forced_cells()
    if urgent or len(board.actions()) <= TRIES:
        return None
    worths = solver_of(board.rules).analyse(board)
    best = max(worth.value for worth in worths.values())
    keeping = [cell for cell, worth in worths.items() if worth.value is best]
    if len(keeping) != 1:
        return None
    return Puzzle(board, worths, solution=keeping[0], line=_line(board, keeping[0]))


def _line(board: Board, solution: Cell) -> tuple[Cell, ...]:
    after = board.result(solution)
    best_play = solver_of(board.rules).solve(after)
    if best_play.value is not Value.DRAW:
        return solution, *best_play.principal_variation
    if best_play.distance_plies is None:
        return (solution,)
    line = [solution]
    for cell in best_play.principal_variation:
        if not any(open_lines(after, mark) for mark in Mark):
            break
        line.append(cell)
        after = after.result(cell)
    return tuple(line)
