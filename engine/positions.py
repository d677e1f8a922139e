"""Every position that play can reach: on 3x3 there are 5,478."""

from __future__ import annotations

from engine.board import Board


def reachable(start: Board) -> list[Board]:
    """The positions that play can reach from this one, itself included, in breadth-first order.

    They are all kept in memory, so this is for boards of nine cells only.
    """
    found, positions = {start}, [start]
    for board in positions:
        after = [board.result_unchecked(cell) for cell in board.actions()]
        positions += [position for position in after if position not in found]
        found.update(after)
    return positions
