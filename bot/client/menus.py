"""Context menu commands on a person, which discord.py does not support inside cogs."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, locale_str

from bot.client.buttons import ButtonRouter


def menus(velha: ButtonRouter) -> list[app_commands.ContextMenu]:
    """Create the context menu commands, which call `velha`."""
    callbacks = {
        # Translators: a command in the menu on a person, in at most 32 letters.
        locale_str("Challenge to velha"): velha.challenge,
        locale_str("Velha: results"): velha.show_stats,
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
