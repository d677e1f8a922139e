"""What `from engine import ...` offers."""

from __future__ import annotations

import engine

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
    "Glimpse",
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
    "line_balance",
    "look_ahead",
    "minimax",
    "move_odds",
    "review",
    "rule_moves",
    "rules_named",
    "search",
    "search_each_way",
    "small_tree",
    "solve",
    "solver_of",
    "turning_point",
]
"""A release may add names; only one with a new first number may take any away."""


def test_no_exported_name_is_taken_away() -> None:
    assert set(EXPORTED) <= set(engine.__all__)
    assert all(hasattr(engine, name) for name in EXPORTED)
