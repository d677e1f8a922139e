"""The help."""

from __future__ import annotations

from functools import partial

from bot.domain.refusals import UnavailableError
from bot.features.settings import language_in
from bot.handlers.base import Handler, HandlerDependencies
from bot.messaging.interactions import Interaction, place_of, public_locale
from bot.views.help import Help, help_view


class HelpHandler(Handler):
    """The command `help`.

    `command_id` is Discord's id of `/velha`, by which it is mentioned, once the commands are
    synced.
    """

    def __init__(self, dependencies: HandlerDependencies) -> None:
        super().__init__(dependencies)
        self.command_id: int | None = None

    async def help(self, interaction: Interaction) -> None:
        """Show the help."""
        async with self._replies.to(interaction) as reply:
            application = interaction.client.application
            assert application is not None, "known since login"
            help_ = Help(
                locale=await reply.wait_for_page(self._board_locale(interaction)),
                command_id=self.command_id,
                privacy_url=application.privacy_policy_url,
                terms_url=application.terms_of_service_url,
            )
            await reply.show_page(partial(help_view, help_))

    async def _board_locale(self, interaction: Interaction) -> str:
        """The language of boards here; while the database is away, the one that most have."""
        try:
            return await self._runtime.read(language_in, place_of(interaction))
        except UnavailableError:
            return public_locale(interaction)
