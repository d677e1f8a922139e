"""Restarts, races and repeated presses: exactly one wins, and what is stored is shown."""

from __future__ import annotations

import asyncio

import pytest

from bot.store import Store
from tests.bot.house import TURN_MINUTES, House, told


async def test_a_match_goes_on_after_a_restart_in_mid_game(house: House) -> None:
    await house.challenge()
    await house.press(house.ana, "A1")
    await house.restart()
    await house.play((house.ben, "B2"), (house.ana, "B1"))
    assert house.board() == "xx. .o. ..."


async def test_an_open_challenge_survives_a_restart(house: House) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.restart(politely=True)
    await house.press(house.ben, "Accept")
    assert house.board() == "... ... ..."


async def test_time_that_ran_out_during_a_restart_is_noticed_after_it(house: House) -> None:
    await house.challenge()
    house.env.backend.advance_clock(60 * 60)
    await house.restart()
    await house.env.advance_time(20)
    assert "called off" in house.text()


async def test_two_presses_at_once_by_one_person_move_once(house: House) -> None:
    await house.start(house.ana)
    first, second = await house.press_at_once((house.ana, "A1"), (house.ana, "C3"))
    assert house.board().count("x") == 1
    assert first.response is None or not first.response.ephemeral
    assert "desatualizado" in told(second)


async def test_both_players_at_once_move_once(house: House) -> None:
    await house.challenge()
    answers = await house.press_at_once((house.ana, "A1"), (house.ben, "A1"), (house.ben, "B2"))
    assert house.board() == "x.. ... ..."
    assert all(answer.acknowledged for answer in answers)


async def test_accept_and_cancel_at_once_is_one_of_them(house: House) -> None:
    await house.start(house.ana, opponent=house.ben)
    answers = await house.press_at_once((house.ben, "Accept"), (house.ana, "Cancel"))
    assert "to move" in house.text()
    assert "desatualizado" in told(answers[1])


async def test_rematch_by_both_at_once_opens_at_most_one(house: House) -> None:
    await house.challenge()
    await house.press(house.ana, "Resign")
    answers = await house.press_at_once((house.ana, "Rematch"), (house.ben, "Rematch"))
    assert all(answer.acknowledged for answer in answers)
    assert f"{house.ana.mention} wants a rematch." in house.text()
    await house.press(house.ben, "Rematch")
    assert "to move" in house.text()


async def test_resigning_against_a_move_ends_or_moves_but_not_both(house: House) -> None:
    await house.challenge()
    answers = await house.press_at_once((house.ben, "Resign"), (house.ana, "A1"))
    assert f"{house.ben.mention} resigned" in house.text()
    assert house.board() == "... ... ..."
    assert "desatualizado" in told(answers[1])


async def test_an_old_press_on_a_finished_match_shows_the_rematch_that_followed(
    house: House,
) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "Resign")
    finished = house.seen()
    await house.press(house.ana, "Rematch")
    board = house.board()
    assert "desatualizado" in told(await house.press(house.ana, "Rematch", finished))
    assert house.board() == board


async def test_the_board_on_screen_is_the_board_in_the_store(house: House) -> None:
    await house.challenge()
    await house.press_at_once((house.ana, "A1"), (house.ana, "B1"), (house.ana, "C1"))
    store = await Store.open(house.settings.database_url)
    match = await store.live_match(house.channel.id)
    await store.close()
    assert match is not None
    assert str(match.board) == house.board()
    assert match.version == house.version()


async def test_many_starts_at_once_open_one_match(house: House) -> None:
    records = [house.send_start(who) for who in (house.ana, house.ben, house.rui) * 5]
    await house.env.settle()
    assert len(house.everything_seen()) == 1
    assert all(record.responded for record in records)


async def test_closing_finishes_the_answers_under_way(house: House) -> None:
    await house.challenge()
    house.send_press(house.ana, "C3")
    while not house.cog._at_work:  # noqa: ASYNC110 - the loop turns until it has begun
        await asyncio.sleep(0)
    await house.bots[-1].close()
    assert house.board() == "... ... ..x"


async def test_a_press_while_another_answer_finishes_is_not_taken(house: House) -> None:
    """Its button can be pressed again when the next process is there: the gateway keeps it."""
    await house.challenge()
    house.send_press(house.ana, "C3")
    await house.bots[-1].close()
    late = house.send_press(house.ben, "A1")
    await asyncio.sleep(0)
    assert not late.responded
    assert house.board() in ("... ... ..x", "... ... ...")


@pytest.mark.logs_errors
async def test_a_database_error_does_not_end_the_sweeping(house: House) -> None:
    await house.challenge()
    await house.break_database()
    await house.let_pass(minutes=TURN_MINUTES)
    await house.mend_database()
    await house.env.advance_time(20)
    assert "called off" in house.text()


@pytest.mark.logs_errors
async def test_a_row_nobody_can_read_jams_nothing(house: House) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana)
    await house.start(house.ana, channel=other)
    await house.sql(
        f"UPDATE matches SET o_level = 'GODLIKE' WHERE channel_id = {other.id}"  # noqa: S608 - ours
    )
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()
    await house.start(house.ben, channel=other)
    assert house.seen(other).board == "... ... ..."


async def test_matches_that_time_ended_are_shown_even_where_the_start_is_refused(
    house: House,
) -> None:
    await house.challenge()
    house.stop_sweeping()
    house.env.backend.advance_clock(TURN_MINUTES * 60)
    await house.ben.slash(house.channel, "velha board")
    assert "called off" in house.text()
