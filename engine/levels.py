"""Playing strength: what a player of each level sees, and what it misses.

Beginners do not search less deeply, nor blunder at random: they fail to *see* things. A level is
how often its player sees a win, sees that it must block, and finds the best move. Depth limits
make no such ladder: two plies play like three, four like five, and then comes a cliff.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from engine.board import Board
from engine.rules import Cell
from engine.solver import solver_of
from engine.worth import Value

_TRAPS_TO_THE_END_UP_TO_PLIES = 9
_REMEMBERED_BOARDS = 5_000  # 2 MB; 3x3 has 4,520 unfinished positions


class Level(Enum):
    """The chances of seeing a win, a block and the best move, and whether the level sets traps.

    In misère, the need to avoid completing a line is seen as often as a block.
    """

    CHILD = (0.40, 0.25, 0.00, False)
    EASY = (0.75, 0.55, 0.10, False)
    MEDIUM = (0.92, 0.80, 0.35, False)
    HARD = (0.98, 0.93, 0.65, False)
    EXPERT = (1.00, 0.99, 0.90, False)
    PERFECT = (1.00, 1.00, 1.00, False)
    IMPOSSIBLE = (1.00, 1.00, 1.00, True)

    def __init__(
        self,
        sees_win: float,
        sees_block: float,
        sees_best: float,
        sets_traps: bool,  # noqa: FBT001 - an enum's values come by position
    ) -> None:
        self.sees_win = sees_win
        self.sees_block = sees_block
        self.sees_best = sees_best
        self.sets_traps = sets_traps


def choose_move(board: Board, level: Level, rng: random.Random) -> Cell:
    """A legal move for the player to move, as `level` would choose it.

    Raises:
        ValueError: The game is over.
    """
    for chance, moves in _candidates(board, level):
        if rng.random() < chance:
            return rng.choice(moves())
    raise ValueError(f"the game is over: {board}")


def move_odds(board: Board, level: Level) -> dict[Cell, float]:
    """The probability of each legal move at a level; empty when the game is over."""
    odds = dict.fromkeys(board.actions(), 0.0)
    unseen = 1.0
    for chance, moves in _candidates(board, level):
        if unseen * chance > 0:
            candidates = moves()
            for cell in candidates:
                odds[cell] += unseen * chance / len(candidates)
        unseen *= 1 - chance
    return odds


_Moves = Callable[[], Sequence[Cell]]


def _candidates(board: Board, level: Level) -> Iterator[tuple[float, _Moves]]:
    """Candidate moves in order, each set with the chance of seeing it; the last is any move."""
    if board.is_terminal:
        return
    wins = board.winning_cells(board.to_move)
    blocks = board.forced_cells()
    if wins:
        yield level.sees_win, lambda: wins
    elif blocks:
        yield level.sees_block, lambda: blocks
    else:
        yield level.sees_best, lambda: _traps(board) if level.sets_traps else best_moves(board)
        if losing := board.losing_cells():
            others = [cell for cell in board.actions() if cell not in losing]
            yield level.sees_block, lambda: others or losing
    yield 1.0, board.actions


@lru_cache(_REMEMBERED_BOARDS)
def best_moves(board: Board) -> tuple[Cell, ...]:
    """The moves that win the fastest, or draw, or lose the slowest, in reading order."""
    worths = solver_of(board.rules).analyse(board)
    best = max(worth.rank for worth in worths.values())
    return tuple(cell for cell, worth in worths.items() if worth.rank == best)


@lru_cache(_REMEMBERED_BOARDS)
def _traps(board: Board) -> tuple[Cell, ...]:
    """The best moves against which an opponent who moves at random is most likely to lose.

    In games longer than those of 3x3, only replies that lose soon count, by their number.
    """
    best = best_moves(board)
    to_the_end = board.rules.most_plies <= _TRAPS_TO_THE_END_UP_TO_PLIES
    hope = _loss_chance if to_the_end else _soon_lost
    hopes = {cell: hope(board.result(cell)) for cell in best}
    highest = max(hopes.values())
    return tuple(cell for cell in best if hopes[cell] > highest - 1e-9)


def _soon_lost(board: Board) -> float:
    return len(solver_of(board.rules).losing_replies(board))


@lru_cache(_REMEMBERED_BOARDS)
def _loss_chance(board: Board) -> float:
    """The probability of losing for a player to move who moves at random."""
    if solver_of(board.rules).worth(board).value is Value.LOSS:
        return 1.0
    if board.is_terminal:
        return 0.0
    outcomes = [_loss_chance_after(board.result(cell)) for cell in board.actions()]
    return sum(outcomes) / len(outcomes)


def _loss_chance_after(board: Board) -> float:
    """The same after the random player has moved: the opponent picks the best trap."""
    if solver_of(board.rules).worth(board).value is Value.WIN:
        return 1.0
    if board.is_terminal:
        return 0.0
    return max(_loss_chance(board.result(cell)) for cell in best_moves(board))
