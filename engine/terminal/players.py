"""Players that the terminal offers: a level, or a search that counts its visits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.board import Board
from engine.lessons import Way
from engine.levels import Level, choose_move
from engine.rules import Cell
from engine.solver import solve


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and the number of positions visited to find it, if counted."""

    cell: Cell
    visits: int | None = None


Player = Callable[[Board], Choice]
"""A function that picks a move on a board."""


def level_player(level: Level, rng: random.Random) -> Player:
    return lambda board: Choice(choose_move(board, level, rng))


def _search_player(way: Way) -> Player:
    def choose(board: Board) -> Choice:
        result = way.search(board)
        return Choice(result.best_actions[0], result.nodes)

    return choose


def _solver_player(board: Board) -> Choice:
    solution = solve(board)
    return Choice(solution.principal_variation[0], solution.nodes)


SEARCHES: dict[str, Player] = {
    "alphabeta": _search_player(Way.PRUNED),
    "minimax": _search_player(Way.PLAIN),
    "solver": _solver_player,
}
