"""Privacy: what is kept about people and servers, and deleting it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.domain.matches import Match
from bot.domain.privacy import (
    CHOICES_BY_ACTION,
    DataDeleted,
    PrivacyAction,
    PrivacyPage,
    PrivacySummary,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.handlers.base import Handler
from bot.messaging.interactions import Interaction, can_manage_guild
from bot.messaging.reply import Reply
from bot.views.privacy import PrivacyTexts, delete_question_view, privacy_view


class PrivacyHandler(Handler):
    """The command `privacy`, and its buttons."""

    async def privacy(self, interaction: Interaction) -> None:
        """Show what is kept about the person."""
        await self.press(interaction, PrivacyPage())

    async def press(self, interaction: Interaction, page: PrivacyPage) -> None:
        """Do what a button asks, for the person who pressed it."""
        async with self._replies.to(interaction) as reply:
            match page.action:
                case PrivacyAction.SHOW:
                    summary = await self._services.privacy.summary(interaction.user.id)
                    await _show(reply, interaction, summary)
                case PrivacyAction.DOWNLOAD:
                    await self._download(reply, interaction)
                case PrivacyAction.ASK_TO_DELETE:
                    await reply.show_page(partial(delete_question_view, of_server=False))
                case PrivacyAction.ASK_TO_DELETE_SERVER:
                    await reply.show_page(partial(delete_question_view, of_server=True))
                case PrivacyAction.DELETE:
                    await self._delete_user(reply, interaction)
                case PrivacyAction.DELETE_SERVER:
                    await self._delete_guild(reply, interaction)
                case action:
                    summary = await self._services.privacy.choose(
                        interaction.user.id, CHOICES_BY_ACTION[action]
                    )
                    await _show(reply, interaction, summary)

    async def _download(self, reply: Reply, interaction: Interaction) -> None:
        if refusal := self._cooldown.use(interaction):
            return await reply.refuse(refusal)
        export = await reply.wait_or_defer(
            self._services.privacy.download(interaction.user.id), in_place=False
        )
        name = "velha.json.gz" if export.is_packed else "velha.json"
        await reply.send_file(name, export.content)

    async def _delete_user(self, reply: Reply, interaction: Interaction) -> None:
        deleted = await reply.wait(
            self._services.privacy.forget_user(interaction.user.id, interaction_id=interaction.id),
            show_late=self._show_late,
        )
        await self._show_deleted(reply, deleted)

    async def _delete_guild(self, reply: Reply, interaction: Interaction) -> None:
        guild_id = interaction.guild_id
        if guild_id is None or not can_manage_guild(interaction):
            return await reply.refuse(Refusal(RefusalReason.NOT_YOURS_TO_SET))
        deleted = await reply.wait(
            self._services.privacy.forget_guild(guild_id, interaction_id=interaction.id),
            show_late=self._show_late,
        )
        await self._show_deleted(reply, deleted)

    async def _show_deleted(self, reply: Reply, deleted: DataDeleted) -> None:
        try:
            await reply.replace_with_text(PrivacyTexts(reply.language).deletion_confirmation())
        finally:  # the data is deleted, even if the answer failed
            await self._match_messages.redraw_all(deleted.ended)

    async def continue_forgetting(self) -> bool:
        """Delete some of what is to be forgotten; False if nothing is left."""
        ended = await self._replies.late_results.wait(
            self._services.privacy.continue_forgetting(), self._show_late
        )
        await self._match_messages.redraw_all(ended or ())
        return ended is not None

    async def _show_late(self, deleted: DataDeleted | list[Match] | None) -> None:
        ended = deleted.ended if isinstance(deleted, DataDeleted) else deleted
        await self._match_messages.redraw_all(ended or ())


async def _show(reply: Reply, interaction: Interaction, summary: PrivacySummary) -> None:
    summary = replace(summary, runs_server=can_manage_guild(interaction))
    await reply.show_page(partial(privacy_view, summary))
