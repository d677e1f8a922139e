"""A puzzle for every day: a position in which one move, and only one, wins or holds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import lru_cache
from typing import TypeVar

from engine.board import Board, winning_cells
from engine.reasons import Reason, names_of, reason_among
from engine.rules import TIC_TAC_TOE, Cell, Rules
from engine.solver import solver_of
from engine.worth import Value, Worth

TRIES = 3

Choice = TypeVar("Choice")


class Grade(IntEnum):
    """How hard a puzzle is: how far its proof looks ahead."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


_GRADES_BY_WEEKDAY = (*[Grade.EASY] * 2, *[Grade.MEDIUM] * 3, *[Grade.HARD] * 2)
"""The week begins easily, on Monday, as it does with crosswords."""

_GRADES_UP_TO_PLIES = {3: Grade.EASY, 5: Grade.MEDIUM}

_WHERE_FOUND = {
    Grade.EASY: (
        (TIC_TAC_TOE, range(4, 6)),
        (Rules(4, 4, 4), range(8, 12)),
        (Rules(5, 5, 4), range(8, 13)),
    ),
    Grade.MEDIUM: (
        (Rules(4, 4, 4), range(8, 9)),
        (Rules(5, 5, 4), range(8, 12)),
    ),
    Grade.HARD: ((Rules(5, 5, 4), range(8, 13)),),
}
"""On which boards, with how many marks, there are many such puzzles and they are found soon."""


@dataclass(frozen=True)
class Puzzle:
    """A position, what every move is worth to the player to move, and the one that solves it.

    `line` is best play by both sides, the solution first.
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
        """How far one has to look to see that the move wins, or that every other one loses."""
        if self.value is Value.WIN:
            return self.worths[self.solution].distance_plies
        others = (worth for cell, worth in self.worths.items() if cell != self.solution)
        return max(worth.distance_plies for worth in others)

    @property
    def grade(self) -> Grade:
        deep_enough = (plies for plies in _GRADES_UP_TO_PLIES if self.depth_plies <= plies)
        return _GRADES_UP_TO_PLIES.get(next(deep_enough, 0), Grade.HARD)

    @property
    def reason(self) -> Reason | None:
        return reason_among(self.solution, names_of(self.board, self.worths))


@lru_cache(maxsize=8)
def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day: the same for everybody, wherever and whenever it is asked for."""
    rng = random.Random(day.isoformat())
    grade = _GRADES_BY_WEEKDAY[day.weekday()]
    places = _WHERE_FOUND[grade]
    rules, sizes = places[day.toordinal() % len(places)]
    while True:
        puzzle = _puzzle_in(_some_position(rules, _any(sizes, rng), rng))
        if puzzle is not None and puzzle.grade is grade:
            return puzzle


def _some_position(rules: Rules, marks: int, rng: random.Random) -> Board:
    """A position from a game of two who move at random, after so many moves or at its end."""
    board = Board(rules)
    while (board.x | board.o).bit_count() < marks and not board.is_terminal:
        board = board.result(_any(board.actions(), rng))
    return board


def _any(choices: Sequence[Choice], rng: random.Random) -> Choice:
    """One of them; `random()`, unlike `choice`, is alike in every Python."""
    return choices[int(rng.random() * len(choices))]


def _puzzle_in(board: Board) -> Puzzle | None:
    """The puzzle that a position makes; most are over, obvious, or have more than one answer."""
    own, other = board.to_move, board.to_move.other
    if board.is_terminal or winning_cells(board, own) or winning_cells(board, other):
        return None
    solver = solver_of(board.rules)
    worths = solver.analyse(board)
    best = max(worth.value for worth in worths.values())
    keeping = [cell for cell, worth in worths.items() if worth.value is best]
    if len(keeping) != 1 or len(worths) == 1:
        return None
    solution = keeping[0]
    answers = solver.solve(board.result(solution)).principal_variation
    return Puzzle(board, worths, solution, line=(solution, *answers))
