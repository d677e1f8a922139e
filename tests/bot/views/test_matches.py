"""The messages of matches: what is said of how one ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.matches import Ending, EndReason, HeadToHead, Match, Place, Trail, result_for
from bot.views.matches import match_view
from engine import Level, Mark
from tests.bot.example_matches import DRAWN, NOON, X_WON, make_bot_match, make_match
from tests.bot.views.examples import text_of

PLACE = Place(1, 2, "en")
GOT_ME = "got me!"
NAME = "In Brazil, a draw is called *velha*"
RESPECT = "Respect!"
AGAIN = "Another draw"


def said(match: Match) -> str:
    return text_of(match_view(replace(match, place=PLACE)))


@pytest.mark.parametrize(
    "reason",
    [
        *(EndReason.CALLED_OFF, EndReason.STOPPED, EndReason.LEFT),
        *(EndReason.RESIGNED, EndReason.TIMED_OUT),
    ],
)
@pytest.mark.parametrize("board", ["x.. .o. ...", "... ... ..."])
def test_what_is_said_not_to_count_has_no_result(reason: EndReason, board: str) -> None:
    has_winner = reason in (EndReason.RESIGNED, EndReason.TIMED_OUT)
    ending = Ending(reason, Mark.X if has_winner else None)
    over = make_match(board, early_ending=ending, ended_at=NOON + timedelta(hours=1))
    counts = result_for(Mark.X, over) is not None
    if counts or reason is not EndReason.TIMED_OUT:  # nobody runs out of time before a move
        assert ("doesn't count" in said(over)) is not counts


def test_who_beats_the_bot_got_it() -> None:
    assert "🏆 <@1> got me!" in said(make_bot_match(X_WON))
    assert GOT_ME not in said(make_match(X_WON))
    resigned = Ending(EndReason.RESIGNED, Mark.O)
    assert GOT_ME not in said(make_bot_match("x.. .o. ...", early_ending=resigned))


@pytest.mark.parametrize(
    ("match", "sentence"),
    [
        (make_bot_match(DRAWN, Level.EASY, trail=Trail(None, stops=0)), NAME),
        (make_bot_match(DRAWN, Level.EASY, trail=Trail(None, stops=1)), None),
        (make_bot_match(DRAWN, Level.EASY, trail=Trail(None, stops=None)), None),
        (make_bot_match(DRAWN, trail=Trail(None, stops=0)), RESPECT),
        (make_bot_match(DRAWN, hints=1, trail=Trail(None, stops=0)), NAME),
        (make_match(DRAWN, head_to_head=HeadToHead(drawn=2)), AGAIN),
        (make_match(DRAWN, head_to_head=HeadToHead(won=3, drawn=5)), AGAIN),
        (make_match(DRAWN, head_to_head=HeadToHead(won=1)), None),
        (make_match(X_WON, head_to_head=HeadToHead(drawn=3)), None),
        (make_match(DRAWN), None),
    ],
)
def test_a_draw_has_one_word_more_once_in_a_while(match: Match, sentence: str | None) -> None:
    found = [each for each in (NAME, RESPECT, AGAIN) if each in said(match)]
    assert found == ([sentence] if sentence else [])
