"""Two processes get the same interaction: one answers, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.bot.house import SimulatedGuild, told


@pytest.mark.parametrize("name", ["board", "help", "start"])
async def test_a_command_that_another_process_answered_is_left_to_it(
    house: SimulatedGuild, name: str
) -> None:
    await house.challenge()
    result = await house.answer_elsewhere(house.send_command(house.ben, name))
    assert result.followups == []
    await house.press(house.ana, "A1")
    assert [seen.board for seen in house.everything_seen()] == ["x.. ... ..."]


async def test_a_refusal_that_another_process_sent_is_not_repeated(house: SimulatedGuild) -> None:
    await house.challenge()
    result = await house.answer_elsewhere(house.send_press(house.ben, "A1"))
    assert result.followups == []


async def test_a_move_that_another_process_answered_is_not_drawn_a_second_time(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    before = len(house.requests())
    result = await house.answer_elsewhere(house.send_press(house.ana, "A1"))
    assert result.followups == []
    assert len(house.requests()) == before + 1
    assert "out of date" in told(await house.press(house.ben, "B2"))
    assert house.board() == "x.. ... ...", "it is shown at the next press"


async def test_a_stop_is_shown_by_the_process_that_stored_it(house: SimulatedGuild) -> None:
    await house.challenge()
    result = await house.answer_elsewhere(house.send_command(house.ben, "stop"))
    assert result.followups == []
    assert f"{house.ben.mention} resigned" in house.text()


async def test_a_start_that_another_process_refused_is_not_live(house: SimulatedGuild) -> None:
    await house.answer_elsewhere(house.send_start(house.ana))
    assert not house.is_live()


async def test_a_start_that_two_processes_get_opens_one_match(house: SimulatedGuild) -> None:
    house.send_command(house.ana, "start", copies=2)
    await house.env.settle()
    await house.ana.slash(house.channel, "velha board")
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1


async def test_a_move_that_two_processes_get_is_made_once(house: SimulatedGuild) -> None:
    await house.challenge()
    house.send_press(house.ana, "A1", copies=2)
    await house.env.settle()
    assert house.board() == "x.. ... ..."


async def test_a_rematch_that_two_processes_get_is_opened_and_shown_once(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    house.send_press(house.ana, "Rematch", copies=2)
    await house.env.settle()
    old, rematch = house.everything_seen()
    assert old.labels == ["Review"]
    assert "Resign" in rematch.labels
    assert house.is_live()
    await house.press(house.ana, rematch.labels[0])
