"""Two processes get the same interaction: one answers, and nothing is lost."""

from __future__ import annotations

import asyncio

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
    result = await guild.answer_from_another_process(guild.send_command(guild.rui, "stop"))
    assert result.followups == []
    assert "A moderator ended the match" in guild.text()


async def test_a_match_stopped_before_its_board_is_posted_does_not_look_live(
    guild: SimulatedGuild,
) -> None:
    async def stop() -> None:
        guild.send_command(guild.rui, "stop")
        while guild.is_live():  # noqa: ASYNC110 - the database sets no event
            await asyncio.sleep(0.01)

    guild.before_next_answer(stop)
    await guild.start(guild.ana)
    assert guild.messages()
    for message in guild.messages():
        assert "A moderator ended the match" in message.text
        assert not message.free
