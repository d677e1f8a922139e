"""Commands about the house: what a server has chosen, and what there is."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot.commands.family import Family
from bot.commands.options import LEVELS, is_offered
from bot.game.outcome import Refused
from bot.game.refusal import Refusal
from bot.replies.context import Interaction
from engine import Level


class Server(Family):
    """What a server chooses, and what it is told."""

    @app_commands.command(description=locale_str("How strong I play in this server"))
    @app_commands.rename(level=locale_str("level"))
    @app_commands.describe(level=locale_str("The level where nobody asks for another"))
    @app_commands.choices(level=LEVELS)
    async def settings(self, interaction: Interaction, level: str | None = None) -> None:
        async with self._replies.to(interaction) as reply:
            servers, guild_id = self.services.servers, interaction.guild_id
            if guild_id is None:
                return await reply.give(Refused(Refusal.NO_SERVER_HERE))
            if level is None:
                here = await servers.level(guild_id)
                return await reply.answer.say(reply.texts.level_here(here, changed=False))
            if not interaction.permissions.manage_guild:
                return await reply.give(Refused(Refusal.NOT_YOURS_TO_SET))
            if not is_offered(LEVELS, level):
                return await reply.give(Refused(Refusal.UNKNOWN_OPTION))
            await servers.set_level(guild_id, Level[level])
            await reply.answer.say(reply.texts.level_here(Level[level], changed=True))

    @app_commands.command(description=locale_str("What I can do, and how to play"))
    async def help(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            about = self._bot.application
            assert about is not None, "known since login"
            pages = about.privacy_policy_url, about.terms_of_service_url
            await reply.answer.say(reply.texts.help(*pages))
