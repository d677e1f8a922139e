"""How strong each level is on 3x3, by exact calculation, in every game that is played there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Level, Rules, Value, solver_of
from tests.engine import strength
from tests.engine.meaning import losing_replies

SLOW_TO_PLAY: Mapping[Rules, Sequence[Level]] = {INFINITE: (Level.CHILD, Level.MEDIUM)}
"""The levels whose results are computed there; the others play by the same rules of chance."""


def levels_in(rules: Rules) -> Sequence[Level]:
    return SLOW_TO_PLAY.get(rules, tuple(Level))


@pytest.mark.parametrize(("rules", "step"), [(MISERE, 1), (INFINITE, 4)])
def test_the_top_two_levels_play_the_fastest_wins_and_slowest_losses(
    rules: Rules, step: int
) -> None:
    """So they win whatever is won, and never lose what is held."""
    for board in boards(rules)[::step]:
        worths = solver_of(rules).analyse(board)
        best = max(worth.rank for worth in worths.values())
        for level in (Level.PERFECT, Level.IMPOSSIBLE):
            odds = strength.policy_of(level)(board)
            assert all(worths[cell].rank == best for cell in odds if odds[cell]), board


def test_in_endless_games_traps_are_the_moves_with_the_most_replies_that_lose_soon() -> None:
    traps = 0
    for board in boards(INFINITE)[::2]:
        if solver_of(INFINITE).worth(board).value is Value.DRAW and not board.forced_cells():
            holding = [c for c, odds in strength.perfect(board).items() if odds]
            losing = {cell: losing_replies(board, cell) for cell in holding}
            odds = strength.policy_of(Level.IMPOSSIBLE)(board)
            chosen = {cell for cell in odds if odds[cell]}
            assert chosen == {c for c in losing if losing[c] == max(losing.values())}, board
            traps += len(chosen) < len(losing)
    assert traps > 40


def boards(rules: Rules) -> list[Board]:
    """Every unfinished position, one for all mirror images."""
    return [board for layer in strength.layers(rules).values() for board in layer.boards]


@pytest.mark.parametrize("rules", [MISERE, TIC_TAC_TOE])
def test_each_level_scores_against_the_one_below_up_to_perfect_play(rules: Rules) -> None:
    ladder = [level for level in Level if not level.sets_traps]
    for below, level in pairwise(ladder):
        moves, other = strength.policy_of(level), strength.policy_of(below)
        assert strength.on_both_sides(moves, other, rules).score >= 0.53, level


@pytest.mark.parametrize(
    ("opponent", "rules"),
    [
        (strength.at_random, TIC_TAC_TOE),
        (strength.casual, TIC_TAC_TOE),
        (strength.at_random, MISERE),
        (strength.casual, MISERE),
        (strength.casual, INFINITE),
    ],
)
def test_levels_are_strictly_ordered_against_opponents_who_err(
    opponent: strength.Policy, rules: Rules
) -> None:
    players = map(strength.policy_of, levels_in(rules))
    scores = [strength.on_both_sides(player, opponent, rules).score for player in players]
    assert all(lower < higher for lower, higher in pairwise(scores))


@pytest.mark.parametrize("folder", ["en", "pt-BR"])
def test_the_tables_in_the_docs_are_true(folder: str) -> None:
    page = Path(__file__).parents[2] / "docs" / folder / "BENCHMARKS.md"
    lines = page.read_text(encoding="utf-8").replace(",", ".").splitlines()
    shares = [re.findall(r"[\d.]+ / [\d.]+ / [\d.]+", line) for line in lines]
    rows = [row for row in shares if row]
    columns = [*zip(*rows[: len(Level)], strict=True), *zip(*rows[len(Level) :], strict=True)]
    games = [*strength.ON_3X3.values(), *strength.IN_OTHER_GAMES.values()]
    for (opponent, rules), column in zip(games, columns, strict=True):
        shown = dict(zip(Level, column, strict=True))
        for level in levels_in(rules):
            results = strength.on_both_sides(strength.policy_of(level), opponent, rules)
            assert shown[level] == strength.percent(results), level
