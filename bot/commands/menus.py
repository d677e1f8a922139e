"""Commands in the menu on a person. discord.py has them outside cogs."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, locale_str

from bot.commands.people import People
from bot.replies.context import Interaction


def menus(people: People) -> list[app_commands.ContextMenu]:
    """The commands; `people` answers them."""

    async def stats(interaction: Interaction, person: discord.User) -> None:
        await people.show_stats(interaction, person)

    return [
        app_commands.ContextMenu(
            name=locale_str("Velha: results"),
            callback=stats,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=AppInstallationType(guild=True, user=True),
        )
    ]
