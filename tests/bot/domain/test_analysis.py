"""The pages of reviews, and what they lead to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.analysis import (
    Game,
    Headers,
    has_turned,
    rematch_page,
)
from bot.domain.match_actions import RematchPage
from bot.domain.matches import Ending, EndReason, Match
from engine import TIC_TAC_TOE, Mark, Record, Rules, review
from tests.bot.example_matches import ANA, BEN, CHANNEL, O_WON, X_WON, make_bot_match, make_match

RESIGNED = Ending(EndReason.RESIGNED, Mark.O)


def judged(moves: str, rules: Rules = TIC_TAC_TOE, side: Mark | None = None) -> Game:
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    record = Record(rules, tuple(cells[name] for name in moves.split()))
    return Game(record, review(record.moves, rules), side=side)


TWO_EACH = "A1 B1 C1 B2 A3 C2 A2"
"""O errs at plies 2 and 6, X at 3 and 5, and X wins."""
DRAWN = "B2 C2 A1 B1 B3 C3 C1 A3 A2"
NOBODY_ERRED = "B2 A1 C3 C1 B1 B3 A2 C2 A3"


@pytest.mark.parametrize(
    ("moves", "side", "key_ply", "mistake_plies"),
    [
        (TWO_EACH, None, 6, [2, 3, 5, 6]),
        (TWO_EACH, Mark.X, 6, [3, 5]),
        (TWO_EACH, Mark.O, 6, [2, 6]),
        (DRAWN, None, 5, [2, 5]),
        (DRAWN, Mark.X, 5, [5]),
        (DRAWN, Mark.O, 2, [2]),
        (NOBODY_ERRED, Mark.X, None, []),
        ("C2 A2 A3 C1 C3 B3 A1 B1 B2", Mark.O, 8, [8]),
    ],
)
def test_who_has_not_won_sees_their_own_last_mistake_and_others_the_one_that_decided(
    moves: str, side: Mark | None, key_ply: int | None, mistake_plies: list[int]
) -> None:
    game = judged(moves, side=side)
    assert game.key_ply == key_ply
    assert game.mistake_plies == mistake_plies


@pytest.mark.parametrize(
    ("match", "turned"),
    [
        (make_match(X_WON), True),
        (make_match(O_WON), True),
        (make_match("xox xoo oxx"), False),
        (make_match("x.. .o. ...", early_ending=RESIGNED), False),
        (make_match("xxx. oo.. .... ....", rules=Rules(4, 4, 3)), False),
        (make_match("xx.. ooo. x... ....", rules=Rules(4, 4, 3)), True),
    ],
)
def test_only_a_match_that_a_mistake_must_have_decided_has_turned(
    match: Match, *, turned: bool
) -> None:
    assert has_turned(match) is turned


def test_only_the_person_who_played_the_bot_is_offered_a_rematch() -> None:
    match = make_bot_match(O_WON)
    assert rematch_page(match, ANA, CHANNEL) == RematchPage(7)
    assert rematch_page(match, BEN, CHANNEL) is None
    assert rematch_page(match, ANA, CHANNEL + 1) is None
    assert rematch_page(replace(match, next_id=8), ANA, CHANNEL) is None
    assert rematch_page(make_match(O_WON), ANA, CHANNEL) is None


def test_the_headers_know_the_marks_of_the_players() -> None:
    headers = Headers(ANA, BEN)
    assert [headers.mark_of(user) for user in (ANA, BEN, 3)] == [Mark.X, Mark.O, None]
