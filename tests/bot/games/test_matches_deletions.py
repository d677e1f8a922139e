"""What is deleted in mid-game: no channel stays held, and nothing is tried for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bot.simulated_guild import TURN_MINUTES, SimulatedGuild, private_text

Removal = Callable[[SimulatedGuild], None]


def delete_board(guild: SimulatedGuild) -> None:
    guild.env.backend.delete_message(guild.channel.id, guild.newest().id)


def delete_channel(guild: SimulatedGuild) -> None:
    guild.env.backend.delete_channel(guild.channel.id)


async def is_free(guild: SimulatedGuild) -> bool:
    """Whether a new match can be started at once."""
    await guild.start(guild.rui)
    return f"❌ {guild.rui.mention}'s turn" in guild.text()


def requests_about_boards(guild: SimulatedGuild) -> int:
    return sum("/messages/" in path for _method, path in guild.requests())


async def test_a_deleted_board_is_brought_back_and_played_on(guild: SimulatedGuild) -> None:
    await guild.challenge()
    await guild.press(guild.ana, "A1")
    delete_board(guild)
    await guild.ben.slash(guild.channel, "velha board")
    assert guild.board() == "x.. ... ..."
    await guild.play((guild.ben, "B2"), (guild.ana, "C3"))
    assert guild.board() == "x.. .o. ..x"


async def test_a_move_on_a_just_deleted_board_is_on_the_next_one(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    seen = guild.newest()
    delete_board(guild)
    await guild.press(guild.ana, "A1", seen)
    assert requests_about_boards(guild) == 1
    await guild.ana.slash(guild.channel, "velha board")
    assert guild.board() == "x.. ... ..."


async def test_a_match_whose_board_is_deleted_can_be_resigned(guild: SimulatedGuild) -> None:
    await guild.challenge()
    delete_board(guild)
    await guild.stop(guild.ana)
    assert "Você desistiu" in guild.page().text
    assert f"{guild.ana.mention} resigned" in guild.text(), "everybody sees how it ended"
    assert await is_free(guild)


@pytest.mark.parametrize("remove", [delete_channel, SimulatedGuild.kick_bot])
async def test_a_match_that_nobody_can_see_times_out_after_one_try_to_show_it(
    guild: SimulatedGuild, remove: Removal
) -> None:
    await guild.challenge()
    remove(guild)
    await guild.advance_time(minutes=TURN_MINUTES + 2)
    assert not guild.is_live()
    assert requests_about_boards(guild) == 1


async def test_a_bot_that_is_kicked_and_invited_again_plays_on(guild: SimulatedGuild) -> None:
    await guild.challenge()
    guild.kick_bot()
    await guild.advance_time(minutes=1)
    guild.invite_bot_again()
    await guild.press(guild.ana, "A1")
    assert guild.board() == "x.. ... ..."
    await guild.advance_time(minutes=TURN_MINUTES)
    assert "doesn't count" in guild.text()


async def test_a_permission_removed_in_mid_game_matters_only_at_the_next_start(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.deny_bot("send_messages")
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    assert guild.board() == "x.. .o. ..."
    await guild.stop(guild.ben)
    assert f"{guild.ben.mention} resigned" in guild.messages()[-1].text
    assert private_text(await guild.start(guild.ben)).startswith("I can't ")
    guild.restore_bot_permissions()
    assert await is_free(guild)
