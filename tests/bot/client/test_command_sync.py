"""When Discord is sent the commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from discord.app_commands.commands import validate_context_menu_name, validate_name

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


def translations(part: Any) -> Iterator[tuple[str, str, bool]]:
    """Each translated text of a command, with its key, and whether it is an option's name."""
    if isinstance(part, list):
        for each in part:
            yield from translations(each)
    elif isinstance(part, dict):
        is_option = "choices" in part or "required" in part
        for key in ("name_localizations", "description_localizations"):
            for text in (part.get(key) or {}).values():
                yield key, text, is_option
        yield from translations(part.get("options"))
        yield from translations(part.get("choices"))


@first_start
async def test_every_language_fits_into_the_commands(guild: SimulatedGuild) -> None:
    """Discord would refuse all commands for one that does not."""
    commands = list(guild.env.backend.commands[None].values())
    assert len(list(translations(commands))) > 100
    for key, text, is_option in translations(commands):
        if key == "name_localizations" and is_option:
            validate_name(text)
        assert 1 <= len(text) <= 100, text
    for menu in (command for command in commands if command["type"] == 2):
        assert menu["name_localizations"]
        for name in menu["name_localizations"].values():
            validate_context_menu_name(name)


@pytest.mark.logs_errors
@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_an_unknown_development_server_is_logged_and_the_bot_goes_on(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    caplog.set_level("INFO")
    guild.settings = replace(guild.settings, dev_guild_id=77)
    guild.env.inject_error("PUT", "/applications/*/guilds/77/commands", status=status, code=code)
    await guild.restart()
    assert "DEV_GUILD_ID: I am not in server 77" in caplog.text
    assert "Synced" not in caplog.text, "the next start tries again"
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."
