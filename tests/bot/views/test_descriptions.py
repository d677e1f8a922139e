"""A match in words, for people who cannot see its board."""

from __future__ import annotations

import pytest

from bot.domain.matches import Ending, EndReason, Match
from bot.views.descriptions import match_in_words
from engine import INFINITE, MISERE, Mark
from tests.bot.example_matches import ANA, BEN, make_match
from tests.bot.views.examples import EN

X_LINE = "X: A1, B1, C1. O: A2, B2."
BOTH_FULL = "X: A1, C1, A2, B3, C3. O: B1, B2, C2, A3."
RESIGNED = Ending(EndReason.RESIGNED, Mark.O)


@pytest.mark.parametrize(
    ("match", "description"),
    [
        (make_match(), "The board is empty. Your turn, as X."),
        (
            make_match(moves=(0, 4, 8)),
            f"X: A1, C3. O: B2. O's turn: <@{BEN}>. Last move: X, C3.",
        ),
        (
            make_match(moves=(2, 3, 4, 5, 0, 8), rules=INFINITE),
            "X: C1, B2, A1. O: A2, C2, C3. Your turn, as X. Last move: O, C3. Vanishes next: C1.",
        ),
        (
            make_match(moves=(0, 3, 1, 4, 2)),
            f"{X_LINE} X wins: <@{ANA}>. Line: A1, B1, C1. Last move: X, C1.",
        ),
        (
            make_match(moves=(0, 3, 1, 4, 2), rules=MISERE),
            f"{X_LINE} O wins: <@{BEN}>. Line: A1, B1, C1. Last move: X, C1.",
        ),
        (
            make_match(moves=(0, 1, 2, 4, 3, 5, 7, 6, 8)),
            f"{BOTH_FULL} It's a draw! Last move: X, C3.",
        ),
        (
            make_match(moves=(4,), early_ending=RESIGNED),
            f"X: B2. O wins: <@{BEN}>. Last move: X, B2.",
        ),
        (
            make_match(moves=(4,), early_ending=Ending(EndReason.STOPPED)),
            "X: B2. This match is over. Last move: X, B2.",
        ),
    ],
)
def test_a_match_is_told_to_the_player_of_x(match: Match, description: str) -> None:
    assert match_in_words(EN, match, ANA) == description


def test_only_the_player_to_move_is_told_that_it_is_their_turn() -> None:
    match = make_match(moves=(4,))
    assert "Your turn, as O." in match_in_words(EN, match, BEN)
    for other in (ANA, 99):
        assert f"O's turn: <@{BEN}>." in match_in_words(EN, match, other)
