"""The messages of matches."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from discord import ui

from bot.domain.matches import Player
from bot.views.catalogues import LANGUAGES
from bot.views.matches import match_view
from engine import Board, Level, Rules, choose_move
from engine.terminal.drawing import columns
from tests.bot.views.examples import (
    bot_match,
    buttons_in,
    english_match_view,
)


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 4, 3), Rules(5, 5, 4)])
def test_every_board_fits_in_one_message(rules: Rules) -> None:
    """Discord allows 40 components a message and 5 buttons a row."""
    board, rng = Board(rules), random.Random(1)
    moves: tuple[int, ...] = ()
    while not board.is_terminal:
        view = match_view(bot_match(moves, rules))
        assert view.total_children_count <= 40
        rows = [row for row in view.walk_children() if isinstance(row, ui.ActionRow)]
        assert [len(row.children) for row in rows[: rules.rows]] == [rules.columns] * rules.rows
        custom_ids = [item.custom_id for item in buttons_in(view)]
        assert len(set(custom_ids)) == len(custom_ids)
        assert all(len(custom_id) <= 100 for custom_id in custom_ids)
        moves = (*moves, choose_move(board, Level.EASY, rng))
        board = board.result(moves[-1])


def test_rendering_needs_no_event_loop_and_nothing_but_the_match() -> None:
    views = [english_match_view(bot_match((4, 0))) for _ in range(2)]
    drawn = [[item.to_component_dict() for item in view.children] for view in views]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", Level)
def test_the_buttons_after_a_match_fit_two_rows_of_a_phone(language: str, level: Level) -> None:
    """A row has about 34 letters. A first draw has the most buttons: the levels on either side."""
    drawn = bot_match((0, 1, 2, 4, 3, 5, 7, 6, 8))
    place = replace(drawn.place, locale=language)
    match = replace(drawn, place=place, o=Player(12, level), is_first=True)
    row = [item.label or "" for item in buttons_in(match_view(match))][9:]
    assert len(row) == 5 - (level in (Level.CHILD, Level.IMPOSSIBLE))
    used = [0]
    for width in map(columns, row):
        if used[-1] + width > 34:
            used.append(0)
        used[-1] += width
    assert len(used) <= 2
