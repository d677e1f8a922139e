"""The pages of hints, reviews and retries."""

from __future__ import annotations

import pytest

from bot.domain.analysis import Headers, ReviewPage
from bot.domain.matches import Ending, EndReason, Match
from bot.domain.pages import custom_id
from engine import Mark
from tests.bot.custom_ids import parse_page
from tests.bot.example_matches import ANA, BEN, make_match


@pytest.mark.parametrize(
    "match",
    [
        make_match("x.. .o. ...", early_ending=Ending(EndReason.RESIGNED, Mark.X)),
        make_match("x.. .o. ...", early_ending=Ending(EndReason.TIMED_OUT, Mark.O)),
        make_match("x.. .o. ...", early_ending=Ending(EndReason.CALLED_OFF)),
        make_match("x.. .o. ...", early_ending=Ending(EndReason.STOPPED)),
        make_match("xxx oo. ..."),
    ],
)
def test_the_button_under_a_match_says_who_played_it_and_how_it_ended(match: Match) -> None:
    page = parse_page(custom_id(ReviewPage.of(match), 0))
    assert page == ReviewPage(match.record, None, Headers(ANA, BEN, match.early_ending))


def test_a_match_whose_ending_no_review_mentions_still_has_a_review_page() -> None:
    match = make_match("x.. .o. ...", early_ending=Ending(EndReason.LAPSED))
    assert parse_page(custom_id(ReviewPage.of(match), 0)) is not None
