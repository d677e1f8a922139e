"""What Discord does to us: what is stored is shown at the next chance, and nothing is repeated."""

from __future__ import annotations

import aiohttp
import pytest

from tests.bot.house import TURN_MINUTES, Fault, SimulatedGuild, told

ANSWERS = "/interactions/*/callback"
FOLLOWUPS = "/webhooks/*"
EDITS = "/channels/*/messages/*"
EVERYTHING = "*"

FAULTS: dict[str, Fault] = {
    "unknown interaction": (404, 10062),
    "unknown message": (404, 10008),
    "unknown channel": (404, 10003),
    "missing access": (403, 50001),
    "missing permissions": (403, 50013),
    "expired token": (401, 50027),
    "archived thread": (400, 50083),
    "rate limit": (429, 0),
    "server error": (500, 0),
    "unavailable": (503, 0),
    "disconnected": aiohttp.ServerDisconnectedError,
    "reset": ConnectionResetError,
    "timeout": TimeoutError,
}
every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
some_faults = pytest.mark.parametrize(
    "fault", [(404, 10062), (500, 0), aiohttp.ServerDisconnectedError]
)


def methods_since(house: SimulatedGuild, before: int) -> list[str]:
    return [method for method, _path in house.requests()[before:]]


@every_fault
async def test_a_move_whose_answer_fails_is_shown_by_one_edit(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    before = len(house.requests())
    house.fail(ANSWERS, fault)
    await house.press(house.ana, "A1")
    await house.let_pass(minutes=1)
    assert house.board() == "x.. ... ..."
    assert methods_since(house, before) == ["POST", "PATCH"]
    house.recover()
    await house.press(house.ben, "B2")
    assert house.board() == "x.. .o. ..."
    assert methods_since(house, before) == ["POST", "PATCH", "POST"]


@every_fault
async def test_a_move_never_shown_is_shown_by_the_next_press(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    before = len(house.requests())
    house.fail(EVERYTHING, fault)
    await house.press(house.ana, "A1")
    await house.let_pass(minutes=1)
    assert house.board() == "... ... ..."
    assert methods_since(house, before) == ["POST", "PATCH", "POST"], "and a sentence, in vain"
    house.recover()
    assert "out of date" in told(await house.press(house.ben, "B2"))
    assert house.board() == "x.. ... ..."
    await house.press(house.ben, "B2")
    assert house.board() == "x.. .o. ..."


@some_faults
async def test_a_move_never_shown_is_shown_by_velha_board(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    house.fail(EVERYTHING, fault)
    await house.press(house.ana, "A1")
    house.recover()
    await house.ben.slash(house.channel, "velha board")
    assert house.board() == "x.. ... ..."


async def test_a_whole_match_can_be_played_while_every_answer_fails(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    house.fail(ANSWERS, (404, 10062))
    await house.play((house.ben, "Accept"), (house.ana, "A1"), (house.ben, "B2"))
    await house.play((house.ana, "B1"), (house.ben, "C3"), (house.ana, "C1"))
    assert house.board() == "xxx .o. ..o"
    await house.press(house.ana, "Rematch")
    assert f"{house.ana.mention} wants a rematch" in house.text()


@some_faults
async def test_a_rematch_that_cannot_be_shown_leaves_the_channel_free(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    house.fail(ANSWERS, fault)
    await house.press(house.ana, "Rematch")
    assert not house.is_live()
    house.recover()
    await house.start(house.ben)
    assert house.is_live()


async def test_a_move_that_was_shown_although_the_answer_failed_is_made_once(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.lose_answers()
    await house.press(house.ana, "A1")
    house.recover()
    await house.press(house.ben, "B2")
    assert house.board() == "x.. .o. ..."


@some_faults
async def test_a_refusal_that_cannot_be_said_is_given_up(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    before = len(house.requests())
    house.fail(ANSWERS, fault)
    await house.press(house.ben, "A1")
    await house.let_pass(minutes=1)
    assert methods_since(house, before) == ["POST", "POST"], "the refusal and the apology"
    house.recover()
    assert told(await house.press(house.ben, "A1")) == "It's not your turn."


@some_faults
async def test_an_old_board_is_redrawn_even_if_nothing_can_be_said(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    house.fail(EVERYTHING, fault)
    await house.press(house.ana, "A1")
    house.recover()
    house.fail(FOLLOWUPS, fault)
    await house.press(house.ben, "B2")
    assert house.board() == "x.. ... ..."


@every_fault
async def test_a_start_that_cannot_be_shown_leaves_the_channel_free(
    house: SimulatedGuild, fault: Fault
) -> None:
    before = len(house.requests())
    house.fail(ANSWERS, fault)
    await house.start(house.ana)
    await house.let_pass(minutes=1)
    assert methods_since(house, before) == ["POST", "POST"], "the board and the apology"
    house.recover()
    await house.start(house.ben)
    assert f"❌ {house.ben.mention} to move" in house.text()
    await house.press(house.ben, "B2")
    assert house.board().count("o") == 1


async def test_a_start_that_was_shown_although_the_answer_failed_leaves_the_channel_free(
    house: SimulatedGuild,
) -> None:
    house.lose_answers()
    await house.start(house.ana)
    house.recover()
    given_up = house.seen()
    await house.start(house.ben)
    assert f"❌ {house.ben.mention} to move" in house.text()
    await house.press(house.ana, "A1", given_up)
    assert "called off" in house.everything_seen()[0].text


@some_faults
async def test_a_board_that_cannot_be_brought_down_stays_in_play(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    house.fail(ANSWERS, fault)
    await house.ben.slash(house.channel, "velha board")
    house.recover()
    await house.press(house.ana, "A1")
    assert [seen.board for seen in house.everything_seen()] == ["x.. ... ..."]


@some_faults
async def test_an_old_board_that_cannot_be_retired_points_to_the_new_one(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    old = house.seen()
    house.fail(EDITS, fault)
    await house.ben.slash(house.channel, "velha board")
    assert f"/{house.seen().id}" in told(await house.press(house.ana, "A1", old))
    await house.press(house.ana, "A1")
    assert house.board() == "x.. ... ..."


@some_faults
async def test_a_stop_that_cannot_be_confirmed_is_on_the_board(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    house.fail(ANSWERS, fault)
    await house.ana.slash(house.channel, "velha stop")
    assert f"{house.ana.mention} resigned" in house.text()


@every_fault
async def test_an_end_by_time_that_cannot_be_shown_is_shown_by_the_next_press(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    before = len(house.requests())
    house.fail(EDITS, fault)
    await house.let_pass(minutes=TURN_MINUTES + 2)
    assert methods_since(house, before) == ["PATCH"]
    house.recover()
    await house.press(house.ben, "B2")
    assert "called off" in house.text()
