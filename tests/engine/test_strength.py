"""How strong each level is on 3x3, by exact calculation, in every game that is played there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Level, Rules, Value, solver_of
from tests.engine import strength

PAGES = {"docs/en/BENCHMARKS.md": ".", "docs/pt-BR/BENCHMARKS.md": ","}
"""With the decimal mark of each."""
LOSSES_TO_PERFECT_PLAY = (0.804, 0.672, 0.465, 0.247, 0.066, 0.0, 0.0)


@pytest.mark.parametrize(("level", "losses"), list(zip(Level, LOSSES_TO_PERFECT_PLAY, strict=True)))
def test_how_often_a_level_loses_to_perfect_play_is_pinned(level: Level, losses: float) -> None:
    results = strength.on_both_sides(strength.policy_of(level), strength.perfect)
    assert results.loss == pytest.approx(losses, abs=0.001)


@pytest.mark.parametrize("rules", [MISERE, INFINITE])
def test_the_top_two_levels_play_the_fastest_wins_and_slowest_losses(rules: Rules) -> None:
    """So they win whatever is won, and never lose what is held."""
    for board in boards(rules):
        worths = solver_of(rules).analyse(board)
        best = max(worth.rank for worth in worths.values())
        for level in (Level.PERFECT, Level.IMPOSSIBLE):
            odds = strength.policy_of(level)(board)
            assert all(worths[cell].rank == best for cell in odds if odds[cell]), board


def test_in_endless_games_traps_are_the_moves_with_the_most_replies_that_lose_soon() -> None:
    traps = 0
    for board in boards(INFINITE):
        if solver_of(INFINITE).worth(board).value is Value.DRAW and not board.forced_cells():
            holding = [c for c, odds in strength.perfect(board).items() if odds]
            losing = {cell: replies_that_lose_soon(board.result(cell)) for cell in holding}
            odds = strength.policy_of(Level.IMPOSSIBLE)(board)
            chosen = {cell for cell in odds if odds[cell]}
            assert chosen == {c for c in losing if losing[c] == max(losing.values())}, board
            traps += len(chosen) < len(losing)
    assert traps > 50


def boards(rules: Rules) -> list[Board]:
    """Every unfinished position, one for all mirror images."""
    return [board for layer in strength.layers(rules).values() for board in layer.boards]


def replies_that_lose_soon(board: Board) -> int:
    worths = solver_of(board.rules).analyse(board).values()
    return sum(worth.value is Value.LOSS and worth.plies_to_end <= 6 for worth in worths)


@pytest.mark.parametrize("rules", [MISERE, TIC_TAC_TOE])
def test_each_level_scores_against_the_one_below_up_to_perfect_play(rules: Rules) -> None:
    ladder = [level for level in Level if not level.sets_traps]
    for below, level in pairwise(ladder):
        moves, other = strength.policy_of(level), strength.policy_of(below)
        assert strength.on_both_sides(moves, other, rules).score >= 0.53, level


def assert_levels_are_strictly_ordered(opponent: strength.Policy, rules: Rules) -> None:
    moves = map(strength.policy_of, Level)
    scores = [strength.on_both_sides(player, opponent, rules).score for player in moves]
    assert all(lower < higher for lower, higher in pairwise(scores))


def test_levels_are_strictly_ordered_against_a_random_player_of_misere() -> None:
    assert_levels_are_strictly_ordered(strength.at_random, MISERE)


@pytest.mark.parametrize("columns", [strength.IN_OTHER_GAMES, strength.ON_3X3])
def test_levels_are_strictly_ordered_as_the_tables_in_the_docs_show(
    columns: strength.Columns,
) -> None:
    for opponent, rules in columns.values():
        if opponent is not strength.perfect:
            assert_levels_are_strictly_ordered(opponent, rules)
    printed = strength.table(columns).splitlines()[2:]
    for name, mark in PAGES.items():
        text = (Path(__file__).parents[2] / name).read_text(encoding="utf-8")
        for line in printed:
            assert line.split("|", 2)[2].replace(".", mark) in text, f"{name}: {line}"
