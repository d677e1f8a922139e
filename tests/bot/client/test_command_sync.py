"""When Discord is sent the commands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bot.simulated_guild import SimulatedGuild


async def test_commands_are_not_sent_again_after_a_restart(guild: SimulatedGuild) -> None:
    told = ("PUT", f"/applications/{guild.env.backend.application_id}/commands")
    assert guild.requests().count(told) == 1
    await guild.restart()
    assert guild.requests().count(told) == 1


async def test_with_a_development_server_only_that_gets_the_commands(guild: SimulatedGuild) -> None:
    guild.settings = replace(guild.settings, dev_guild_id=guild.handle.id)
    await guild.restart()
    path = f"/applications/{guild.env.backend.application_id}/guilds/{guild.handle.id}/commands"
    assert ("PUT", path) in guild.requests()
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."


def synced_commands(guild: SimulatedGuild) -> list[list[str]]:
    """What Discord was told of for every server, and for this one apart."""
    told = guild.env.backend.commands
    return [
        [command["name"] for command in told.get(where, {}).values()]
        for where in (None, guild.handle.id)
    ]


async def test_a_former_development_server_does_not_show_commands_twice(
    guild: SimulatedGuild,
) -> None:
    guild.settings = replace(guild.settings, dev_guild_id=guild.handle.id)
    await guild.restart()
    everyone, here = synced_commands(guild)
    assert len(here) == len(everyone) > 0
    guild.settings = replace(guild.settings, dev_guild_id=None)
    await guild.restart()
    assert synced_commands(guild) == [everyone, []]
    asked = len(guild.requests())
    await guild.restart()
    assert not [path for method, path in guild.requests()[asked:] if method == "PUT"]


@pytest.mark.logs_errors
@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_an_unknown_development_server_is_logged_and_the_bot_goes_on(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    guild.settings = replace(guild.settings, dev_guild_id=77)
    guild.env.inject_error("PUT", "/applications/*/guilds/77/commands", status=status, code=code)
    await guild.restart()
    assert "DEV_GUILD_ID: I am not in server 77" in caplog.text
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."
