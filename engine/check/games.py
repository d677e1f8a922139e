"""Every game that can be played against a program, whatever the other player does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.board import Board, Mark
from engine.rules import Cell

Choose = Callable[[Board], Cell | None]
"""A program: its move on an unfinished board, or None if it gives none, which ends the game."""


def games_against(
    choose: Choose, mark: Mark, board: Board, moves: tuple[Cell, ...] = ()
) -> Iterator[tuple[Cell, ...]]:
    """The moves of each game that reaches its end, from a board on, if the program plays `mark`."""
    if board.is_terminal:
        yield moves
        return
    cells = (choose(board),) if board.to_move is mark else board.actions()
    for cell in cells:
        if cell is not None:
            yield from games_against(choose, mark, board.result(cell), (*moves, cell))
