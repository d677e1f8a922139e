"""Every button and select stays alive for ever: discord.py 2.7.1 and the layout that mixes them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import discord
import pytest
from discord import ui

from bot.game.duel import Duel
from bot.game.match import Ending, How, Match, Place, Player
from bot.game.outcome import ServerSettings
from bot.game.page import parse_page
from bot.game.press import Press, Verb
from bot.game.server import MOST_CHANNELS, ServerChoices, Setting, Tab
from bot.texts import LANGUAGES, AnswerTexts, ServerTexts, language_for
from bot.views.board import match_view, moved_view, resign_question
from bot.views.controls import Control
from bot.views.server import settings_view
from engine import TIC_TAC_TOE, Board, Level, Mark, Rules, choose_move
from tests.bot.drawn import ANA, NEXT, against_velha, drawn
from tests.bot.house import House

PLAYED = "x.. .o. ..."
X_WON = "xxx oo. ..."
O_WON = "ooo xx. x.."
DRAW = "xox xox oxo"
STYLES = (
    discord.ButtonStyle.secondary,
    discord.ButtonStyle.primary,
    discord.ButtonStyle.success,
)


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
    ended = [replace(live, early_ending=Ending(how)) for how in How]
    refused = [replace(challenge, early_ending=Ending(how)) for how in How]
    played = [a_match(moves) for moves in ((4,), (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8))]
    asked = replace(ended[0], rematch_asked_by=11)
    return [live, challenge, *ended, *refused, *played, asked]


def buttons_in(view: ui.LayoutView) -> list[ui.Item[Any]]:
    """What can be pressed in it, selects among them."""
    return [item for item in view.walk_children() if item.is_dispatchable()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_button_of_every_message_is_a_press_button(language: str) -> None:
    for match in every_kind_of_match():
        there = replace(match, place=replace(match.place, locale=language))
        for view in (match_view(there), moved_view(there)):
            assert all(isinstance(button, Control) for button in buttons_in(view))


FORMS = [ServerSettings(ServerChoices(), 30, tab=tab, may_change=True) for tab in Tab]
CHANNELS = tuple(range(2**63 - MOST_CHANNELS[Setting.CHANNELS], 2**63))
CROWDED = ServerChoices(channels=CHANNELS, puzzle_channel=CHANNELS[0])


@pytest.mark.parametrize("form", [*FORMS, *(replace(form, choices=CROWDED) for form in FORMS)])
def test_every_control_of_the_form_is_a_press_button_and_all_fit(form: ServerSettings) -> None:
    """Discord allows 40 components a message, and 25 options a select."""
    for language in LANGUAGES:
        view = settings_view(form, ServerTexts(language_for(language)))
        controls = [item for item in buttons_in(view) if isinstance(item, Control)]
        assert controls == buttons_in(view)
        assert view.total_children_count <= 40
        assert len({item.custom_id for item in controls}) == len(controls)
        for item in controls:
            assert parse_page(item.custom_id) is not None
            assert len(getattr(item.item, "options", ())) <= 25


def test_a_channel_may_be_hidden_where_posting_was_given_up() -> None:
    """Whoever lets the bot view it is to choose it again all the same."""
    form = ServerSettings(
        ServerChoices(puzzle_channel=5), 30, hidden=frozenset({5}), has_given_up_posting=True
    )
    said = ServerTexts(language_for("en")).label(Setting.PUZZLE_CHANNEL, form)
    assert "no access" in said
    assert "choose the channel again" in said


def test_those_who_only_look_fit_in_a_message_too() -> None:
    form = ServerSettings(CROWDED, 30)
    assert all(len(ServerTexts(language_for(code)).summary(form)) <= 4000 for code in LANGUAGES)


@pytest.mark.parametrize("channel", [None, 5])
def test_those_who_only_look_are_told_the_hour_where_there_are_posts(channel: int | None) -> None:
    form = ServerSettings(ServerChoices(puzzle_channel=channel), 30, today=date(2026, 5, 1))
    summary = ServerTexts(language_for("en")).summary(form)
    assert ("Puzzle time" in summary) is (channel is not None)


async def test_buttons_answer_after_every_kind_of_message_was_sent_and_retired(
    house: House,
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


@pytest.mark.parametrize("plain", [ui.Button[Any](label="y"), ui.ChannelSelect[Any]()])
async def test_the_trap_is_still_there(house: House, plain: ui.Item[Any]) -> None:
    """When discord.py mends this, mixed layouts become possible, and this test tells."""
    mixed = ui.LayoutView(timeout=None)
    resign = ui.Button[ui.LayoutView](custom_id=str(Press(1, 0, Verb.RESIGN)), label="x")
    mixed.add_item(ui.ActionRow(Control(resign)))
    mixed.add_item(ui.ActionRow(plain))
    known = house.bots[-1]._connection._view_store._dynamic_items
    assert Control in known.values()
    house.bots[-1]._connection.store_view(mixed, 1)
    mixed.stop()
    assert Control not in known.values()


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
        custom_ids = [item.custom_id for item in buttons_in(view) if isinstance(item, Control)]
        assert len(set(custom_ids)) == len(custom_ids)
        assert all(len(custom_id) <= 100 for custom_id in custom_ids)
        moves = (*moves, choose_move(board, Level.EASY, rng))
        board = board.result(moves[-1])


def test_rendering_needs_no_event_loop_and_nothing_but_the_match() -> None:
    views = [english(a_match((4, 0))) for _ in range(2)]
    drawn = [[item.to_component_dict() for item in view.children] for view in views]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("moves", "colour"),
    [
        ((4,), discord.Colour.blurple()),
        ((0, 3, 1, 4, 2), discord.Colour.green()),
        ((0, 1, 2, 4, 3, 5, 7, 6, 8), discord.Colour.light_grey()),
    ],
)
def test_the_colour_says_whether_it_is_decided(
    moves: tuple[int, ...], colour: discord.Colour
) -> None:
    (container,) = english(a_match(moves)).children
    assert isinstance(container, ui.Container)
    assert container.accent_colour == colour


def labels(match: Match) -> list[str | None]:
    """The buttons below the board."""
    buttons = buttons_in(english(match))
    return [button.item.label for button in buttons if isinstance(button, Control)][9:]


@pytest.mark.parametrize(
    ("match", "offered"),
    [
        (drawn(PLAYED), ["Resign"]),
        (against_velha(PLAYED), ["Hint", "Resign"]),
        (against_velha(is_open=True), ["Join", "Hint", "Resign"]),
        (against_velha(PLAYED, is_open=True), ["Hint", "Resign"]),
        (drawn(is_open=True), ["Resign"]),
        (drawn(X_WON), ["Rematch", "Review"]),
        (against_velha(X_WON), ["Rematch", "Review"]),
        (against_velha(X_WON, Level.HARD), ["Rematch", "Up to expert", "Review"]),
        (against_velha(O_WON, Level.HARD), ["Rematch", "Down to medium", "Review"]),
        (against_velha(O_WON, Level.CHILD), ["Rematch", "Review"]),
        (against_velha(DRAW), ["Rematch", "Down to hard", "Review"]),
        (drawn(X_WON, next_id=NEXT), ["Review"]),
        (drawn(PLAYED, early_ending=Ending(How.STOPPED)), ["Review"]),
        (drawn(early_ending=Ending(How.RESIGNED, Mark.X)), ["Rematch"]),
    ],
)
def test_what_is_offered_below_a_board(match: Match, offered: list[str]) -> None:
    assert labels(match) == offered


def test_a_free_cell_shows_its_name_and_a_taken_one_its_mark_alone() -> None:
    buttons = buttons_in(english(drawn(PLAYED)))[:2]
    shown = [one.item for one in buttons if isinstance(one, Control)]
    assert [(one.label, str(one.emoji or "")) for one in shown] == [(None, "❌"), ("B1", "")]


@pytest.mark.parametrize(
    ("match", "styles"),
    [
        (drawn(PLAYED), "1-- -2- ---"),
        (drawn(X_WON), "333 11. ..."),
        (drawn(DRAW), "111 111 121"),
        (drawn(PLAYED, early_ending=Ending(How.RESIGNED, Mark.X)), "1.. .2. ..."),
    ],
)
def test_what_there_is_to_see_is_never_dimmed(match: Match, styles: str) -> None:
    """A mark is lit (1), the last move (2) and a line (3) glow; only an end dims what is free."""
    buttons = buttons_in(english(match))[:9]
    items = [one.item for one in buttons if isinstance(one, Control)]
    seen = [
        "." if item.disabled else "-" if item.label else str(STYLES.index(item.style) + 1)
        for item in items
    ]
    assert "".join(seen) == styles.replace(" ", "")


def test_to_resign_is_red_and_last() -> None:
    last = buttons_in(english(against_velha(PLAYED)))[-1]
    assert isinstance(last, Control)
    assert (last.item.label, last.item.style) == ("Resign", discord.ButtonStyle.danger)


@pytest.mark.parametrize(("match", "is_said"), [(drawn(), False), (drawn(PLAYED), True)])
def test_whoever_resigns_is_told_that_they_lose_once_somebody_moved(
    match: Match, *, is_said: bool
) -> None:
    asked = resign_question(match, AnswerTexts(language_for("en-US")))
    said = str([item.to_component_dict() for item in asked.children])
    assert ("lose the match" in said) is is_said


def test_a_wish_for_a_rematch_stands_above_how_the_two_stand() -> None:
    match = drawn(X_WON, rematch_asked_by=ANA, duel=Duel(won=1))
    text = next(item for item in english(match).walk_children() if isinstance(item, ui.TextDisplay))
    *_, wish, score, footnote = text.content.splitlines()
    assert "wants a rematch" in wish
    assert "2 × 0" in score
    assert footnote.startswith("-# ")


@pytest.mark.parametrize(("next_id", "is_said"), [(None, True), (NEXT, False)])
def test_a_wish_for_a_rematch_is_said_until_there_is_one(
    next_id: int | None, *, is_said: bool
) -> None:
    match = drawn(X_WON, rematch_asked_by=ANA, next_id=next_id)
    said = str([item.to_component_dict() for item in english(match).children])
    assert (f"<@{ANA}> wants a rematch" in said) is is_said
