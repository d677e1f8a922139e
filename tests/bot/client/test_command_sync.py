"""When Discord is sent the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web
from discord.app_commands.commands import validate_context_menu_name, validate_name

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.runtime.database_jobs import DatabaseLimits
from tests.bot.conftest import SyncedCommands
from tests.bot.fake_discord import FakeDiscord, Handler, error, limited
from tests.bot.loop_clock import LoopClock
from tests.bot.simulated_guild import SimulatedGuild

MINUTE = 60

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
    assert "Synced" not in caplog.text
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."


REFUSED = {
    "too many created today": lambda: error(400, 30034),
    "broken": lambda: error(503, 0),
    "long limit": lambda: limited(40_000),
}


_PATIENT = BotLimits(database=DatabaseLimits(answer_seconds=1e6, silent_seconds=1e6))
"""The clock that the tests turn is the database's, too."""


@pytest.mark.logs_errors
@pytest.mark.parametrize("refuse", REFUSED.values(), ids=REFUSED)
async def test_the_bot_runs_without_its_commands_and_tries_again_in_an_hour(
    discord: FakeDiscord,
    settings: Config,
    clock: LoopClock,
    caplog: pytest.LogCaptureFixture,
    refuse: Callable[[], web.Response],
) -> None:
    """Boards need none, and those that Discord has from an earlier start go on working."""

    async def fail(request: web.Request, handler: Handler) -> web.StreamResponse:
        return refuse() if "take_commands" in handler.__name__ else await handler(request)

    caplog.set_level("INFO", "bot.client.command_sync")
    discord.fault = fail
    async with discord.connected(VelhaBot(settings, limits=_PATIENT)):
        await discord.wait_for_sessions()
        message = await discord.start(11, 1000)
        await discord.press(11, "B2", message)
        assert message.board.count("x") == 1
        await discord.wait_until(lambda: discord.requests["take_commands"] == 1)
        await clock.turn(MINUTE)
        assert discord.requests["take_commands"] == 1
        await clock.turn(58 * MINUTE, step=MINUTE)
        await clock.turn_until(lambda: discord.requests["take_commands"] == 2)
        assert caplog.text.count("The commands could not be synced") == 1
        discord.fault = None
        # discord.py's loop goes by the host's clock
        await clock.turn(118 * MINUTE, step=MINUTE)
        await clock.turn_until(lambda: "Synced the commands of 1 in every" in caplog.text)
        after = discord.requests["take_commands"]
        await clock.turn(121 * MINUTE, step=60)
        assert discord.requests["take_commands"] == after, "once it has worked"
