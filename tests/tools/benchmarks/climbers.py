"""How many matches each stop of the path takes: five kinds of players who climb it, with a seed.

.venv/bin/python -m tests.tools.benchmarks.climbers       prints the tables in docs/en/BENCHMARKS.md

Each kind plays some matches from each side of a stop. How many it takes until the stop is passed,
and how long losing goes on, is then drawn from their results.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

from bot.domain.matches import MatchResult, Setup
from bot.domain.path import (
    GOALS,
    LOSSES_BEFORE_RELIEF,
    SECOND_MARKS,
    STOPS,
    Progress,
)
from engine import Board, Cell, Level, Mark, Rules, best_moves, choose_move
from tests.engine import strength

Player = Callable[[Board, random.Random], Cell]

_MATCHES = {True: 400, False: 100}
"""How many are played from each side, by whether the board has nine cells."""

_MOST = 100
"""After so many matches at a goal, a climber gives up."""

_CLIMBERS = 300


def seeing(win: float, block: float) -> Player:
    """Sees that it can win, or must not lose at once, as often as given; else moves anywhere."""

    def move(board: Board, rng: random.Random) -> Cell:
        if (wins := board.winning_cells(board.to_move)) and rng.random() < win:
            return rng.choice(wins)
        if rng.random() < block:
            losing = board.losing_cells()
            safe = [cell for cell in board.actions() if cell not in losing]
            return rng.choice(board.forced_cells() or safe or losing)
        return rng.choice(board.actions())

    return move


def casual(board: Board, rng: random.Random) -> Cell:
    return rng.choice([cell for cell, odds in strength.casual(board).items() if odds])


def perfect(board: Board, rng: random.Random) -> Cell:
    return rng.choice(best_moves(board))


def one_in_seven_wrong(board: Board, rng: random.Random) -> Cell:
    """Perfect, but for one move in seven, which is any."""
    return rng.choice(board.actions()) if rng.random() < 1 / 7 else perfect(board, rng)


KINDS: Mapping[str, Player] = {
    "small child": seeing(win=0.4, block=0.2),
    "weak": seeing(win=0.9, block=0.6),
    "casual": casual,
    "one in seven wrong": one_in_seven_wrong,
    "perfect": perfect,
}

TOO_SLOW = {(Rules(5, 5, 4), kind) for kind in ("one in seven wrong", "perfect")}
"""Five by five, four in a row: each best move may take a second."""


def play(setup: Setup, player: Player, mark: Mark, rng: random.Random) -> MatchResult:
    board = Board(setup.rules)
    while not board.is_terminal:
        is_own = board.to_move is mark
        board = board.result(player(board, rng) if is_own else choose_move(board, setup.level, rng))
    outcome = board.outcome()
    if outcome is None or outcome.winner is None:
        return MatchResult.DRAWN
    return MatchResult.WON if outcome.winner is mark else MatchResult.LOST


def results(setup: Setup, player: Player) -> dict[Mark, list[MatchResult]]:
    """The results of matches, by the player's mark, of those that the setup allows."""
    rng = random.Random(str(setup))
    marks = [setup.mark] if setup.mark else [*Mark]
    count = _MATCHES[len(setup.rules.cells) == 9]
    return {mark: [play(setup, player, mark, rng) for _ in range(count)] for mark in marks}


class Climb(NamedTuple):
    """How many matches it took to pass a goal, and the most losses in a row on the way."""

    matches: int
    losses: int


def climb(
    goal: Setup,
    played: Mapping[Mark, list[MatchResult]],
    relief: Mapping[Mark, list[MatchResult]],
    rng: random.Random,
) -> Climb:
    """Pass a goal, with one match of relief after each run of losses; sides swap if they may."""
    progress, matches, losses, longest = Progress(), 0, 0, 0
    marks = [*played]
    while not progress.is_passed and matches < _MOST:
        result = rng.choice(played[marks[matches % len(marks)]])
        progress = progress.after(result, GOALS[goal])
        matches += 1
        losses = losses + 1 if result is MatchResult.LOST else 0
        longest = max(longest, losses)
        if progress.losses == LOSSES_BEFORE_RELIEF and relief:
            result = rng.choice(relief[rng.choice([*relief])])
            losses = losses + 1 if result is MatchResult.LOST else 0
            longest = max(longest, losses)
    return Climb(matches, longest)


def climbs(goal: Setup, player: Player, *, with_relief: bool = True) -> list[Climb]:
    rng = random.Random(1)
    played = results(goal, player)
    relief = results(Setup(goal.rules, Level.CHILD), player) if with_relief else {}
    return [climb(goal, played, relief, rng) for _ in range(_CLIMBERS)]


def mean_matches(goal: Setup, kind: str) -> float:
    found = climbs(goal, KINDS[kind], with_relief=False)
    return sum(one.matches for one in found) / len(found)


def table(goals: Mapping[Setup, int]) -> str:
    lines = [f"| | {' | '.join(KINDS)} |", "|---" * (len(KINDS) + 1) + "|"]
    totals = dict.fromkeys(KINDS, 0.0)
    for goal in goals:
        cells = []
        for kind in KINDS:
            if (goal.rules, kind) in TOO_SLOW:
                cells.append("-")
                continue
            mean = mean_matches(goal, kind)
            totals[kind] += mean
            cells.append(f"{mean:.1f}" if mean < _MOST / 2 else f"over {_MOST // 2}")
        lines.append(f"| {goal} | {' | '.join(cells)} |")
    if goals is STOPS:
        lines.append(f"| **all** | {' | '.join(f'{total:.0f}' for total in totals.values())} |")
    return "\n".join(lines)


def longest_losing_run(kind: str, *, with_relief: bool) -> float:
    """The median climber's most losses in a row on the whole path."""
    runs = [climbs(stop, KINDS[kind], with_relief=with_relief) for stop in STOPS]
    longest = [max(one.losses for one in climber) for climber in zip(*runs, strict=True)]
    return float(median(longest))


if __name__ == "__main__":
    print(table(STOPS), table(SECOND_MARKS), sep="\n\n")
    for with_relief in (True, False):
        print(with_relief, longest_losing_run("small child", with_relief=with_relief))
