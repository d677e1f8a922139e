"""Open lines: those that a player can still complete, and the threats that follow from them."""

from __future__ import annotations

from engine.board import Board
from engine.grid import Mark
from engine.rules import Cell

Lines = list[int]
"""Lines, each as the bit set of its missing cells: those its player does not hold yet."""


def open_lines(board: Board, mark: Mark) -> Lines:
    """The missing cells of every line that `mark` can still complete."""
    own = board.mask_of(mark)
    opponent = board.mask_of(mark.other)
    return [line & ~own for line in board.rules.line_masks if not line & opponent]


def open_line_counts(board: Board, mark: Mark) -> dict[Cell, int]:
    """For each free cell, how many lines through it `mark` can still complete."""
    lines = open_lines(board, mark)
    return {cell: _count_through(cell, lines) for cell in board.actions()}


def threats(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells with which `mark` would threaten to complete a line."""
    lines = _lines_with_two_missing(board, mark)
    return tuple(cell for cell in board.actions() if _count_through(cell, lines) >= 1)


def double_threats(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells with which `mark` would make at least two threats at once: forks."""
    lines = _lines_with_two_missing(board, mark)
    return tuple(cell for cell in board.actions() if _count_through(cell, lines) >= 2)


def _lines_with_two_missing(board: Board, mark: Mark) -> Lines:
    """The open lines with two missing cells; those that miss the same two cells count once."""
    lines = set(open_lines(board, mark))
    return [line for line in lines if line.bit_count() == 2]


def _count_through(cell: Cell, lines: Lines) -> int:
    return sum(line >> cell & 1 for line in lines)
