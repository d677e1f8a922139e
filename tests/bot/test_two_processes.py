"""Two processes get the same interaction: one answers, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.bot.simulated_guild import SimulatedGuild, private_text


@pytest.mark.parametrize("name", ["board", "help", "start"])
async def test_a_command_that_another_process_answered_is_left_to_it(
    guild: SimulatedGuild, name: str
) -> None:
    await guild.challenge()
    result = await guild.answer_from_another_process(guild.send_command(guild.ben, name))
    assert result.followups == []
    await guild.press(guild.ana, "A1")
    assert [seen.board for seen in guild.messages()] == ["x.. ... ..."]


async def test_a_refusal_that_another_process_sent_is_not_repeated(guild: SimulatedGuild) -> None:
    await guild.challenge()
    result = await guild.answer_from_another_process(guild.send_press(guild.ben, "A1"))
    assert result.followups == []


async def test_a_move_that_another_process_answered_is_not_drawn_a_second_time(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    before = len(guild.requests())
    result = await guild.answer_from_another_process(guild.send_press(guild.ana, "A1"))
    assert result.followups == []
    assert len(guild.requests()) == before + 1
    assert "out of date" in private_text(await guild.press(guild.ben, "B2"))
    assert guild.board() == "x.. ... ...", "it is shown at the next press"


async def test_a_stop_is_shown_by_the_process_that_stored_it(guild: SimulatedGuild) -> None:
    await guild.challenge()
    result = await guild.answer_from_another_process(guild.send_command(guild.ben, "stop"))
    assert result.followups == []
    assert f"{guild.ben.mention} resigned" in guild.text()


async def test_a_start_that_another_process_refused_is_not_live(guild: SimulatedGuild) -> None:
    await guild.answer_from_another_process(guild.send_start(guild.ana))
    assert not guild.is_live()


async def test_a_start_that_two_processes_get_opens_one_match(guild: SimulatedGuild) -> None:
    guild.send_command(guild.ana, "start", copies=2)
    await guild.env.settle()
    await guild.ana.slash(guild.channel, "velha board")
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1


async def test_a_move_that_two_processes_get_is_made_once(guild: SimulatedGuild) -> None:
    await guild.challenge()
    guild.send_press(guild.ana, "A1", copies=2)
    await guild.env.settle()
    assert guild.board() == "x.. ... ..."


async def test_a_rematch_that_two_processes_get_is_opened_and_shown_once(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    guild.send_press(guild.ana, "Rematch", copies=2)
    await guild.env.settle()
    old, rematch = guild.messages()
    assert old.labels == ["Review"]
    assert "Resign" in rematch.labels
    assert guild.is_live()
    await guild.press(guild.ana, rematch.labels[0])
