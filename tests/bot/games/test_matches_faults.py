"""Requests that fail: what is stored is shown at the next chance, and nothing is done twice."""

from __future__ import annotations

import aiohttp
import pytest

from bot.domain.match_actions import MatchAction
from bot.domain.matches import Match, MatchOpened
from tests.bot.backend import App
from tests.bot.example_matches import ANA, BEN, NEXT_MATCH, UNPOSTED, make_bot_match, make_match
from tests.bot.simulated_guild import TURN_MINUTES, Fault, SimulatedGuild, private_text

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
some_faults = pytest.mark.parametrize("fault", [(500, 0), aiohttp.ServerDisconnectedError])


def methods_since(guild: SimulatedGuild, before: int) -> list[str]:
    return [method for method, _path in guild.requests()[before:]]


@every_fault
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


@some_faults
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


@some_faults
async def test_a_move_never_shown_is_shown_by_the_board_command(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    guild.fail(EVERYTHING, fault)
    await guild.press(guild.ana, "A1")
    guild.recover()
    await guild.ben.slash(guild.channel, "velha board")
    assert guild.board() == "x.. ... ..."


async def test_a_whole_match_can_be_played_while_every_answer_fails(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    guild.fail(ANSWERS, (404, 10062))
    await guild.play((guild.ben, "Accept"), (guild.ana, "A1"), (guild.ben, "B2"))
    await guild.play((guild.ana, "B1"), (guild.ben, "C3"), (guild.ana, "C1"))
    assert guild.board() == "xxx .o. ..o"
    await guild.press(guild.ana, "Rematch")
    assert f"{guild.ana.mention} wants a rematch" in guild.text()


@some_faults
async def test_a_rematch_that_cannot_be_shown_leaves_the_channel_free(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.start(guild.ana)
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    guild.fail(ANSWERS, fault)
    await guild.press(guild.ana, "Rematch")
    assert not guild.is_live()
    guild.recover()
    await guild.start(guild.ben)
    assert guild.is_live()


async def test_a_move_that_was_shown_although_the_answer_failed_is_made_once(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.lose_answers()
    await guild.press(guild.ana, "A1")
    guild.recover()
    await guild.press(guild.ben, "B2")
    assert guild.board() == "x.. .o. ..."


@some_faults
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


@some_faults
async def test_an_old_board_is_redrawn_even_if_no_reply_can_be_sent(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    guild.fail(EVERYTHING, fault)
    await guild.press(guild.ana, "A1")
    guild.recover()
    guild.fail(FOLLOWUPS, fault)
    await guild.press(guild.ben, "B2")
    assert guild.board() == "x.. ... ..."


@some_faults
async def test_a_start_that_cannot_be_shown_leaves_the_channel_free(
    guild: SimulatedGuild, fault: Fault
) -> None:
    before = len(guild.requests())
    guild.fail(ANSWERS, fault)
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


@some_faults
async def test_a_board_that_cannot_be_reposted_stays_in_play(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    guild.fail(ANSWERS, fault)
    await guild.ben.slash(guild.channel, "velha board")
    guild.recover()
    await guild.press(guild.ana, "A1")
    assert [seen.board for seen in guild.messages()] == ["x.. ... ..."]


@some_faults
async def test_an_old_board_that_cannot_be_retired_points_to_the_new_one(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    old = guild.newest()
    guild.fail(EDITS, fault)
    await guild.ben.slash(guild.channel, "velha board")
    assert f"/{guild.newest().id}" in private_text(await guild.press(guild.ana, "A1", old))
    await guild.press(guild.ana, "A1")
    assert guild.board() == "x.. ... ..."


@some_faults
async def test_a_stop_that_cannot_be_confirmed_is_shown_on_the_board(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    guild.fail(ANSWERS, fault)
    await guild.rui.slash(guild.channel, "velha stop")
    assert "A moderator ended the match" in guild.text()


@some_faults
async def test_a_time_out_that_cannot_be_shown_is_shown_by_the_next_press(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    guild.fail(EDITS, fault)
    await guild.advance_time(minutes=TURN_MINUTES + 2)
    assert methods_since(guild, before) == ["PATCH"]
    guild.recover()
    await guild.press(guild.ben, "B2")
    assert "doesn't count" in guild.text()


# A match that could not be shown


async def test_a_match_that_could_not_be_shown_frees_its_channel(app: App) -> None:
    match = app.add(make_match(place=UNPOSTED))
    await app.matches.abandon(match)
    assert not app.load(match).is_live


@pytest.mark.parametrize(
    ("before", "asked"),
    [(make_match("xxx oo. ...", rematch_asked_by=BEN), BEN), (make_bot_match("xxx oo. ..."), None)],
)
async def test_a_rematch_that_could_not_be_shown_may_be_asked_for_again(
    app: App, before: Match, asked: int | None
) -> None:
    app.add(before)
    opened = await app.press(before, MatchAction.REMATCH, ANA)
    assert isinstance(opened, MatchOpened)
    await app.matches.abandon(opened.match, *opened.also_changed)
    assert not app.load(opened.match).is_live
    stands = app.load(before)
    assert stands.rematch_asked_by == asked
    again = await app.press(stands, MatchAction.REMATCH, ANA, interaction_id=NEXT_MATCH + 1)
    assert isinstance(again, MatchOpened)


async def test_a_match_that_another_process_showed_stays_live(app: App) -> None:
    match = app.add(make_match(place=UNPOSTED))
    await app.matches.record_shown(match, 100)
    await app.matches.abandon(match)
    assert app.load(match).is_live


# One request that fails


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
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["The database does not answer: no such table: matches"], "once, with cause"
    assert "can't reach my memory" in private_text(await guild.start(guild.ben))
    guild.mend_database()
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
