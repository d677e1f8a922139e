"""How strong to play: what a player of each level sees, and what it misses.

Beginners do not search less deeply, nor blunder at random: they fail to *see* things. A level
is how often its player sees a win, sees that it must block, and thinks the position through.
"""

from __future__ import annotations

import random
from enum import Enum

from engine.alphabeta import minimax
from engine.board import Board, Cell, Mark


class Level(Enum):
    """How often each is seen: a win, a block, and the best move (probabilities)."""

    EASY = (0.40, 0.25, 0.00)
    MEDIUM = (0.92, 0.80, 0.35)
    IMPOSSIBLE = (1.00, 1.00, 1.00)

    def __init__(self, sees_win: float, sees_block: float, plans: float) -> None:
        self.sees_win = sees_win
        self.sees_block = sees_block
        self.plans = plans


def choose_move(board: Board, level: Level, rng: random.Random) -> Cell:
    """A legal move for the player to move, as `level` would choose it.

    Raises:
        ValueError: The game is over.
    """
    if board.is_terminal:
        raise ValueError(f"the game is over: {board}")
    wins = winning_cells(board, board.to_move)
    blocks = winning_cells(board, board.to_move.other)
    if wins and rng.random() < level.sees_win:
        return rng.choice(wins)
    if not wins and blocks and rng.random() < level.sees_block:
        return rng.choice(blocks)
    if rng.random() < level.plans:
        best = minimax(board, rng)
        assert best is not None, "an unfinished game has a best move"
        return best
    return rng.choice(board.actions())


def winning_cells(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells, in reading order, that would complete a line for `mark`."""
    held = board.marks(mark)
    return tuple(cell for cell in board.actions() if board.rules.completed(held | 1 << cell))
