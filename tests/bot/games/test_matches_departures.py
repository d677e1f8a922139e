"""An opponent who has left the server: whoever stays does not lose by ending the match."""

from __future__ import annotations

import pytest

from tests.bot.games.test_matches_faults import FAULTS
from tests.bot.simulated_guild import Fault, SimulatedGuild

MEMBERS = "/guilds/*/members/*"
LEFT = "A player left the game, so this match doesn't count."


def questions(guild: SimulatedGuild) -> int:
    """How often Discord was asked whether somebody is a member."""
    return sum("/members/" in path for _method, path in guild.requests())


async def start_here(guild: SimulatedGuild) -> None:
    """Ben ends the match by starting another in its place."""
    await guild.start(guild.ben)
    await guild.press(guild.ben, "End mine, play here", guild.page())


async def end(guild: SimulatedGuild, way: str = "Resign") -> str:
    """Ben ends the match; return what only he sees."""
    await (guild.stop(guild.ben) if way == "stop" else guild.resign(guild.ben))
    return guild.page().text


@pytest.mark.parametrize("way", ["stop", "Resign"])
async def test_a_match_ends_without_a_result_if_the_opponent_has_left(
    guild: SimulatedGuild, way: str
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    guild.leave(guild.ana)
    assert await end(guild, way) == LEFT
    assert LEFT in guild.text()
    assert guild.newest().labels == ["Review"], "with whom should there be a rematch?"
    assert not guild.is_live()
    assert questions(guild) == 1


async def test_who_resigns_to_somebody_who_is_still_there_loses(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    assert "You resigned" in await end(guild)
    assert f"{guild.ana.mention} wins!" in guild.text()
    assert questions(guild) == 1


async def test_who_starts_here_instead_does_not_lose_to_somebody_who_has_left(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    guild.leave(guild.ana)
    await start_here(guild)
    ended, new = guild.messages()
    assert LEFT in ended.text
    assert new.board == "... ... ..."
    assert questions(guild) == 1


async def test_who_starts_here_instead_loses_to_somebody_who_is_still_there(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await start_here(guild)
    assert f"{guild.ana.mention} wins!" in guild.messages()[0].text
    assert guild.board() == "... ... ..."


@pytest.mark.parametrize("fault", [*FAULTS.values(), (404, 10013)], ids=[*FAULTS, "unknown user"])
async def test_who_resigns_loses_if_discord_does_not_say_who_is_there(
    guild: SimulatedGuild, fault: Fault
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    guild.leave(guild.ana)
    guild.fail(MEMBERS, fault)
    assert "You resigned" in await end(guild)
    assert f"{guild.ana.mention} wins!" in guild.text()


async def test_where_the_bot_is_no_member_discord_is_not_asked_who_is_there(
    guild: SimulatedGuild,
) -> None:
    guild.make_user_install()
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    guild.leave(guild.ana)
    assert "You resigned" in await end(guild)
    assert questions(guild) == 0


async def test_discord_is_not_asked_who_is_there_at_a_move_or_where_nobody_would_win(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    await guild.ben.slash(guild.channel, "velha stop")
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await guild.press(guild.ben, "Resign")
    await guild.rui.slash(guild.channel, "velha stop")
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await start_here(guild)
    await guild.resign(guild.ben)
    assert questions(guild) == 0
