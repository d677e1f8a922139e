"""What every message has to be: small enough for Discord, and with buttons that work for ever."""

from __future__ import annotations

from bot.domain.match_actions import Press
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONGEST, check_limits, spoken_by_all
from tests.bot.views.examples import (
    EN,
    buttons,
    every_view,
    is_inert,
)


def test_the_longest_views_have_room_for_every_language() -> None:
    with spoken_by_all(LONGEST) as language:
        for view in every_view(language):
            check_limits(view)


def test_every_button_leads_somewhere() -> None:
    for view in every_view(EN):
        for button in buttons(view):
            custom_id = button.custom_id or ""
            leads = parse_page(custom_id) or Press.parse(custom_id)
            assert leads or button.disabled or is_inert(button), custom_id
