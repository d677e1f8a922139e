"""What every message has to be: small enough for Discord, and with buttons that work for ever."""

from __future__ import annotations

import re

import pytest

from bot.domain.analysis import Hint, HintPage, Review, ReviewPage
from bot.domain.match_actions import Press
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONG, WIDE, check_limits, english_in, spoken_by_all, texts_of
from tests.bot.simulated_guild import SimulatedGuild
from tests.bot.views.examples import (
    EN,
    MARKS,
    advice_on,
    buttons,
    every_view,
    games,
    is_inert,
    judged,
    squares,
    text_of,
    unfinished,
)


@pytest.mark.parametrize("made_up", [LONG, WIDE], ids=["long", "wide"])
def test_every_view_has_room_for_every_language(made_up: Language) -> None:
    with spoken_by_all(made_up) as language:
        for view in every_view(language):
            check_limits(view)
            assert view.timeout is None
            assert not re.search(r"[{}]|\bNone\b", text_of(view)), "a placeholder is not filled"
            if made_up is WIDE:
                assert not english_in("\n".join(texts_of(view)))


def test_every_button_leads_somewhere() -> None:
    active = {
        button.custom_id or ""
        for view in every_view(EN)
        for button in buttons(view)
        if not (button.disabled or is_inert(button))
    }
    for custom_id in active:
        assert parse_page(custom_id) or Press.parse(custom_id), custom_id


def test_every_board_shows_its_marks_and_names_its_free_cells() -> None:
    for game in games():
        record = unfinished(game)[-1]
        view = review_view(Review(ReviewPage(record, 0), judged(record)), EN)
        for cell, square in squares(view, game.rules).items():
            assert square.label == game.rules.coordinate(cell)
            assert is_inert(square)
        board = record.boards[-1]
        for cell, square in squares(
            hint_view(Hint(HintPage(record), advice_on(board)), EN), game.rules
        ).items():
            assert str(square.emoji) == MARKS[board[cell]]
            assert square.disabled == (cell == board.vanishing)
            assert square.disabled or is_inert(square) == (board[cell] is not None)


async def test_buttons_answer_after_every_kind_of_message_was_sent_and_retired(
    guild: SimulatedGuild,
) -> None:
    other = guild.handle.create_text_channel("outro")
    await guild.start(guild.ana, channel=other)
    elsewhere = guild.newest(other)
    for _ in range(2):
        await guild.challenge()
        await guild.ana.slash(guild.channel, "velha board")
        await guild.play((guild.ana, "A1"), (guild.ana, "Resign"), (guild.ana, "Rematch"))
        await guild.start(guild.ben, opponent=guild.ana)
        await guild.press(guild.ana, "Decline")
    await guild.press(guild.ana, "B2", elsewhere)
    assert guild.newest(other).board.count("o") == 1
