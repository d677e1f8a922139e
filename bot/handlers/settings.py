"""Commands for a server's settings and for the help."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.domain.pages import Help
from bot.domain.refusals import Refusal, Refused
from bot.domain.settings import Setting, SettingsPage, Tab
from bot.handlers.base import Handler
from bot.handlers.options import LEVELS
from bot.messaging.errors import DISCORD_ERRORS, MISSING_ACCESS, UNKNOWN_CHANNEL
from bot.messaging.interactions import Interaction, can_manage_guild, is_ephemeral, place_of
from bot.messaging.reply import Reply


class Server(Handler):
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
        may_change = can_manage_guild(interaction)
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
        channel_ids = settings.choices.channels_on(page.tab) if may_change else frozenset()
        refusals = self._refusals(interaction, channel_ids, reply.answer.patience.discord_seconds)
        codes = await reply.wait(refusals, in_place=is_ephemeral(interaction))
        shown = replace(
            settings,
            today=interaction.created_at.date(),
            tab=page.tab,
            may_change=may_change,
            gone=frozenset(one for one, code in codes.items() if code == UNKNOWN_CHANNEL),
            hidden=frozenset(one for one, code in codes.items() if code == MISSING_ACCESS),
        )
        await reply.give(shown)

    async def _refusals(
        self, interaction: Interaction, channel_ids: Collection[int], seconds: float
    ) -> Mapping[int, int]:
        """Ask Discord for each channel: which it refuses, and with which code.

        Its list of a server's channels would not tell those that are gone from those that the bot
        may not view. Where the bot is not a member, Discord refuses all, which says nothing.
        """
        asked_at, count = interaction.created_at.timestamp(), len(channel_ids)
        too_many = self._channels_asked_for.update_rate_limit(asked_at, tokens=count) is not None
        if too_many or not interaction.is_guild_integration():
            return {}
        codes = await asyncio.gather(*(self._refusal(one, seconds) for one in channel_ids))
        return dict(zip(channel_ids, codes, strict=True))

    async def _refusal(self, channel_id: int, seconds: float) -> int:
        """The code with which Discord refuses a channel; 0 if it does not, or does not say."""
        try:
            async with asyncio.timeout(seconds):
                await self._bot.fetch_channel(channel_id)
        except discord.HTTPException as error:
            return error.code
        except DISCORD_ERRORS:
            pass
        return 0
