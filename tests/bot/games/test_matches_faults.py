"""Requests that fail: what is stored is shown at the next chance, and nothing is done twice."""

from __future__ import annotations

import aiohttp
import pytest

from tests.bot.logged import errors
from tests.bot.simulated_guild import TURN_MINUTES, Fault, SimulatedGuild, private_text

ANSWERS = "/interactions/*/callback"
FOLLOWUPS = "/webhooks/*"
EDITS = "/channels/*/messages/*"
EVERYTHING = "*"

FAULTS: dict[str, Fault] = {
    "unknown interaction": (404, 10062),
    "server error": (500, 0),
    "disconnected": aiohttp.ServerDisconnectedError,
    "timeout": TimeoutError,
}
"""One of each kind that the bot tells apart: Discord refuses, fails, or cannot be reached."""

BROKEN = FAULTS["server error"]


def methods_since(guild: SimulatedGuild, before: int) -> list[str]:
    return [method for method, _path in guild.requests()[before:]]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_move_whose_answer_fails_is_shown_by_one_edit(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(ANSWERS, fault)
    await guild.press(guild.ana, "A1")
    await guild.advance_time(minutes=1)
    assert guild.board() == "x.. ... ..."
    assert methods_since(guild, before) == ["POST", "PATCH"]
    guild.recover()
    await guild.press(guild.ben, "B2")
    assert guild.board() == "x.. .o. ..."
    assert methods_since(guild, before) == ["POST", "PATCH", "POST"]


@pytest.mark.parametrize("fault", [(400, 200000), (403, 50013)], ids=["AutoMod", "permission"])
async def test_a_press_is_acknowledged_if_discord_refuses_the_board(
    guild: SimulatedGuild, fault: Fault
) -> None:
    """Else Discord says that the interaction failed, although the move was stored."""
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(ANSWERS, fault, times=1)
    pressed = await guild.press(guild.ana, "A1")
    assert pressed.acknowledged
    assert pressed.followups == []
    assert guild.board() == "x.. ... ..."
    assert methods_since(guild, before) == ["POST", "POST", "PATCH"]


@pytest.mark.parametrize("fault", [(400, 200000), (403, 50013)], ids=["AutoMod", "permission"])
async def test_who_cannot_be_shown_the_board_at_all_is_told_so(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    guild.fail(ANSWERS, fault, times=1)
    guild.fail(EDITS, fault)
    pressed = await guild.press(guild.ana, "A1")
    assert "/velha board" in private_text(pressed)


@pytest.mark.parametrize("fault", [BROKEN, aiohttp.ServerDisconnectedError])
async def test_a_move_never_shown_is_shown_by_the_next_press(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(EVERYTHING, fault)
    await guild.press(guild.ana, "A1")
    await guild.advance_time(minutes=1)
    assert guild.board() == "... ... ..."
    assert methods_since(guild, before) == ["POST", "PATCH", "POST"], "and a sentence, in vain"
    guild.recover()
    assert "out of date" in private_text(await guild.press(guild.ben, "B2"))
    assert guild.board() == "x.. ... ..."
    await guild.press(guild.ben, "B2")
    assert guild.board() == "x.. .o. ..."


@pytest.mark.parametrize("fault", [BROKEN, aiohttp.ServerDisconnectedError])
async def test_a_refusal_that_cannot_be_sent_is_dropped(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(ANSWERS, fault)
    await guild.press(guild.ben, "A1")
    await guild.advance_time(minutes=1)
    assert methods_since(guild, before) == ["POST", "POST"], "the refusal and the apology"
    guild.recover()
    assert private_text(await guild.press(guild.ben, "A1")) == "It's not your turn."


async def test_an_old_board_is_redrawn_even_if_no_reply_can_be_sent(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.fail(EVERYTHING, BROKEN)
    await guild.press(guild.ana, "A1")
    guild.recover()
    guild.fail(FOLLOWUPS, BROKEN)
    await guild.press(guild.ben, "B2")
    assert guild.board() == "x.. ... ..."


async def test_a_start_that_cannot_be_shown_leaves_the_channel_free(
    guild: SimulatedGuild,
) -> None:
    before = len(guild.requests())
    guild.fail(ANSWERS, BROKEN)
    await guild.start(guild.ana)
    await guild.advance_time(minutes=1)
    assert methods_since(guild, before) == ["POST", "POST"], "the board and the apology"
    guild.recover()
    await guild.start(guild.ben)
    assert f"❌ {guild.ben.mention}'s turn" in guild.text()
    await guild.press(guild.ben, "B2")
    assert guild.board().count("o") == 1


async def test_a_start_that_was_shown_although_the_answer_failed_leaves_the_channel_free(
    guild: SimulatedGuild,
) -> None:
    guild.lose_answers()
    await guild.start(guild.ana)
    guild.recover()
    given_up = guild.newest()
    await guild.start(guild.ben)
    assert f"❌ {guild.ben.mention}'s turn" in guild.text()
    await guild.press(guild.ana, "A1", given_up)
    assert "doesn't count" in guild.messages()[0].text


async def test_a_board_that_cannot_be_reposted_stays_in_play(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.fail(ANSWERS, BROKEN)
    await guild.ben.slash(guild.channel, "velha board")
    guild.recover()
    await guild.press(guild.ana, "A1")
    assert [seen.board for seen in guild.messages()] == ["x.. ... ..."]


async def test_an_old_board_that_cannot_be_retired_points_to_the_new_one(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    old = guild.newest()
    guild.fail(EDITS, BROKEN)
    await guild.ben.slash(guild.channel, "velha board")
    assert f"/{guild.newest().id}" in private_text(await guild.press(guild.ana, "A1", old))
    await guild.press(guild.ana, "A1")
    assert guild.board() == "x.. ... ..."


async def test_a_stop_that_cannot_be_confirmed_is_shown_on_the_board(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.fail(ANSWERS, BROKEN)
    await guild.rui.slash(guild.channel, "velha stop")
    assert "A moderator ended the match" in guild.text()


async def test_a_time_out_that_cannot_be_shown_is_shown_by_the_next_press(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(EDITS, BROKEN)
    await guild.advance_time(minutes=TURN_MINUTES + 2)
    assert methods_since(guild, before) == ["PATCH"]
    guild.recover()
    await guild.press(guild.ben, "B2")
    assert "doesn't count" in guild.text()


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_posted_does_not_hold_the_channel(
    guild: SimulatedGuild,
) -> None:
    guild.env.inject_error("POST", "/interactions/*/callback", status=403, code=50013)
    assert private_text(await guild.start(guild.ben)) == (
        "Something went wrong on my side, and I've made a note of it. Try again."
    )
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."


@pytest.mark.logs_errors
async def test_a_database_error_is_admitted_and_play_goes_on_afterwards(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    await guild.start(guild.ana)
    guild.break_database()
    assert private_text(await guild.press(guild.ana, "B2")).startswith(
        "Não consigo acessar minha memória"
    )
    await guild.press(guild.ana, "B2")
    assert errors(caplog) == ["The database does not answer: no such table: matches"], (
        "once, with cause"
    )
    assert "can't reach my memory" in private_text(await guild.start(guild.ben))
    guild.mend_database()
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
