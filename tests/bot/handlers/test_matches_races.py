"""Restarts, races and repeated presses: exactly one wins, and what is stored is shown."""

from __future__ import annotations

from simcord.results import InteractionResult

from bot.store.store import Store
from tests.bot.house import TURN_MINUTES, SimulatedGuild, told


async def test_a_match_goes_on_after_a_restart_in_mid_game(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press(house.ana, "A1")
    await house.restart()
    await house.play((house.ben, "B2"), (house.ana, "B1"))
    assert house.board() == "xx. .o. ..."


async def test_an_open_challenge_survives_a_restart(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.restart(politely=True)
    await house.press(house.ben, "Accept")
    assert house.board() == "... ... ..."


async def test_a_deadline_that_passed_during_a_restart_is_noticed_after_it(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.env.backend.advance_clock(60 * 60)
    await house.restart()
    await house.ben.slash(house.channel, "velha help")  # which says what time it is
    await house.env.advance_time(20)
    assert "called off" in house.text()


async def test_no_match_times_out_before_the_time_is_known(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.env.backend.advance_clock(60 * 60)
    await house.restart()
    await house.env.advance_time(60)
    assert "to move" in house.text()


def losers(answers: list[InteractionResult]) -> list[str]:
    """What those were told whose press did nothing; the others just saw the board change."""
    assert all(answer.acknowledged for answer in answers)
    told_so = [a for a in answers if any(m and m.ephemeral for m in [a.response, *a.followups])]
    return [told(answer) for answer in told_so]


async def test_two_concurrent_presses_by_one_person_move_once(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    answers = await house.press_at_once((house.ana, "A1"), (house.ana, "C3"))
    assert house.board().count("x") == 1
    assert ["desatualizado" in sentence for sentence in losers(answers)] == [True]


async def test_a_double_click_is_one_move_and_not_refused(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    assert losers(await house.press_at_once(*[(house.ana, "A1")] * 3)) == []
    assert house.board().count("x") == 1


async def test_concurrent_presses_by_both_players_move_once(house: SimulatedGuild) -> None:
    await house.challenge()
    answers = await house.press_at_once((house.ana, "A1"), (house.ben, "A1"), (house.ben, "B2"))
    assert house.board() == "x.. ... ..."
    assert all(answer.acknowledged for answer in answers)


async def test_an_old_press_on_a_finished_match_shows_that_match_and_not_the_rematch(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    finished = house.seen()
    await house.press(house.ana, "Rematch")
    rematch = house.seen()
    assert "desatualizado" in told(await house.press(house.ana, "Rematch", finished))
    old, new = house.everything_seen()
    assert (old.board, old.labels) == (finished.board, ["Review"])
    assert (new.id, new.payload) == (rematch.id, rematch.payload)


async def test_an_old_board_that_cannot_be_edited_stays_as_it_ended(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    house.fail("/channels/*/messages/*", (403, 50001))
    await house.press(house.ana, "Rematch")
    house.recover()
    old, rematch = house.everything_seen()
    assert old.labels == ["Rematch", "Down to hard", "Review"]
    assert "desatualizado" in told(await house.press(house.ana, "Rematch", old))
    assert house.everything_seen()[0].labels == ["Review"]
    assert house.everything_seen()[1].payload == rematch.payload


async def test_the_board_on_screen_is_the_board_in_the_store(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press_at_once((house.ana, "A1"), (house.ana, "B1"), (house.ana, "C1"))
    store = Store.open(house.settings.database_url)
    match = store.matches.live_in(house.channel.id)
    store.close()
    assert match is not None
    assert str(match.board) == house.board()
    assert match.version == house.version()


async def test_many_concurrent_starts_open_one_match(house: SimulatedGuild) -> None:
    crowd = [house.guild.add_member(house.env.create_user(f"m{number}")) for number in range(50)]
    records = [house.send_start(who) for who in crowd]
    await house.env.settle()
    assert len(house.everything_seen()) == 1
    answers = [InteractionResult(house.env, record) for record in records]
    refused = [told(answer) for answer in answers if answer.response and answer.response.ephemeral]
    assert len(refused) == 49
    assert all("already has a match" in sentence for sentence in refused)


async def test_timed_out_matches_are_shown_even_if_the_command_is_refused(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.stop_sweeping()
    house.env.backend.advance_clock(TURN_MINUTES * 60)
    await house.ben.slash(house.channel, "velha board")
    assert "called off" in house.text()
