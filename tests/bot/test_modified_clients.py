"""What a client sends is not trusted: neither what it may choose from nor what it has us draw."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.results import InteractionResult

from tests.bot.house import TURN_MINUTES, SimulatedGuild, told

SENTENCE = "I don't know one of those options"


@pytest.mark.parametrize(
    "options",
    [
        {"board": "6x6x5"},
        {"board": "26x2x3"},
        {"board": "99x99x9"},
        {"board": "300x300x9"},
        {"board": "3x3"},
        {"board": "axbxc"},
        {"board": ""},
        {"board": 5},
        {"level": "X"},
        {"level": "child"},
        {"first": "zzz"},
        {"opponent": "me"},
        {"board": "3x3x3", "no_such_option": "x"},
    ],
)
async def test_an_option_that_is_not_offered_is_refused_and_opens_nothing(
    house: SimulatedGuild, options: dict[str, Any]
) -> None:
    record = house.send_command(house.ben, "start", **options)
    await house.env.settle()
    if "no_such_option" not in options:
        assert SENTENCE in told(InteractionResult(house.env, record))
        assert not house.is_live()
    assert InteractionResult(house.env, record).acknowledged


async def test_a_level_that_is_not_offered_is_not_kept(house: SimulatedGuild) -> None:
    owner = house.guild.add_member(house.env.create_user("owner"))
    house.env.backend.get_guild(house.guild.id).owner_id = owner.id
    for level in ("GODLIKE", "", "impossible"):
        record = house.send_command(owner, "settings", level=level)
        await house.env.settle()
        assert SENTENCE in told(InteractionResult(house.env, record))


async def test_a_command_that_we_do_not_have_any_more_is_answered(house: SimulatedGuild) -> None:
    record = house.send_command(house.ben, "dance")
    await house.env.settle()
    assert SENTENCE in told(InteractionResult(house.env, record))


async def fail(_interaction: discord.Interaction[Any]) -> None:
    raise ValueError("what nobody foresaw")


@pytest.mark.logs_errors
async def test_a_command_that_fails_before_it_has_a_reply_is_told_and_logged(
    house: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    group = house.bots[-1].tree.get_command("velha")
    assert isinstance(group, app_commands.Group)
    group.add_command(app_commands.Command(name="dance", description="...", callback=fail))
    record = house.send_command(house.ben, "dance")
    await house.env.settle()
    assert "Something went wrong" in told(InteractionResult(house.env, record))
    assert "what nobody foresaw" in caplog.text


@pytest.mark.logs_errors
@pytest.mark.parametrize("rules", ["6x6x5", "26x2x3", "99x99x9", "300x300x9"])
async def test_a_stored_board_that_no_message_can_show_disturbs_nobody(
    house: SimulatedGuild, rules: str
) -> None:
    """An older release stored them: whoever comes by frees the channel."""
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana, channel=other)
    await house.start(house.ben)
    house.sql(
        f"UPDATE matches SET rules = '{rules}' WHERE channel_id = {other.id}"  # noqa: S608 - ours
    )
    await house.press(house.ben, "B2")
    assert house.board().count("o") == 1
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()
    assert not house.is_live(other)
    await house.start(house.ana, channel=other)
    assert house.is_live(other)
