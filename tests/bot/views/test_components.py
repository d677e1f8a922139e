"""What every message has to be: small enough for Discord, and with buttons that work for ever."""

from __future__ import annotations

from bot.domain.match_actions import Press
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONGEST, check_limits, spoken_by_all
from tests.bot.simulated_guild import SimulatedGuild
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
