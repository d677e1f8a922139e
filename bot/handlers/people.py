"""Commands about people: results, rankings and privacy."""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.domain.privacy import CHOICES_BY_ACTION, DeletionConfirmation, PrivacyAction, PrivacyPage
from bot.domain.refusals import Refusal, Refused
from bot.domain.stats import RankingPage, Stats, StatsPage
from bot.handlers.base import Handler
from bot.messaging.interactions import (
    Interaction,
    Person,
    board_refusal,
    can_manage_guild,
    place_of,
)
from bot.messaging.reply import Reply


class People(Handler):
    """The commands `stats`, `ranking` and `privacy`."""

    @app_commands.command(
        description=locale_str("What I keep about you: see it, download it, delete it")
    )
    async def privacy(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            await self._answer_privacy(reply, interaction, PrivacyPage())

    @app_commands.command(description=locale_str("Your results so far, or another member's"))
    @app_commands.rename(member=locale_str("member"))
    @app_commands.describe(member=locale_str("Whose results; default: yours"))
    async def stats(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await self.show_stats(interaction, member or interaction.user)

    async def show_stats(self, interaction: Interaction, person: Person) -> None:
        """Answer with somebody's results."""
        async with self._replies.to(interaction) as reply:
            if not isinstance(person, Person):
                return await reply.give(Refused(Refusal.UNKNOWN_OPTION))
            if person.bot:
                return await reply.give(Refused(Refusal.STATS_OF_A_BOT))
            await reply.give(await self._stats(interaction, person.id))

    async def _stats(self, interaction: Interaction, of: int) -> Stats | Refused:
        today = interaction.created_at.date()
        return await self.services.tallies.stats(interaction.user.id, of, today)

    async def _post_stats(self, reply: Reply, interaction: Interaction, page: StatsPage) -> None:
        if refused := self._check_cooldown(interaction) or board_refusal(interaction):
            return await reply.give(refused)
        stats = await self._stats(interaction, page.of)
        if isinstance(stats, Refused):
            return await reply.give(stats)
        language = await self.services.servers.language_in(place_of(interaction))
        await reply.post_stats(stats, language)

    @app_commands.command(description=locale_str("The best players in this server"))
    async def ranking(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            await self._rank(reply, interaction, RankingPage())

    async def _rank(self, reply: Reply, interaction: Interaction, page: RankingPage) -> None:
        guild_id, today = interaction.guild_id, interaction.created_at.date()
        if guild_id is None:
            return await reply.give(Refused(Refusal.RANKING_IN_SERVERS))
        ranking = self.services.servers.ranking
        await reply.give(await ranking(guild_id, page.chart, interaction.user.id, today))

    async def _answer_privacy(
        self, reply: Reply, interaction: Interaction, page: PrivacyPage
    ) -> None:
        people, user_id = self.services.people, interaction.user.id
        match page.step:
            case PrivacyAction.SHOW:
                kept = await people.kept(user_id)
                await reply.give(replace(kept, runs_server=can_manage_guild(interaction)))
            case PrivacyAction.DOWNLOAD:
                if too_fast := self._check_cooldown(interaction):
                    return await reply.give(too_fast)
                await reply.give(await reply.wait(people.download(user_id), in_place=False))
            case PrivacyAction.ASK | PrivacyAction.ASK_FOR_SERVER:
                is_server = page.step is PrivacyAction.ASK_FOR_SERVER
                await reply.give(DeletionConfirmation(of_server=is_server))
            case PrivacyAction.DELETE:
                await reply.give(await people.forget(user_id, interaction.id))
            case PrivacyAction.DELETE_SERVER:
                guild_id = interaction.guild_id
                if guild_id is None or not can_manage_guild(interaction):
                    return await reply.give(Refused(Refusal.NOT_YOURS_TO_SET))
                await reply.give(await self.services.servers.forget(guild_id, interaction.id))
            case choice:
                kept = await people.choose(user_id, CHOICES_BY_ACTION[choice])
                await reply.give(replace(kept, runs_server=can_manage_guild(interaction)))
