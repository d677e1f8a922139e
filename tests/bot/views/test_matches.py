"""The messages of matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.matches import Player, Setup, Trail
from bot.views.catalogues import LANGUAGES
from bot.views.matches import match_view
from engine import Level, Rules
from engine.terminal.drawing import columns
from tests.bot.example_matches import DRAWN, VELHA, make_bot_match
from tests.bot.views.examples import (
    controls,
)

LETTERS_IN_A_ROW = 34
"""So many fit beside each other on a phone."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_after_a_match_fit_two_rows_of_a_phone(language: str) -> None:
    """A draw that leads on has the most buttons."""
    trail = Trail(None, following=Setup(Rules(5, 5, 4), Level.EASY))
    drawn = make_bot_match(DRAWN)
    place = replace(drawn.place, locale=language)
    for level in Level:
        match = replace(drawn, place=place, o=Player(VELHA, level), trail=trail)
        row = [item.label for item in controls(match_view(match), match.rules)]
        assert len(row) == 5 - (level is Level.CHILD) + 1
        used = [0]
        for label in row:
            width = columns(label or "")
            if used[-1] + width > LETTERS_IN_A_ROW:
                used.append(0)
            used[-1] += width
        assert len(used) <= 2
