"""Context menu commands on a person, which discord.py does not support inside cogs."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, locale_str

from bot.commands.buttons import Buttons
from bot.replies.context import Interaction


def menus(velha: Buttons) -> list[app_commands.ContextMenu]:
    """Create the context menu commands, which call `velha`."""

    async def challenge(interaction: Interaction, person: discord.User) -> None:
        await velha.challenge(interaction, person)

    async def stats(interaction: Interaction, person: discord.User) -> None:
        await velha.show_stats(interaction, person)

    callbacks = {
        # Translators: a command in the menu on a person, in at most 32 letters.
        locale_str("Challenge to velha"): challenge,
        locale_str("Velha: results"): stats,
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
