"""The cog: all commands and their options. Every press arrives here, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, locale_str
from discord.ext import commands

from bot.client.command_choices import BOARDS, FIRSTS, LEVELS, SERVER_LEVELS
from bot.client.routes import ROUTES, find_route
from bot.domain.stats import RankingPage
from bot.features import analysis, puzzles
from bot.messaging.interactions import Interaction, Person
from bot.runtime.frame import Frame
from bot.runtime.runtime import Runtime

Callback = TypeVar("Callback", bound=Callable[..., Any])


def _with_start_options(callback: Callback) -> Callback:
    """Name, describe and list the options of a command that starts a match."""
    callback = app_commands.rename(
        # Translators, from here on: the name of an option of a command, which is typed: at most 32
        # small letters, without spaces.
        opponent=locale_str("opponent"),
        board=locale_str("board"),
        level=locale_str("level"),
        first=locale_str("first"),
    )(callback)
    callback = app_commands.describe(
        # Translators, from here on: shown beside a command or an option while someone types it:
        # at most 100 letters.
        opponent=locale_str("Who to challenge; leave empty to play me"),
        board=locale_str("Which game to play; default: this server's"),
        level=locale_str("How well I play; default: this server's level, or your next one"),
        first=locale_str("Who goes first, as ❌; default: you"),
    )(callback)
    return app_commands.choices(board=BOARDS, level=LEVELS, first=FIRSTS)(callback)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Velha(
    commands.GroupCog,
    group_name="velha",
    group_description=locale_str("Play tic-tac-toe with buttons"),
):
    """Passes commands and presses to their functions; Discord lists commands in this order."""

    def __init__(self, runtime: Runtime, frame: Frame) -> None:
        self._runtime = runtime
        self._frame = frame

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press on any button or select; commands go their own way."""
        if interaction.type is discord.InteractionType.component:
            assert interaction.data is not None, "a press has data"
            custom_id = str(interaction.data.get("custom_id"))
            route, asked = find_route(custom_id)
            await self._frame.run(interaction, route, *asked)

    @app_commands.command(description=locale_str("Start a match against me or someone else"))
    @_with_start_options
    async def start(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        board: str | None = None,
        level: str | None = None,
        first: str | None = None,
    ) -> None:
        options = {"board": board, "level": level, "first": first}
        await self._frame.run(interaction, ROUTES["start"], opponent, **options)

    @app_commands.command(description=locale_str("Bring this channel's board back to the bottom"))
    async def board(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["board"])

    @app_commands.command(
        description=locale_str("Resign, cancel a challenge, or end a match as a moderator")
    )
    async def stop(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["stop"])

    @app_commands.command(description=locale_str("Review this channel's last match"))
    async def review(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["review"])

    @app_commands.command(description=locale_str("Step through any finished match"))
    # Translators, from here on: names of options have at most 32 small letters, without spaces;
    # what describes a command or an option, at most 100 letters.
    @app_commands.rename(code=locale_str("code"))
    @app_commands.describe(code=locale_str("From the match's review, under More"))
    async def replay(self, interaction: Interaction, code: str) -> None:
        record = analysis.parse_code(code)
        has_game = record is not None  # a mistyped code costs nothing
        route = replace(ROUTES["replay"], has_cooldown=has_game)
        await self._frame.run(interaction, route, record)

    @app_commands.command(description=locale_str("Find the one good move in today's puzzle"))
    @app_commands.rename(day=locale_str("day"))
    @app_commands.describe(day=locale_str("A past day, such as 2026-11-21; default: today"))
    async def puzzle(self, interaction: Interaction, day: str | None = None) -> None:
        await self._frame.run(interaction, ROUTES["puzzle"], day)

    @puzzle.autocomplete("day")
    async def suggest_days(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        return await puzzles.suggest_days(self._runtime, interaction, typed)

    @app_commands.command(description=locale_str("Learn how I find the best move"))
    async def learn(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["learn"])

    @app_commands.command(description=locale_str("See or change this server's settings"))
    @app_commands.rename(level=locale_str("level"))
    @app_commands.describe(level=locale_str("How well I play here, unless someone picks a level"))
    @app_commands.choices(level=SERVER_LEVELS)
    async def settings(self, interaction: Interaction, level: str | None = None) -> None:
        await self._frame.run(interaction, ROUTES["settings"], level)

    @app_commands.command(description=locale_str("See what I can do and how to play"))
    async def help(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["help"])

    @app_commands.command(description=locale_str("See, download or delete what I keep about you"))
    async def privacy(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["privacy"])

    @app_commands.command(description=locale_str("See your results, or someone else's"))
    @app_commands.rename(member=locale_str("member"))
    @app_commands.describe(member=locale_str("Whose results; default: yours"))
    async def stats(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await self._frame.run(interaction, ROUTES["stats"], member)

    @app_commands.command(description=locale_str("See who's doing best in this server"))
    async def ranking(self, interaction: Interaction) -> None:
        await self._frame.run(interaction, ROUTES["ranking"], RankingPage())

    async def answer_error(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Say why a command was not run."""
        await self._frame.run(interaction, ROUTES["unknown command"], error)


def tictactoe_command(frame: Frame) -> app_commands.Command[Any, ..., None]:
    """`/tictactoe`: `/velha start` for people who look for the game by its English name."""

    @app_commands.command(description=locale_str("Start a match against me or someone else"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @_with_start_options
    async def tictactoe(
        interaction: Interaction,
        opponent: discord.User | None = None,
        board: str | None = None,
        level: str | None = None,
        first: str | None = None,
    ) -> None:
        options = {"board": board, "level": level, "first": first}
        await frame.run(interaction, ROUTES["start"], opponent, **options)

    return tictactoe


def context_menus(frame: Frame) -> list[app_commands.ContextMenu]:
    """The commands in the menu on a person, which discord.py does not support inside cogs."""

    async def challenge(interaction: Interaction, person: Person) -> None:
        await frame.run(interaction, ROUTES["start"], person)

    async def show_stats(interaction: Interaction, person: Person) -> None:
        await frame.run(interaction, ROUTES["stats"], person)

    # Translators, from here on: commands in the menu on a person, under "Apps": at most 32
    # letters.
    callbacks = {
        # Translators: a command in the menu on a person, in at most 32 letters.
        locale_str("Challenge to tic-tac-toe"): challenge,
        locale_str("Tic-tac-toe results"): show_stats,
    }
    return [
        app_commands.ContextMenu(
            name=name,
            callback=callback,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=AppInstallationType(guild=True, user=True),
        )
        for name, callback in callbacks.items()
    ]
