"""The messages of matches: what is said of how one ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.matches import (
    Ending,
    EndReason,
    HeadToHead,
    Match,
    Place,
    Setup,
    Trail,
    result_for,
)
from bot.domain.path import GOALS, SECOND_MARKS, STOPS
from bot.views.i18n import language_for
from bot.views.matches import match_view
from bot.views.path import goal_sentence
from engine import TIC_TAC_TOE, Level, Mark
from tests.bot.example_matches import (
    DRAWN,
    EMPTY,
    NOON,
    PLAYED,
    X_WON,
    make_bot_match,
    make_match,
)
from tests.bot.views.examples import text_of

PLACE = Place(1, 2, "en")
GOT_ME = "got me!"
NAME = "In Brazil, a draw is called *velha*"
RESPECT = "Respect!"
AGAIN = "Another draw"


def said(match: Match) -> str:
    return text_of(match_view(replace(match, place=PLACE)))


@pytest.mark.parametrize(
    ("board", "reason", "counts"),
    [
        (PLAYED, EndReason.RESIGNED, True),
        (PLAYED, EndReason.TIMED_OUT, True),
        (PLAYED, EndReason.CALLED_OFF, False),
        (PLAYED, EndReason.STOPPED, False),
        (PLAYED, EndReason.LEFT, False),
        (EMPTY, EndReason.RESIGNED, False),
        (EMPTY, EndReason.CALLED_OFF, False),
        (EMPTY, EndReason.STOPPED, False),
        (EMPTY, EndReason.LEFT, False),
    ],
)
def test_a_match_without_a_result_is_said_not_to_count(
    board: str, reason: EndReason, *, counts: bool
) -> None:
    has_winner = reason in (EndReason.RESIGNED, EndReason.TIMED_OUT)
    ending = Ending(reason, Mark.X if has_winner else None)
    over = make_match(board, early_ending=ending, ended_at=NOON + timedelta(hours=1))
    assert (result_for(Mark.X, over) is not None) is counts
    assert ("doesn't count" in said(over)) is not counts


def test_the_bot_says_that_it_was_beaten_only_if_it_was() -> None:
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
def test_some_draws_have_a_sentence_of_their_own(match: Match, sentence: str | None) -> None:
    found = [each for each in (NAME, RESPECT, AGAIN) if each in said(match)]
    assert found == ([sentence] if sentence else [])


@pytest.mark.parametrize("board", [X_WON, DRAWN])
@pytest.mark.parametrize("locale", ["en", "pt-BR", "ja"])
def test_no_two_goals_are_passed_with_the_same_words(board: str, locale: str) -> None:
    headings = set()
    for goal in GOALS:
        match = make_bot_match(board, trail=Trail(goal, 0, 3, is_passed=True))
        text = text_of(match_view(replace(match, place=replace(PLACE, locale=locale))))
        headings.add("\n".join(text.splitlines()[:2]))
    assert len(headings) == len(GOALS)


def test_a_draw_that_passes_a_stop_is_still_called_a_draw() -> None:
    trail = Trail(Setup(TIC_TAC_TOE, Level.MEDIUM), 2, 5, is_passed=True)
    lines = said(make_bot_match(DRAWN, Level.MEDIUM, trail=trail)).splitlines()
    assert lines[:2] == ["## 🤝 It's a draw!", "🎉 <@1> has passed 3x3, *medium*!"]
    won = said(make_bot_match(X_WON, Level.MEDIUM, trail=trail)).splitlines()
    assert won[0] == "## 🎉 First win for <@1> at 3x3, *medium*!"


def test_the_last_stop_ends_the_path_and_leads_to_the_stars() -> None:
    last, star, next_star = list(STOPS)[-1], *list(SECOND_MARKS)[:2]
    done = said(make_bot_match(X_WON, trail=Trail(last, 1, 14, star, is_passed=True)))
    assert "🏁 The path is done!" in done
    assert "▶️ Beat me at 3x3, *easy*, going second" in done
    assert "14 of 14" not in done
    starred = said(make_bot_match(X_WON, trail=Trail(star, 0, 14, next_star, is_passed=True)))
    assert "⭐ <@1> has passed 3x3, *easy*, going second!" in starred
    assert "The path is done!" not in starred
    with_all_stars = said(make_bot_match(X_WON, trail=Trail(last, 1, 14, is_passed=True)))
    assert "✅ 14 of 14 on the path" in with_all_stars


def test_goals_say_how_often_to_draw() -> None:
    sentences = [goal_sentence(language_for("en"), goal) for goal in GOALS]
    assert len(set(sentences)) == len(GOALS)
    assert "Draw with me at 3x3, *impossible*, going first" in sentences
    assert "Draw with me twice at 4x4 (4), *impossible*, going second" in sentences
    assert "Beat me at 3x3, *medium* (2 draws will do)" in sentences
