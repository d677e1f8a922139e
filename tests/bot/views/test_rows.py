"""Rows of buttons on a phone: three buttons take one line, four or five take two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from discord import ui

from bot.domain.matches import Player, Setup, Trail
from bot.domain.stats import LastMatches
from bot.views.catalogues import LANGUAGES
from bot.views.checks import checks_view
from bot.views.help import Help, help_view
from bot.views.i18n import Language, language_for
from bot.views.matches import resign_question_view
from bot.views.privacy import delete_question_view, privacy_view
from bot.views.ranking import ranking_view
from bot.views.refusals import RESTART
from bot.views.settings import settings_view
from bot.views.stats import last_matches_view, stats_view
from bot.views.tutorial import tutorial_view
from engine import Level, Rules
from engine.terminal.drawing import columns
from tests.bot.example_matches import ANA, DRAWN, VELHA, make_bot_match
from tests.bot.tutorial_contents import tutorial_contents
from tests.bot.views.examples import every_view
from tests.transcripts import (
    test_board,
    test_privacy,
    test_private,
    test_ranking,
    test_settings,
    test_stats,
)

COLUMNS_IN_A_LINE = 34
"""So many letters of labels fit beside each other; a wide one takes two columns."""

ONE_LINE_BUTTONS = 3
COORDINATES = {f"{column}{row}" for column in "ABCDE" for row in range(1, 6)}


def screens(language: Language) -> Iterator[ui.LayoutView]:
    yield from every_view(language)
    for content in tutorial_contents():
        yield tutorial_view(content, language)
    yield from _screens_of_matches(language)
    for stats in test_stats.SCREENS.values():
        yield stats_view(stats, language, is_public=False)
    yield last_matches_view(LastMatches(ANA, test_stats.LAST), language)
    for form in test_settings.SCREENS.values():
        yield settings_view(form, language)
    for report in test_settings.CHECKS.values():
        yield checks_view(report, language)
    for summary in test_privacy.SCREENS.values():
        yield privacy_view(summary, language)
    for of_server in (False, True):
        yield delete_question_view(language, of_server=of_server)
    for standings in test_ranking.SCREENS.values():
        yield ranking_view(standings, language)
    yield help_view(Help(language.code), language)


def _screens_of_matches(language: Language) -> Iterator[ui.LayoutView]:
    for examples in test_board.SCREENS.values():
        for match in examples.values():
            yield test_board.board(match, language)
    # A draw that leads on has the most buttons.
    trail = Trail(None, following=Setup(Rules(5, 5, 4), Level.EASY))
    drawn = make_bot_match(DRAWN, trail=trail)
    for level in Level:
        yield test_board.board(replace(drawn, o=Player(VELHA, level)), language)
    yield resign_question_view(drawn, language)
    for private in test_private.GOING_ON.values():
        yield test_private.drawn(private, language)
    for private in test_private.OVER.values():
        yield test_private.ended(private, language)
    for refusal in test_private.REFUSED.values():
        yield test_private.refused(refusal, language)


def rows(language: Language) -> set[tuple[str, ...]]:
    """The rows of labels that can be seen in a language, without those of boards."""
    found = set()
    for view in screens(language):
        for row in view.walk_children():
            if isinstance(row, ui.ActionRow):
                labels = [each.label for each in row.children if isinstance(each, ui.Button)]
                words = [label for label in labels if label]
                if words and not COORDINATES.intersection(words):
                    found.add(tuple(words))
    return found


def lines(row: tuple[str, ...]) -> int:
    """How many lines a phone takes for a row."""
    widths = [0]
    for label in row:
        if widths[-1] + columns(label) > COLUMNS_IN_A_LINE:
            widths.append(0)
        widths[-1] += columns(label)
    return len(widths)


@pytest.mark.parametrize("code", LANGUAGES)
def test_three_buttons_take_one_line_of_a_phone_and_five_take_two(code: str) -> None:
    language = language_for(code)
    seen = rows(language)
    assert len(seen) > 50
    # Who ends their own match by a button has to read that it does: it may take a second line.
    decided = language.say(RESTART)
    assert decided in {label for row in seen for label in row}
    lines_allowed = {row: 1 + (len(row) > ONE_LINE_BUTTONS or decided in row) for row in seen}
    assert {row for row in seen if lines(row) > lines_allowed[row]} == set()
