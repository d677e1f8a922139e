"""Depth-limited search: where the end is out of reach, a heuristic takes its place."""

from __future__ import annotations

from dataclasses import dataclass

from engine.alphabeta import search
from engine.board import Board
from engine.rules import Cell
from engine.solver import solver_of
from engine.worth import Worth


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The move that a search of `depth` plies picks, and what it is really worth.

    `guess` is the line balance (large for X) that the search expects; None for a win or loss.
    `proven_worth` is the proven worth of the position after `action`, to the opponent.
    """

    depth: int
    action: Cell
    guess: int | None
    proven_worth: Worth


def line_balance(board: Board) -> int:
    """A heuristic: the number of lines that X can still complete, minus the number that O can.

    Lines without marks count for both, and cancel out.
    """
    masks = board.rules.line_masks
    return sum(not mask & board.o for mask in masks) - sum(not mask & board.x for mask in masks)


def look_ahead(board: Board, depth: int) -> Glimpse:
    """Pick the first best move of a search of `depth` plies that evaluates by line balance.

    Raises:
        ValueError: The depth is less than one ply.
        IndexError: The game is over.
    """
    one = len(board.rules.lines) + 1  # keeps every estimate below the value of a win
    found = search(board, depth_limit=depth, evaluate=lambda position: line_balance(position) / one)
    action = found.best_actions[0]
    guess = None if abs(found.value) == 1 else round(found.value * one)
    return Glimpse(depth, action, guess, solver_of(board.rules).worth(board.result(action)))
