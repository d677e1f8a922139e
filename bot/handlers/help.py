"""The help."""

from __future__ import annotations

from functools import partial

from bot.handlers.base import Handler, HandlerDependencies
from bot.messaging.interactions import Interaction, place_of
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
                locale=await self._services.settings.language_in(place_of(interaction)),
                command_id=self.command_id,
                privacy_url=application.privacy_policy_url,
                terms_url=application.terms_of_service_url,
            )
            await reply.show_page(partial(help_view, help_))
