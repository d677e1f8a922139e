"""Commands about oneself: what is kept, and that it is not."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot.commands.family import Family
from bot.game.outcome import DeletionQuestioned
from bot.game.people import Choices, PrivacyPage, PrivacyStep
from bot.replies.context import Interaction
from bot.replies.reply import Reply


class Privacy(Family):
    """What somebody may do about themselves, and nobody else."""

    @app_commands.command(
        description=locale_str("What I keep about you: see it, take it along, delete it")
    )
    async def privacy(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            await self._see_to_privacy(reply, interaction, PrivacyPage())

    async def _see_to_privacy(
        self, reply: Reply, interaction: Interaction, page: PrivacyPage
    ) -> None:
        people, user_id = self.services.people, interaction.user.id
        match page.step:
            case PrivacyStep.SHOW:
                await reply.give(await people.kept(user_id))
            case PrivacyStep.DOWNLOAD:
                if too_fast := self._too_fast(interaction):
                    return await reply.give(too_fast)
                await reply.give(await reply.wait(people.download(user_id), in_place=False))
            case PrivacyStep.TAKE_CHALLENGES | PrivacyStep.REFUSE_CHALLENGES:
                takes = page.step is PrivacyStep.TAKE_CHALLENGES
                await reply.give(await people.choose(user_id, Choices(takes_challenges=takes)))
            case PrivacyStep.ASK:
                await reply.give(DeletionQuestioned())
            case PrivacyStep.DELETE:
                await reply.give(await people.forget(user_id, interaction.id))
