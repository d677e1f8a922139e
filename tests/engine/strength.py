"""How strong each level is on 3x3: exactly, over all lines of play, from both sides.

.venv/bin/python -m tests.engine.strength       prints the table in the README
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine import Board, Cell, Level, Mark, best_moves, move_odds

Policy = Callable[[Board], dict[Cell, float]]
"""How likely a player is to make each move."""


class Results(NamedTuple):
    """How often a player wins, draws and loses."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        return self.win + self.draw / 2


def evenly(cells: tuple[Cell, ...]) -> dict[Cell, float]:
    return {cell: 1 / len(cells) for cell in cells}


@cache
def at_random(board: Board) -> dict[Cell, float]:
    return evenly(board.actions())


@cache
def casual(board: Board) -> dict[Cell, float]:
    """Wins if it can, else blocks if it must, else moves at random."""
    wins = board.winning_cells(board.to_move)
    blocks = board.winning_cells(board.to_move.other)
    return evenly(wins or blocks or board.actions())


@cache
def perfect(board: Board) -> dict[Cell, float]:
    return evenly(best_moves(board))


@cache
def policy_of(level: Level) -> Policy:
    return cache(lambda board: move_odds(board, level))


@cache
def positions_after(board: Board) -> dict[Cell, Board]:
    """By the move that leads there; none where the game is over."""
    return {} if board.is_terminal else {cell: board.result(cell) for cell in board.actions()}


@cache
def as_x(player: Policy, opponent: Policy) -> Results:
    """The exact results of `player` as X against `opponent` as O."""

    @cache
    def results(board: Board) -> tuple[float, float, float]:
        after = positions_after(board)
        if not after:
            winner = board.winner
            return float(winner is Mark.X), float(winner is None), float(winner is Mark.O)
        mover = player if board.to_move is Mark.X else opponent
        totals = [0.0, 0.0, 0.0]
        for cell, odds in mover(board).items():
            if odds > 0:
                for i, share in enumerate(results(after[cell])):
                    totals[i] += odds * share
        return totals[0], totals[1], totals[2]

    return Results(*results(Board()))


def as_o(player: Policy, opponent: Policy) -> Results:
    win, draw, loss = as_x(opponent, player)
    return Results(loss, draw, win)


def on_both_sides(player: Policy, opponent: Policy) -> Results:
    pairs = zip(as_x(player, opponent), as_o(player, opponent), strict=True)
    return Results(*((first + second) / 2 for first, second in pairs))


def table() -> str:
    """Wins / draws / losses in percent, as a Markdown table."""
    opponents = {"random": at_random, "casual": casual, "perfect": perfect}
    lines = [f"| level | {' | '.join(f'against {name}' for name in opponents)} |"]
    lines.append("|---" * (len(opponents) + 1) + "|")
    for level in Level:
        cells = [percent(on_both_sides(policy_of(level), other)) for other in opponents.values()]
        lines.append(f"| {level.name.lower()} | {' | '.join(cells)} |")
    return "\n".join(lines)


def percent(results: Results) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in results)


if __name__ == "__main__":
    print(table())
