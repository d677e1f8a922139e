"""Playing strength: what a player of each level sees, and what it misses.

Beginners do not search less deeply, nor blunder at random: they fail to *see* things. A level is
how often its player sees a win, sees that it must block, and finds the best move. Depth limits
make no such ladder: two plies play like three, four like five, and then comes a cliff.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, unique
from functools import lru_cache

from engine.board import Board
from engine.openings import canonical
from engine.rules import Cell
from engine.solver import solver_of
from engine.worth import Value, best_actions

_MAX_PLIES_FOR_EXACT_ODDS = 9
_ROUNDING_ERROR = 1e-9
_CACHE_SIZE = 5_000  # 2 MB; 3x3 has 4,520 unfinished positions


@unique
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
    remaining = 1.0
    for chance, moves in _candidates(board, level):
        if remaining * chance > 0:
            candidates = moves()
            for cell in candidates:
                odds[cell] += remaining * chance / len(candidates)
        remaining *= 1 - chance
    return odds


_Moves = Callable[[], Sequence[Cell]]


def _candidates(board: Board, level: Level) -> Iterator[tuple[float, _Moves]]:
    """Sets of moves in order, each with the chance of seeing it; the last set is all moves."""
    if board.is_terminal:
        return
    if wins := board.winning_cells(board.to_move):
        yield level.sees_win, lambda: wins
    elif blocks := board.forced_cells():
        yield level.sees_block, lambda: blocks
    else:
        find_best = _traps if level.sets_traps else best_moves
        yield level.sees_best, lambda: find_best(board)
        if losing := board.losing_cells():
            safe = [cell for cell in board.actions() if cell not in losing]
            moves = safe or losing
            yield level.sees_block, lambda: moves
    yield 1.0, board.actions


@lru_cache(_CACHE_SIZE)
def best_moves(board: Board) -> tuple[Cell, ...]:
    """The moves that win the fastest, or draw, or lose the slowest, in reading order."""
    return best_actions(solver_of(board.rules).analyse(board))


@lru_cache(_CACHE_SIZE)
def _traps(board: Board) -> tuple[Cell, ...]:
    """The best moves against which an opponent who moves at random is most likely to lose.

    In games longer than those of 3x3, only replies that lose soon count, by their number.
    """
    is_short = board.rules.most_plies <= _MAX_PLIES_FOR_EXACT_ODDS
    rate = _loss_chance if is_short else _losing_reply_count
    ratings = {cell: rate(board.result(cell)) for cell in best_moves(board)}
    highest = max(ratings.values())
    return tuple(cell for cell, rating in ratings.items() if rating > highest - _ROUNDING_ERROR)


def _losing_reply_count(board: Board) -> float:
    return len(solver_of(board.rules).losing_replies(board))


def _loss_chance(board: Board) -> float:
    """The probability of losing for a player to move who moves at random."""
    return _canonical_loss_chance(canonical(board))


@lru_cache(_CACHE_SIZE)
def _canonical_loss_chance(board: Board) -> float:
    if solver_of(board.rules).worth(board).value is Value.LOSS:
        return 1.0
    if board.is_terminal:
        return 0.0
    chances = [_loss_chance_after(board.result(cell)) for cell in board.actions()]
    return sum(chances) / len(chances)


def _loss_chance_after(board: Board) -> float:
    """The probability that the player who moves at random loses; its opponent is to move."""
    if solver_of(board.rules).worth(board).value is Value.WIN:
        return 1.0
    if board.is_terminal:
        return 0.0
    return max(_loss_chance(board.result(cell)) for cell in best_moves(board))
