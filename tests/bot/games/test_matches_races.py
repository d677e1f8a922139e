"""Restarts, races and repeated presses: exactly one wins, and what is stored is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord.results import InteractionResult

from bot.domain.match_actions import end_by_moderator
from bot.features import match_messages
from bot.store.matches import compare_and_set
from tests.bot.databases import call
from tests.bot.simulated_guild import TURN_MINUTES, SimulatedGuild, private_text


async def test_a_match_goes_on_after_a_restart_in_mid_game(guild: SimulatedGuild) -> None:
    await guild.challenge()
    await guild.press(guild.ana, "A1")
    await guild.restart()
    await guild.play((guild.ben, "B2"), (guild.ana, "B1"))
    assert guild.board() == "xx. .o. ..."


async def test_a_deadline_that_passed_during_a_restart_is_noticed_after_it(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.env.backend.advance_clock(60 * 60)
    await guild.restart()
    await guild.env.advance_time(20)
    assert "doesn't count" in guild.text()


def refusals_in(answers: list[InteractionResult]) -> list[str]:
    """What those were told whose press did nothing; the others just saw the board change."""
    assert all(answer.acknowledged for answer in answers)
    told_so = [a for a in answers if any(m and m.ephemeral for m in [a.response, *a.followups])]
    return [private_text(answer) for answer in told_so]


async def test_a_double_click_is_one_move_and_not_refused(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    assert refusals_in(await guild.press_at_once(*[(guild.ana, "A1")] * 3)) == []
    assert guild.board().count("x") == 1


async def test_an_old_board_that_cannot_be_edited_stays_as_it_ended(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    guild.fail("/channels/*/messages/*", (403, 50001))
    await guild.press(guild.ana, "Rematch")
    guild.recover()
    old, rematch = guild.messages()
    assert old.labels == ["Review", "Rematch", "▼ child's play", "Puzzle"]
    assert "desatualizado" in private_text(await guild.press(guild.ana, "Rematch", old))
    assert guild.messages()[0].labels == ["Review", "Puzzle"]
    assert guild.messages()[1].payload == rematch.payload


@pytest.mark.parametrize("is_known", [False, True])
async def test_a_board_posted_anew_while_its_match_was_ended_is_redrawn(
    guild: SimulatedGuild, *, is_known: bool
) -> None:
    """Who ended it knew of no message, or of the one before."""
    await guild.challenge()
    old_id = guild.newest().id
    if is_known:
        await guild.ben.slash(guild.channel, "velha board")
    match = guild.live_match()
    assert match is not None
    loaded = replace(match, place=replace(match.place, message_id=old_id if is_known else None))
    saved = call(guild.bots[-1].store, compare_and_set, end_by_moderator(loaded))
    assert saved is not None
    assert await match_messages.redraw(guild.bots[-1].runtime, saved)
    assert "A moderator ended the match" in guild.messages()[-1].text
    assert len(guild.messages()) == 1 + is_known


async def test_timed_out_matches_are_shown_even_if_the_command_is_refused(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.stop_background_tasks()
    guild.env.backend.advance_clock(TURN_MINUTES * 60)
    await guild.ben.slash(guild.channel, "velha board")
    assert "doesn't count" in guild.text()
