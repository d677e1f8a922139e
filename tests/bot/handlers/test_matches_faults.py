"""Requests that fail: what is stored is shown at the next chance, and nothing is done twice."""

from __future__ import annotations

import aiohttp
import pytest

from bot.client.bot import VelhaBot
from bot.domain.match_actions import BoardChanged, MatchAction, MatchOutcome
from bot.domain.matches import Match, MatchOpened, MatchStopped
from bot.domain.refusals import Refusal, RefusalReason
from tests.bot.backend import Room
from tests.bot.drawn import ANA, BEN, NEXT, UNSHOWN, against_velha, drawn
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
async def test_a_move_never_shown_is_shown_by_the_board_command(
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
async def test_a_refusal_that_cannot_be_sent_is_dropped(
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
async def test_an_old_board_is_redrawn_even_if_no_reply_can_be_sent(
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
async def test_a_board_that_cannot_be_reposted_stays_in_play(
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
async def test_a_stop_that_cannot_be_confirmed_is_shown_on_the_board(
    house: SimulatedGuild, fault: Fault
) -> None:
    await house.challenge()
    house.fail(ANSWERS, fault)
    await house.ana.slash(house.channel, "velha stop")
    assert f"{house.ana.mention} resigned" in house.text()


@every_fault
async def test_a_time_out_that_cannot_be_shown_is_shown_by_the_next_press(
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


# What comes too late for an answer


async def test_a_match_opened_too_late_to_be_shown_frees_its_channel(
    room: Room, unconnected_bot: VelhaBot
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await unconnected_bot.handlers.matches.show_late(MatchOpened(match))
    assert not room.stands(match).is_live


@pytest.mark.parametrize(
    "late",
    [
        Refusal(RefusalReason.CHANNEL_BUSY, drawn(place=UNSHOWN)),
        BoardChanged(drawn(place=UNSHOWN)),
        MatchStopped(drawn(place=UNSHOWN)),
    ],
)
async def test_other_late_outcomes_end_no_match(
    room: Room, unconnected_bot: VelhaBot, late: MatchOutcome
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await unconnected_bot.handlers.matches.show_late(late)
    assert room.stands(match) == match


@pytest.mark.logs_errors  # there is no connection by which to draw the old board
@pytest.mark.parametrize(
    ("before", "asked"),
    [(drawn("xxx oo. ...", rematch_asked_by=BEN), BEN), (against_velha("xxx oo. ..."), None)],
)
async def test_a_rematch_opened_too_late_may_be_asked_for_again(
    room: Room, unconnected_bot: VelhaBot, before: Match, asked: int | None
) -> None:
    room.put(before)
    opened = await room.press(before, MatchAction.REMATCH, ANA)
    assert isinstance(opened, MatchOpened)
    await unconnected_bot.handlers.matches.show_late(opened)
    assert not room.stands(opened.match).is_live
    stands = room.stands(before)
    assert stands.rematch_asked_by == asked
    again = await room.press(stands, MatchAction.REMATCH, ANA, interaction_id=NEXT + 1)
    assert isinstance(again, MatchOpened)


async def test_a_late_match_that_another_process_showed_stays_live(
    room: Room, unconnected_bot: VelhaBot
) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await room.services.matches.record_shown(match, 100)
    await unconnected_bot.handlers.matches.show_late(MatchOpened(match))
    assert room.stands(match).is_live


# One request that fails


@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_posted_does_not_hold_the_channel(
    house: SimulatedGuild,
) -> None:
    house.env.inject_error("POST", "/interactions/*/callback", status=403, code=50013)
    assert told(await house.start(house.ben)) == (
        "Something went wrong on my side. I've made a note of it."
    )
    await house.start(house.ana)
    assert house.board() == "... ... ..."


async def test_a_move_that_could_not_be_shown_in_the_response_is_shown_by_an_edit(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    house.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062)
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1


@pytest.mark.parametrize("error", [aiohttp.ServerDisconnectedError, ConnectionResetError])
async def test_a_broken_connection_is_like_a_failed_response(
    house: SimulatedGuild, error: type[Exception]
) -> None:
    await house.start(house.ana)
    house.break_connection(error, "/interactions/")
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1


@pytest.mark.logs_errors
async def test_a_connection_that_breaks_at_a_start_does_not_hold_the_channel(
    house: SimulatedGuild,
) -> None:
    house.break_connection(aiohttp.ServerDisconnectedError, "/interactions/")
    assert "Something went wrong" in told(await house.start(house.ben))
    await house.start(house.ana)
    assert house.board() == "... ... ..."


@pytest.mark.logs_errors
async def test_a_database_error_is_admitted_and_play_goes_on_afterwards(
    house: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    await house.start(house.ana)
    house.break_database()
    assert told(await house.press(house.ana, "B2")).startswith("Não consigo acessar minha memória")
    logged = [
        record.getMessage() for record in caplog.records if record.name == "bot.messaging.replies"
    ]
    assert logged == ["There is no answer: no such table: matches"], "one line, with the cause"
    assert "can't reach my memory" in told(await house.start(house.ben))
    house.mend_database()
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1
