"""The message of a moment, and the button in a review that leads to it."""

from __future__ import annotations

from discord import ui

from bot.domain.analysis import Game, Review, ReviewPage, ReviewView, find_decisive_ply
from bot.domain.moments import Moment, MomentPage, MomentTry
from bot.views.analysis import review_view
from bot.views.moments import moment_view
from engine import Mark, Record, Rules, review
from tests.bot.example_matches import make_match
from tests.bot.views.examples import EN, buttons, squares, targets

LARGE = Record(Rules(5, 5, 4), (6, 0, 7, 24, 8, 1, 9))
"""X completes a line in the second row."""
VERDICTS = review(LARGE.moves, LARGE.rules)


def seen_by(side: Mark | None, view: ReviewView = ReviewView.MORE) -> ui.LayoutView:
    page = ReviewPage(LARGE, view=view)
    return review_view(Review(page, Game(LARGE, VERDICTS, side=side)), EN)


def test_players_can_ask_everybody_from_their_review() -> None:
    assert MomentPage(LARGE) in targets(buttons(seen_by(Mark.X)))
    assert MomentPage(LARGE) in targets(buttons(seen_by(Mark.O)))
    assert MomentPage(LARGE) not in targets(buttons(seen_by(None)))
    assert MomentPage(LARGE) not in targets(buttons(seen_by(Mark.X, ReviewView.BOARD)))


def test_only_the_free_cells_of_a_moment_are_tries() -> None:
    ply = find_decisive_ply(VERDICTS)
    assert ply is not None
    moment = Moment(make_match(moves=LARGE.moves, rules=LARGE.rules), ply)
    for cell, square in squares(moment_view(moment), LARGE.rules).items():
        is_free = moment.board[cell] is None
        assert targets([square]) == [MomentTry(moment.match.id, cell) if is_free else None]
