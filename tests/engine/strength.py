"""How strong each level is: exactly, over all lines of play, from both sides.

.venv/bin/python -m tests.engine.strength       prints the tables in docs/BENCHMARKS.md

Positions are weighed backwards, from the last ply on, one for all mirror images. Near the sixtieth
ply of an infinite game a level is taken to play as it does before: so few games come that far that
no digit of the tables changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import repeat
from operator import add, mul
from typing import NamedTuple

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Cell,
    Level,
    Rules,
    Value,
    best_moves,
    move_odds,
)
from engine.worth import terminal_worth

Policy = Callable[[Board], dict[Cell, float]]
"""How likely a player is to make each move; alike for mirror images."""


class Results(NamedTuple):
    """How often a player wins, draws and loses."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        return self.win + self.draw / 2


def evenly(cells: Sequence[Cell]) -> dict[Cell, float]:
    return {cell: 1 / len(cells) for cell in cells}


def at_random(board: Board) -> dict[Cell, float]:
    return evenly(board.actions())


def casual(board: Board) -> dict[Cell, float]:
    """Wins if it can, else blocks if it must, else moves at random but loses not at once."""
    wins, losing = board.winning_cells(board.to_move), board.losing_cells()
    others = [cell for cell in board.actions() if cell not in losing]
    return evenly(wins or board.forced_cells() or others or losing)


def perfect(board: Board) -> dict[Cell, float]:
    return evenly(best_moves(board))


@cache
def odds_of_levels(board: Board) -> dict[Level, dict[Cell, float]]:
    """Asked of all at once: the engine does not remember every position of a game for long."""
    return {level: move_odds(board, level) for level in Level}


@cache
def policy_of(level: Level) -> Policy:
    return lambda board: odds_of_levels(board)[level]


_ENDS = {Value.WIN: -3, Value.DRAW: -2, Value.LOSS: -1}
"""Where a move leads that ends the game, by what that is worth to its player."""


class Layer(NamedTuple):
    """The unfinished positions with equally many free cells, one for all mirror images.

    They are numbered one after the other, from `first` on; `after` says where each move leads.
    """

    first: int
    boards: list[Board]
    after: list[list[int]]


@cache
def layers(rules: Rules) -> dict[int, Layer]:
    """All unfinished positions, by how many cells are free."""
    boards = [Board(rules)]
    numbers = {boards[0].key: 0}
    found: dict[int, Layer] = {}
    for number, board in enumerate(boards):
        layer = found.setdefault(len(board.free_cells), Layer(number, [], []))
        layer.boards.append(board)
        layer.after.append([])
        for position in map(board.result, board.actions()):
            if position.is_terminal:
                layer.after[-1].append(_ENDS[terminal_worth(position).one_ply_earlier().value])
                continue
            layer.after[-1].append(numbers.setdefault(position.key, len(boards)))
            if len(numbers) > len(boards):
                boards.append(position)
    return found


Moves = list[tuple[tuple[int, ...], tuple[float, ...]]]
"""The first moves of all positions of a layer, the second moves and so on: where they lead, and
how likely each is."""


@cache
def moves_of(policy: Policy, rules: Rules) -> dict[int, Moves]:
    """How a player moves, by how many cells are free."""
    moves = {}
    for free, layer in layers(rules).items():
        odds = [
            [likely.get(cell, 0.0) for cell in board.actions()]
            for board, likely in zip(layer.boards, map(policy, layer.boards), strict=True)
        ]
        moves[free] = list(
            zip(zip(*layer.after, strict=True), zip(*odds, strict=True), strict=True)
        )
    return moves


@cache
def as_x(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    """The exact results of `player` as X against `opponent` as O.

    What a position leads to is one complex number: how often X wins, and O as the imaginary part.
    """
    values = [0j] * sum(len(layer.boards) for layer in layers(rules).values()) + [0j, 0j, 0j]
    for plies in reversed(range(rules.most_plies)):
        mover, values[-3:] = (opponent, [1j, 0, 1]) if plies % 2 else (player, [1, 0, 1j])
        free = rules.free_after(plies)
        first, boards, _ = layers(rules)[free]
        values[first : first + len(boards)] = _expected(moves_of(mover, rules)[free], values)
    win, loss = values[0].real, values[0].imag
    return Results(win, 1 - win - loss, loss)


def _expected(moves: Moves, values: list[complex]) -> list[complex]:
    totals: Iterable[complex] = repeat(0j)
    for places, odds in moves:
        totals = map(add, totals, map(mul, odds, map(values.__getitem__, places)))
    return list(totals)


def as_o(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    win, draw, loss = as_x(opponent, player, rules)
    return Results(loss, draw, win)


def on_both_sides(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    pairs = zip(as_x(player, opponent, rules), as_o(player, opponent, rules), strict=True)
    return Results(*((first + second) / 2 for first, second in pairs))


Columns = dict[str, tuple[Policy, Rules]]
"""The opponents of a table, and the games."""

ON_3X3: Columns = {
    "against random": (at_random, TIC_TAC_TOE),
    "against casual": (casual, TIC_TAC_TOE),
    "against perfect": (perfect, TIC_TAC_TOE),
}
IN_OTHER_GAMES: Columns = {
    "reverse, against casual": (casual, MISERE),
    "reverse, against perfect": (perfect, MISERE),
    "infinite, against casual": (casual, INFINITE),
}


def table(columns: Columns) -> str:
    """Wins / draws / losses in percent, as a Markdown table."""
    lines = [f"| level | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for level in Level:
        player = policy_of(level)
        cells = [percent(on_both_sides(player, *opponent)) for opponent in columns.values()]
        lines.append(f"| {level.name.lower()} | {' | '.join(cells)} |")
    return "\n".join(lines)


def percent(results: Results) -> str:
    return " / ".join(f"{100 * abs(share):.1f}" for share in results)


if __name__ == "__main__":
    print(table(ON_3X3), table(IN_OTHER_GAMES), sep="\n\n")
