"""Every button and select stays alive for ever: discord.py 2.7.1 and the layout that mixes them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from discord import ui

from bot.domain.matches import Ending, EndReason, Match, Place, Player
from bot.domain.settings import MAX_CHANNELS, GuildSettings, Setting, SettingsForm, Tab
from bot.views.i18n import LANGUAGES, language_for
from bot.views.matches import match_view
from bot.views.settings import SettingsTexts, settings_view
from engine import TIC_TAC_TOE, Board, Level, Rules, choose_move
from tests.bot.drawn import parse_page
from tests.bot.house import SimulatedGuild


def a_match(moves: tuple[int, ...] = (), rules: Rules = TIC_TAC_TOE) -> Match:
    return Match(
        id=2**62,
        place=Place(1, 2, "pt-BR", 3),
        x=Player(11),
        o=Player(12, Level.IMPOSSIBLE),
        opened_by=11,
        accepted=True,
        deadline_at=datetime(2030, 1, 1, tzinfo=UTC),
        rules=rules,
        moves=moves,
    )


def english(match: Match) -> ui.LayoutView:
    """The message of a match where English is spoken."""
    return match_view(replace(match, place=replace(match.place, locale="en-US")))


def every_kind_of_match() -> list[Match]:
    live = a_match()
    challenge = replace(live, accepted=False, o=Player(12))
    ended = [replace(live, early_ending=Ending(reason)) for reason in EndReason]
    refused = [replace(challenge, early_ending=Ending(reason)) for reason in EndReason]
    played = [a_match(moves) for moves in ((4,), (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8))]
    asked = replace(ended[0], rematch_asked_by=11)
    return [live, challenge, *ended, *refused, *played, asked]


def buttons_in(view: ui.LayoutView) -> list[Any]:
    """What can be pressed in it, selects among them."""
    return [item for item in view.walk_children() if item.is_dispatchable()]


FORMS = [SettingsForm(GuildSettings(), 30, tab=tab, may_change=True) for tab in Tab]
CHANNELS = tuple(range(2**63 - MAX_CHANNELS[Setting.CHANNELS], 2**63))
CROWDED = GuildSettings(channels=CHANNELS, puzzle_channel=CHANNELS[0])


@pytest.mark.parametrize("form", [*FORMS, *(replace(form, choices=CROWDED) for form in FORMS)])
def test_every_control_of_the_form_leads_to_a_page_and_all_fit(form: SettingsForm) -> None:
    """Discord allows 40 components a message, and 25 options a select."""
    for language in LANGUAGES:
        view = settings_view(form, language_for(language))
        controls = buttons_in(view)
        assert view.total_children_count <= 40
        assert len({item.custom_id for item in controls}) == len(controls)
        for item in controls:
            assert parse_page(item.custom_id) is not None
            assert len(getattr(item, "options", ())) <= 25


def test_those_who_only_look_fit_in_a_message_too() -> None:
    form = SettingsForm(CROWDED, 30)
    assert all(len(SettingsTexts(language_for(code)).summary(form)) <= 4000 for code in LANGUAGES)


async def test_buttons_answer_after_every_kind_of_message_was_sent_and_retired(
    house: SimulatedGuild,
) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana, channel=other)
    elsewhere = house.seen(other)
    for _ in range(2):
        await house.challenge()
        await house.ana.slash(house.channel, "velha board")
        await house.play((house.ana, "A1"), (house.ana, "Resign"), (house.ana, "Rematch"))
        await house.start(house.ben, opponent=house.ana)
        await house.press(house.ana, "Decline")
    await house.press(house.ana, "B2", elsewhere)
    assert house.seen(other).board.count("o") == 1


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 4, 3), Rules(5, 5, 4)])
def test_every_board_fits_in_one_message(rules: Rules) -> None:
    """Discord allows 40 components a message and 5 buttons a row."""
    board, rng = Board(rules), random.Random(1)
    moves: tuple[int, ...] = ()
    while not board.is_terminal:
        view = match_view(a_match(moves, rules))
        assert view.total_children_count <= 40
        rows = [row for row in view.walk_children() if isinstance(row, ui.ActionRow)]
        assert [len(row.children) for row in rows[: rules.rows]] == [rules.columns] * rules.rows
        custom_ids = [item.custom_id for item in buttons_in(view)]
        assert len(set(custom_ids)) == len(custom_ids)
        assert all(len(custom_id) <= 100 for custom_id in custom_ids)
        moves = (*moves, choose_move(board, Level.EASY, rng))
        board = board.result(moves[-1])


def test_rendering_needs_no_event_loop_and_nothing_but_the_match() -> None:
    views = [english(a_match((4, 0))) for _ in range(2)]
    drawn = [[item.to_component_dict() for item in view.children] for view in views]
    assert drawn[0] == drawn[1]
