"""The commands: what they are called in each language is in `tests/transcripts`."""

from __future__ import annotations

from discord.app_commands import Command

from bot.client.cog import Velha
from bot.client.routes import ROUTES
from tests.bot.simulated_guild import SimulatedGuild


def test_command_names_are_the_same_everywhere(guild: SimulatedGuild) -> None:
    command = guild.env.backend.find_command("velha", guild.handle.id)
    assert command is not None
    assert not command.get("name_localizations")
    names = [subcommand["name"] for subcommand in command["options"]]
    assert names == [
        *("start", "board", "stop", "review", "replay"),
        *("puzzle", "learn", "settings", "help", "privacy", "stats", "ranking"),
    ]
    assert not any(subcommand.get("name_localizations") for subcommand in command["options"])


def test_every_command_has_a_route(guild: SimulatedGuild) -> None:
    commands = [*guild.bots[-1].tree.walk_commands()]
    names = {command.name for command in commands if isinstance(command, Command)}
    assert names - ROUTES.keys() == {"tictactoe"}, "that is `start`"


def test_every_command_and_every_option_says_what_it_is_for() -> None:
    """Where it says nothing, Discord shows an ellipsis."""
    leaves = [leaf for leaf in Velha.__cog_app_commands__ if isinstance(leaf, Command)]
    described = {leaf.name: str(leaf.description) for leaf in leaves}
    for leaf in leaves:
        described |= {f"{leaf.name} {one.name}": str(one.description) for one in leaf.parameters}
    assert len(described) == 20
    assert [name for name, said in described.items() if said in {"", "…"}] == []
