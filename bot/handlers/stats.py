"""Results and leaderboards."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.stats import RankingPage, Standings, Stats, StatsPage
from bot.features.settings import language_in
from bot.handlers.base import Handler
from bot.messaging.interactions import Interaction, Person, board_refusal, place_of
from bot.messaging.reply import in_locale
from bot.views.ranking import ranking_view
from bot.views.stats import last_matches_view, stats_view


class StatsHandler(Handler):
    """The commands `stats` and `ranking`, and their buttons."""

    async def stats(self, interaction: Interaction, person: Person) -> None:
        """Show a person's results."""
        async with self._replies.to(interaction) as reply:
            if not isinstance(person, Person):
                return await reply.refuse(Refusal(RefusalReason.UNKNOWN_OPTION))
            if person.bot:
                return await reply.refuse(Refusal(RefusalReason.STATS_OF_A_BOT))
            stats = await self._load_stats(interaction, person.id)
            if isinstance(stats, Refusal):
                return await reply.refuse(stats)
            await reply.show_page(partial(stats_view, stats, is_public=False))

    async def post_stats(self, interaction: Interaction, page: StatsPage) -> None:
        """Show everybody a person's results, in the language of the channel."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction) or board_refusal(interaction):
                return await reply.refuse(refusal)
            stats = await self._load_stats(interaction, page.user_id)
            if isinstance(stats, Refusal):
                return await reply.refuse(stats)
            locale = await self._runtime.read(language_in, place_of(interaction))
            draw = partial(stats_view, stats, is_public=True)
            await reply.post(in_locale(locale, draw))

    async def _load_stats(self, interaction: Interaction, user_id: int) -> Stats | Refusal:
        today = interaction.created_at.date()
        return await self._services.stats.stats(user_id, asker_id=interaction.user.id, today=today)

    async def last_matches(self, interaction: Interaction) -> None:
        """Show a person their own last matches, to review."""
        async with self._replies.to(interaction) as reply:
            last_matches = await self._services.stats.last_matches(
                interaction.user.id, place_of(interaction)
            )
            await reply.show_page(partial(last_matches_view, last_matches))

    async def ranking(self, interaction: Interaction) -> None:
        """Show a server's leaderboard."""
        await self.show_ranking(interaction, RankingPage())

    async def show_ranking(self, interaction: Interaction, page: RankingPage) -> None:
        """Show one of a server's leaderboards."""
        async with self._replies.to(interaction) as reply:
            if interaction.guild_id is None:
                return await reply.refuse(Refusal(RefusalReason.RANKING_IN_SERVERS))
            standings = await self._services.stats.ranking(
                interaction.guild_id,
                page.leaderboard,
                asker_id=interaction.user.id,
                today=interaction.created_at.date(),
            )
            if isinstance(standings, Refusal):
                return await reply.refuse(standings)
            gone = await reply.wait_for_page(self._gone(interaction, standings))
            await reply.show_page(partial(ranking_view, replace(standings, gone=gone)))

    async def _gone(self, interaction: Interaction, standings: Standings) -> frozenset[int]:
        """Those on a leaderboard who have left, if the bot is a member and Discord says so."""
        if interaction.guild_id is None or not interaction.is_guild_integration():
            return frozenset()
        others = {line.user_id for line in standings.lines} - {standings.asker_id}
        wait_seconds = self._replies.timeouts.members_seconds
        return await self._members.gone(interaction.guild_id, others, wait_seconds)
