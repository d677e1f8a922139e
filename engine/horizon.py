"""Looking only so far ahead: where the end is out of reach, a guess takes its place."""

from __future__ import annotations

from dataclasses import dataclass

from engine.alphabeta import search
from engine.board import Board
from engine.rules import Cell
from engine.solver import solver_of
from engine.worth import Worth


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a search finds that looks `depth` plies ahead, and what comes of it.

    `guess` is the difference in open lines that it goes by; None where it sees the game won or
    lost. `truly` is what the opponent has once `action` is played, as the solver knows.
    """

    depth: int
    action: Cell
    guess: int | None
    truly: Worth


def line_balance(board: Board) -> int:
    """How promising a position looks: the lines that only X can still complete less those of O.

    A line without marks counts for both, so for neither.
    """
    masks = board.rules.line_masks
    return sum(not mask & board.o for mask in masks) - sum(not mask & board.x for mask in masks)


def look_ahead(board: Board, depth: int) -> Glimpse:
    """The first best move, by open lines, of those who look so many plies ahead.

    Raises:
        ValueError: The depth is less than one ply.
        IndexError: The game is over.
    """
    one = len(board.rules.lines) + 1  # so that no guess is as good as a win
    found = search(board, depth_limit=depth, evaluate=lambda position: line_balance(position) / one)
    action = found.best_actions[0]
    guess = None if abs(found.value) == 1 else round(found.value * one)
    return Glimpse(depth, action, guess, solver_of(board.rules).worth(board.result(action)))
