"""What `from engine import ...` offers."""

from __future__ import annotations

import doctest
import random
from collections.abc import Callable

import pytest

import engine
from engine import (
    INFINITE,
    MISERE,
    Board,
    Level,
    Record,
    Rules,
    choose_move,
    rule_moves,
    search,
    solver_of,
    tictactoe,
)

EXPORTED = [
    "INFINITE",
    "MISERE",
    "MOST_LEAVES",
    "TIC_TAC_TOE",
    "TRIES",
    "VARIANTS",
    "Accuracy",
    "Board",
    "Cell",
    "Evaluation",
    "Game",
    "Grade",
    "IllegalMoveError",
    "Level",
    "Mark",
    "Node",
    "Oracle",
    "Order",
    "Outcome",
    "Puzzle",
    "Reason",
    "Record",
    "Rules",
    "Search",
    "Solution",
    "Solver",
    "Value",
    "Verdict",
    "Way",
    "Worth",
    "accuracies",
    "accuracy",
    "advise",
    "analyse",
    "best_moves",
    "best_reply",
    "bit_set",
    "choose_move",
    "daily_puzzle",
    "deepen",
    "depth_within_reach",
    "game_tree",
    "judge",
    "minimax",
    "move_odds",
    "review",
    "rule_moves",
    "rules_named",
    "search",
    "small_tree",
    "solve",
    "solver_of",
    "turning_point",
]
"""A release may add names; only one with a new first number may take any away."""


def test_no_exported_name_is_taken_away() -> None:
    assert not [name for name in EXPORTED if not hasattr(engine, name)]


def test_the_examples_in_the_docstring_are_true() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > results.failed == 0


TALL = Rules(6, 6, 4)
OVER, BEGUN = Board.parse("xxx oo. ..."), Board.parse("x.. ... ...")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Rules(0, 3, 3), "a board needs columns and rows"),
        (lambda: Rules(3, 0, 3), "a board needs columns and rows"),
        (lambda: Rules(3, 4, 0), "a line of 0 does not fit the board"),
        (lambda: Rules(3, 4, 5), "a line of 5 does not fit the board"),
        (lambda: Record(TALL).code, "games by these rules have no code"),
        (lambda: rule_moves(OVER), "the rules are for unfinished games on 3x3"),
        (lambda: rule_moves(Board(TALL)), "the rules are for unfinished games on 3x3"),
        (lambda: BEGUN.utility, "an unfinished game has no utility"),
        (lambda: tictactoe.utility(tictactoe.initial_state()), "an unfinished game has no utility"),
        (lambda: tictactoe.result([[None] * 3] * 3, (3, 0)), r"\(3, 0\) is no free cell"),
        (lambda: search(Board(), depth_limit=0), "a search looks at least one ply ahead, not 0"),
        (lambda: choose_move(OVER, Level.PERFECT, random.Random(1)), "the game is over"),
        (lambda: solver_of(TALL).worth(Board()), "a solver of .* cannot solve"),
        (lambda: solver_of(TALL).solve(Board()), "a solver of .* cannot solve"),
        (lambda: solver_of(TALL).analyse(Board()), "a solver of .* cannot solve"),
        (lambda: solver_of(INFINITE).worth(Board()), "a solver of INFINITE cannot solve"),
        (lambda: solver_of(INFINITE).analyse(Board(MISERE)), "a solver of INFINITE cannot solve"),
        (lambda: solver_of(MISERE).solve(Board(INFINITE)), "a solver of MISERE cannot solve"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_a_reason(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()
