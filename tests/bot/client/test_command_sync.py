"""When Discord is sent the commands."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from discord import app_commands
from discord.app_commands import ContextMenu, TranslationContext, TranslationContextLocation

from bot.client.command_choices import LEVELS
from bot.client.command_sync import check_fits
from tests.bot.conftest import SyncedCommands
from tests.bot.simulated_guild import SimulatedGuild

first_start = pytest.mark.parametrize("synced_at_start", [SyncedCommands()])


@first_start
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


@first_start
async def test_every_language_fits_into_the_commands(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    assert guild.env.backend.commands[None]
    logged = [record.getMessage() for record in caplog.get_records("setup")]
    assert not [line for line in logged if "English shows instead" in line]


@app_commands.command(description="Start a match")
async def start(_interaction: discord.Interaction, level: str) -> None:
    assert level


async def menu(_interaction: discord.Interaction, _user: discord.User) -> None: ...


Context = app_commands.TranslationContextTypes
OF_AN_OPTION: Context = TranslationContext(
    TranslationContextLocation.parameter_name, start.parameters[0]
)
OF_A_COMMAND: Context = TranslationContext(TranslationContextLocation.command_description, start)
OF_A_CHOICE: Context = TranslationContext(TranslationContextLocation.choice_name, LEVELS[0])
OF_A_MENU: Context = TranslationContext(
    TranslationContextLocation.command_name, ContextMenu(name="Results", callback=menu)
)


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (OF_AN_OPTION, "nível"),
        (OF_AN_OPTION, "स्तर"),
        (OF_AN_OPTION, "ระดับ"),
        (OF_AN_OPTION, "n" * 32),
        (OF_A_COMMAND, "n" * 100),
        (OF_A_CHOICE, "n" * 100),
        (OF_A_MENU, "n" * 32),
    ],
)
def test_translations_that_discord_takes(context: Context, text: str) -> None:
    check_fits(text, context)


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (OF_AN_OPTION, "Nível"),
        (OF_AN_OPTION, "two words"),
        (OF_AN_OPTION, "n" * 33),
        (OF_A_COMMAND, "n" * 101),
        (OF_A_CHOICE, "n" * 101),
        (OF_A_MENU, "n" * 33),
    ],
)
def test_translations_that_discord_refuses(context: Context, text: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        check_fits(text, context)


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
