"""How strong each level is: exact results over all lines of play, from both sides.

.venv/bin/python -m tests.engine.strength       prints the tables in docs/en/BENCHMARKS.md

Results are computed backwards from the last ply, once for all mirror images of a position. In the
infinite game, a level is assumed to play near the sixtieth ply as it does before: games that long
are so rare that no digit of the tables changes.
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
"""The probability of each move of a player; the same for mirror images."""


class Results(NamedTuple):
    """How often a player wins, draws and loses."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        return self.win + self.draw / 2


def evenly(cells: Sequence[Cell]) -> dict[Cell, float]:
    """The same probability for each of the moves."""
    return {cell: 1 / len(cells) for cell in cells}


def at_random(board: Board) -> dict[Cell, float]:
    return evenly(board.actions())


def casual(board: Board) -> dict[Cell, float]:
    """Win if possible, else block if necessary, else move at random without losing at once."""
    wins, losing = board.winning_cells(board.to_move), board.losing_cells()
    others = [cell for cell in board.actions() if cell not in losing]
    return evenly(wins or board.forced_cells() or others or losing)


def perfect(board: Board) -> dict[Cell, float]:
    return evenly(best_moves(board))


@cache
def policy_of(level: Level) -> Policy:
    return cache(lambda board: move_odds(board, level))


_ENDS = {Value.WIN: -3, Value.DRAW: -2, Value.LOSS: -1}
"""The numbers that stand for the end of a game, by the value of the last move to its player."""


class Layer(NamedTuple):
    """The unfinished positions with the same number of free cells, without mirror images.

    They are numbered from `first` on. `after` has the number of the position after each move.
    """

    first: int
    boards: list[Board]
    after: list[list[int]]


@cache
def layers(rules: Rules) -> dict[int, Layer]:
    """All reachable unfinished positions, by the number of free cells."""
    boards = [Board(rules)]
    numbers = {boards[0].key: 0}

    def number_of(position: Board) -> int:
        if position.is_terminal:
            return _ENDS[terminal_worth(position).one_ply_earlier().value]
        if position.key not in numbers:
            numbers[position.key] = len(boards)
            boards.append(position)
        return numbers[position.key]

    layers_by_free_cells: dict[int, Layer] = {}
    for number, board in enumerate(boards):  # grows in the loop
        new_layer = Layer(number, [], [])
        layer = layers_by_free_cells.setdefault(len(board.free_cells), new_layer)
        layer.boards.append(board)
        layer.after.append([number_of(board.result(cell)) for cell in board.actions()])
    return layers_by_free_cells


Moves = list[tuple[tuple[int, ...], tuple[float, ...]]]
"""The first moves of all positions in a layer, then their second moves, and so on: the numbers of
the positions that they lead to, and their probabilities."""


@cache
def moves_of(policy: Policy, rules: Rules) -> dict[int, Moves]:
    """The moves of a player in each layer, by the number of free cells."""
    moves = {}
    for free_cells, layer in layers(rules).items():
        odds = [_odds(policy, board) for board in layer.boards]
        positions_by_move = zip(*layer.after, strict=True)
        odds_by_move = zip(*odds, strict=True)
        moves[free_cells] = list(zip(positions_by_move, odds_by_move, strict=True))
    return moves


def _odds(policy: Policy, board: Board) -> list[float]:
    odds = policy(board)
    return [odds.get(cell, 0.0) for cell in board.actions()]


@cache
def as_x(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    """The exact results of `player` as X against `opponent` as O.

    The result of a position is a complex number, so that both parts are computed at once: the
    probability that X wins is the real part, and the probability that O wins the imaginary part.
    """
    x_wins, draw, o_wins = 1 + 0j, 0j, 1j
    position_count = sum(len(layer.boards) for layer in layers(rules).values())
    # The last three results are those of `_ENDS`: after a win, a draw and a loss of the mover.
    results = [0j] * (position_count + len(_ENDS))
    for ply in reversed(range(rules.most_plies)):
        if ply % 2 == 0:
            mover = player
            results[-3:] = [x_wins, draw, o_wins]
        else:
            mover = opponent
            results[-3:] = [o_wins, draw, x_wins]
        free_cells = rules.free_after(ply)
        first, boards, _ = layers(rules)[free_cells]
        expected = _expected_results(moves_of(mover, rules)[free_cells], results)
        results[first : first + len(boards)] = expected
    win, loss = results[0].real, results[0].imag
    return Results(win, 1 - win - loss, loss)


def _expected_results(moves: Moves, results: list[complex]) -> list[complex]:
    """Each position's average result over its moves, weighted by their probabilities."""
    totals: Iterable[complex] = repeat(0j)
    for positions, odds in moves:
        weighted = map(mul, odds, map(results.__getitem__, positions))
        totals = map(add, totals, weighted)
    return list(totals)


def as_o(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    win, draw, loss = as_x(opponent, player, rules)
    return Results(loss, draw, win)


def on_both_sides(player: Policy, opponent: Policy, rules: Rules = TIC_TAC_TOE) -> Results:
    pairs = zip(as_x(player, opponent, rules), as_o(player, opponent, rules), strict=True)
    return Results(*((first + second) / 2 for first, second in pairs))


Columns = dict[str, tuple[Policy, Rules]]
"""The opponent and the game of each column of a table."""

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
