"""The daily puzzles: positions in which exactly one move wins, or holds the draw."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path

from engine.board import Board, Mark
from engine.reasons import Reason, find_reasons, main_reason
from engine.rules import Cell
from engine.solver import solver_of
from engine.variants import rules_named
from engine.worth import Value, Worth, value_keeping_actions

TRIES = 3
"""How often one may try to solve a puzzle."""
FILE = Path(__file__).with_name("puzzles.txt")
"""One position per line, for one day each from a Monday on; no two are symmetric.

`tests/engine/make_puzzles.py` generates the file, and describes how.
"""
_FIRST_DAY = date(1, 1, 1).toordinal()  # a Monday
_MAX_PLIES_OF_EASY = 3
_MAX_PLIES_OF_MEDIUM = 5


class Grade(IntEnum):
    """How hard a puzzle is: how far ahead one has to look."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


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
        if self.depth_plies <= _MAX_PLIES_OF_EASY:
            return Grade.EASY
        if self.depth_plies <= _MAX_PLIES_OF_MEDIUM:
            return Grade.MEDIUM
        return Grade.HARD

    @property
    def reason(self) -> Reason:
        reason = main_reason(self.solution, find_reasons(self.board, self.worths))
        assert reason is not None, "the solution wins, or is the only move that draws"
        return reason


@lru_cache(maxsize=8)
def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    puzzle = puzzle_from(daily_position(day))
    assert puzzle is not None, "every position in the file makes a puzzle"
    return puzzle


def daily_position(day: date) -> Board:
    """The position of a day's puzzle, without solving it."""
    positions = puzzle_positions()
    return positions[(day.toordinal() - _FIRST_DAY) % len(positions)]


@cache
def puzzle_positions() -> tuple[Board, ...]:
    """The position of each day, from a Monday on."""
    rows = [row.split(maxsplit=1) for row in FILE.read_text(encoding="ascii").splitlines()]
    return tuple(Board.parse(text, rules_named(name)) for name, text in rows)


def puzzle_from(board: Board) -> Puzzle | None:
    """The puzzle that a position makes; None for most positions.

    It makes none if it has several solutions, no more free cells than `TRIES`, or is obvious: the
    player to move can win or lose at once, or has to block.
    """
    is_obvious = board.winning_cells(board.to_move) or board.losing_cells() or board.forced_cells()
    if is_obvious or len(board.actions()) <= TRIES:
        return None
    worths = solver_of(board.rules).analyse(board)
    solutions = value_keeping_actions(worths)
    if len(solutions) != 1:
        return None
    (solution,) = solutions
    return Puzzle(board, worths, solution, line=_solution_line(board, solution))


def _solution_line(board: Board, solution: Cell) -> tuple[Cell, ...]:
    board = board.result(solution)
    best_play = solver_of(board.rules).solve(board)
    if best_play.value is not Value.DRAW:
        return solution, *best_play.principal_variation
    if best_play.distance_plies is None:
        return (solution,)
    line = [solution]
    for cell in best_play.principal_variation:
        if not any(board.open_lines(mark) for mark in Mark):
            break
        line.append(cell)
        board = board.result(cell)
    return tuple(line)
