"""When Discord is sent the commands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bot.house import SimulatedGuild


async def test_commands_are_not_sent_again_after_a_restart(house: SimulatedGuild) -> None:
    told = ("PUT", f"/applications/{house.env.backend.application_id}/commands")
    assert house.requests().count(told) == 1
    await house.restart()
    assert house.requests().count(told) == 1


async def test_with_a_development_server_only_that_gets_the_commands(house: SimulatedGuild) -> None:
    house.settings = replace(house.settings, dev_guild_id=house.guild.id)
    await house.restart()
    path = f"/applications/{house.env.backend.application_id}/guilds/{house.guild.id}/commands"
    assert ("PUT", path) in house.requests()
    await house.start(house.ana)
    assert house.board() == "... ... ..."


def commands_told(house: SimulatedGuild) -> list[list[str]]:
    """What Discord was told of for every server, and for this one apart."""
    told = house.env.backend.commands
    return [
        [command["name"] for command in told.get(where, {}).values()]
        for where in (None, house.guild.id)
    ]


async def test_a_former_development_server_does_not_show_commands_twice(
    house: SimulatedGuild,
) -> None:
    house.settings = replace(house.settings, dev_guild_id=house.guild.id)
    await house.restart()
    everyone, here = commands_told(house)
    assert len(here) == len(everyone) > 0
    house.settings = replace(house.settings, dev_guild_id=None)
    await house.restart()
    assert commands_told(house) == [everyone, []]
    asked = len(house.requests())
    await house.restart()
    assert not [path for method, path in house.requests()[asked:] if method == "PUT"]


@pytest.mark.logs_errors
@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_an_unknown_development_server_is_logged_and_the_bot_goes_on(
    house: SimulatedGuild, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    house.settings = replace(house.settings, dev_guild_id=77)
    house.env.inject_error("PUT", "/applications/*/guilds/77/commands", status=status, code=code)
    await house.restart()
    assert "DEV_GUILD_ID: I am not in server 77" in caplog.text
    await house.start(house.ana)
    assert house.board() == "... ... ..."
