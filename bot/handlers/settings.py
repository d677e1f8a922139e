"""A server's settings."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

import discord
from discord.ext.commands import Cooldown

from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import Setting, SettingsForm, SettingsPage, Tab
from bot.handlers.base import Handler, HandlerDependencies
from bot.messaging.errors import DISCORD_ERRORS, MISSING_ACCESS, UNKNOWN_CHANNEL
from bot.messaging.interactions import Interaction, can_manage_guild, place_of, selected_values
from bot.messaging.reply import Reply
from bot.messaging.waiting import wait_for_discord
from bot.views.settings import settings_view

_MAX_CHANNELS_PER_MINUTE = 250
"""How many channels Discord is asked for, over all servers: those of ten full forms.

Discord blocks an address that gets more than 10,000 responses with status 401, 403 or 429 in ten
minutes, and each channel hidden from the bot is one of them.
"""


class SettingsHandler(Handler):
    """The command `settings`, and its form."""

    def __init__(self, dependencies: HandlerDependencies) -> None:
        super().__init__(dependencies)
        self._channels_cooldown = Cooldown(_MAX_CHANNELS_PER_MINUTE, 60)

    async def settings(self, interaction: Interaction, level: str | None) -> None:
        """Show the settings of a server; if a level is given, set that first."""
        page = SettingsPage(Tab.BOARDS, None if level is None else Setting.LEVEL)
        values = [] if level is None else [level]
        async with self._replies.to(interaction) as reply:
            await self._apply_and_show(reply, interaction, page, values)

    async def press(self, interaction: Interaction, page: SettingsPage) -> None:
        """Do what a control of the form asks."""
        values = [page.chosen] if page.chosen else selected_values(interaction, page.setting)
        async with self._replies.to(interaction) as reply:
            await self._apply_and_show(reply, interaction, page, values)

    async def _apply_and_show(
        self, reply: Reply, interaction: Interaction, page: SettingsPage, values: Collection[str]
    ) -> None:
        """Set `page.setting`, if any, to the chosen values, and show the settings."""
        if interaction.guild_id is None:
            return await reply.refuse(Refusal(RefusalReason.NO_SERVER_HERE))
        form = await self._form(interaction, interaction.guild_id, page.setting, values)
        if isinstance(form, Refusal):
            return await reply.refuse(form)
        may_change = can_manage_guild(interaction)
        channel_ids = form.settings.channels_on(page.tab) if may_change else frozenset()
        error_codes = await reply.wait_for_page(self._error_codes(interaction, channel_ids))
        form = replace(
            form,
            today=interaction.created_at.date(),
            tab=page.tab,
            may_change=may_change,
            deleted_channels=_with_code(UNKNOWN_CHANNEL, error_codes),
            inaccessible_channels=_with_code(MISSING_ACCESS, error_codes),
        )
        await reply.show_page(partial(settings_view, form))

    async def _form(
        self,
        interaction: Interaction,
        guild_id: int,
        setting: Setting | None,
        values: Collection[str],
    ) -> SettingsForm | Refusal:
        if setting is None:
            return await self._services.settings.form(guild_id)
        if not can_manage_guild(interaction):
            return Refusal(RefusalReason.NOT_YOURS_TO_SET)
        locale = place_of(interaction).locale
        return await self._services.settings.choose(guild_id, setting, values, locale)

    async def _error_codes(
        self, interaction: Interaction, channel_ids: Collection[int]
    ) -> Mapping[int, int]:
        """Ask Discord for each channel: the codes with which it refuses them.

        Its list of a server's channels would not tell those that are gone from those that the bot
        may not view. Where the bot is not a member, Discord refuses all, which says nothing.
        """
        wait_seconds = self._channels_cooldown.update_rate_limit(
            interaction.created_at.timestamp(), tokens=len(channel_ids)
        )
        if wait_seconds is not None or not interaction.is_guild_integration():
            return {}
        fetch_code = partial(self._error_code, interaction)
        codes = await asyncio.gather(*map(fetch_code, channel_ids))
        return dict(zip(channel_ids, codes, strict=True))

    async def _error_code(self, interaction: Interaction, channel_id: int) -> int:
        """The code with which Discord refuses a channel; 0 if it does not, or does not say."""
        try:
            await wait_for_discord(
                interaction.client.fetch_channel(channel_id),
                self._replies.timeouts.discord_seconds,
            )
        except discord.HTTPException as error:
            return error.code
        except DISCORD_ERRORS:
            pass
        return 0


def _with_code(code: int, codes: Mapping[int, int]) -> frozenset[int]:
    """The channels that Discord refuses with one code."""
    return frozenset(channel_id for channel_id, actual in codes.items() if actual == code)
