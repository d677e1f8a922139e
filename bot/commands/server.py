"""Commands for a server's settings and for the help."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

from discord import app_commands
from discord.app_commands import locale_str

from bot.commands.family import Family
from bot.commands.options import LEVELS
from bot.game.outcome import Help, Refused
from bot.game.refusal import Refusal
from bot.game.server import Setting, SettingsPage, Tab
from bot.replies.boards import DISCORD_SECONDS
from bot.replies.context import Interaction, is_on_page, place_of, runs_server
from bot.replies.failures import DISCORD_ERRORS
from bot.replies.reply import Reply


class Server(Family):
    """The commands `settings` and `help`."""

    @app_commands.command(description=locale_str("See or change this server's settings"))
    @app_commands.rename(level=locale_str("level"))
    @app_commands.describe(level=locale_str("The bot's level here, unless someone picks another"))
    @app_commands.choices(level=LEVELS)
    async def settings(self, interaction: Interaction, level: str | None = None) -> None:
        async with self._replies.to(interaction) as reply:
            page = SettingsPage(Tab.BOARDS, None if level is None else Setting.LEVEL)
            await self._answer_settings(reply, interaction, page, [level or ""])

    @app_commands.command(description=locale_str("What I can do, and how to play"))
    async def help(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            about = self._bot.application
            assert about is not None, "known since login"
            pages = about.privacy_policy_url, about.terms_of_service_url
            language = await self.services.servers.language_in(place_of(interaction))
            await reply.give(Help(language, self.command_id, *pages))

    async def _answer_settings(
        self, reply: Reply, interaction: Interaction, page: SettingsPage, names: Collection[str]
    ) -> None:
        """Set `page.setting`, if any, to what `names` choose, and show the server's settings."""
        servers, guild_id = self.services.servers, interaction.guild_id
        if guild_id is None:
            return await reply.give(Refused(Refusal.NO_SERVER_HERE))
        may_change = runs_server(interaction)
        if page.setting is None:
            settings = await servers.settings(guild_id)
        elif not may_change:
            return await reply.give(Refused(Refusal.NOT_YOURS_TO_SET))
        else:
            locale = place_of(interaction).locale
            chosen = await servers.choose(guild_id, page.setting, names, locale)
            if isinstance(chosen, Refused):
                return await reply.give(chosen)
            settings = chosen
        gone = self._gone(guild_id, settings.choices.all_channels if may_change else ())
        shown = replace(
            settings,
            today=interaction.created_at.date(),
            tab=page.tab,
            may_change=may_change,
            gone=await reply.wait(gone, in_place=is_on_page(interaction)),
        )
        await reply.give(shown)

    async def _gone(self, guild_id: int, channel_ids: Collection[int]) -> frozenset[int]:
        """The channels among `channel_ids` that no longer exist; none if Discord does not say."""
        if not channel_ids:
            return frozenset()
        try:
            async with asyncio.timeout(DISCORD_SECONDS):
                guild = await self._bot.fetch_guild(guild_id, with_counts=False)
                there = {channel.id for channel in await guild.fetch_channels()}
        except DISCORD_ERRORS:  # the bot may not be a member of the server
            return frozenset()
        return frozenset(channel_ids) - there
