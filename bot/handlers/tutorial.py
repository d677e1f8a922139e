"""The tutorial on minimax."""

from __future__ import annotations

from functools import partial

from bot.domain.refusals import Refusal, UnavailableError
from bot.domain.tutorial import EXAMPLE_GAME, HintConfirmation, TutorialPage
from bot.handlers.base import Handler
from bot.messaging.interactions import Interaction, channel_id_of
from bot.messaging.reply import Reply
from bot.views.tutorial import PICTURE_NAME, hint_confirmation_view, picture_of, tutorial_view


class TutorialHandler(Handler):
    """The command `learn`, and its pages."""

    async def learn(self, interaction: Interaction) -> None:
        """Show the first page, about the channel's match if there is one to learn from."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            await self._show_first_page(reply, interaction, as_hint=False)

    async def learn_from_own_match(self, interaction: Interaction) -> None:
        """Show the first page about one's own match, which counts as a hint."""
        async with self._replies.to(interaction) as reply:
            await self._show_first_page(reply, interaction, as_hint=True)

    async def _show_first_page(
        self, reply: Reply, interaction: Interaction, *, as_hint: bool
    ) -> None:
        try:
            game = await self._services.tutorial.record_for_lesson(
                channel_id=channel_id_of(interaction),
                user_id=interaction.user.id,
                interaction_id=interaction.id,
                as_hint=as_hint,
            )
        except UnavailableError:
            if as_hint:
                raise
            game = None  # the example needs no database
        if isinstance(game, HintConfirmation):
            return await reply.show_page(hint_confirmation_view)
        page = TutorialPage(game or EXAMPLE_GAME)
        await self._reply_with_page(reply, interaction, page, is_counted=as_hint)

    async def show_page(self, interaction: Interaction, page: TutorialPage) -> None:
        """Show a page to which a button leads."""
        async with self._replies.to(interaction) as reply:
            await self._reply_with_page(reply, interaction, page)

    async def _reply_with_page(
        self,
        reply: Reply,
        interaction: Interaction,
        page: TutorialPage,
        *,
        is_counted: bool = False,
    ) -> None:
        content = await reply.wait_for_page(
            self._services.tutorial.page(
                page,
                user_id=interaction.user.id,
                interaction_id=interaction.id,
                is_counted=is_counted,
            )
        )
        if isinstance(content, Refusal):
            return await reply.refuse(content)
        picture = picture_of(content)
        files = [(PICTURE_NAME, picture.png)] if picture else []
        await reply.show_page(partial(tutorial_view, content), files)
