"""The help."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.domain.refusals import UnavailableError
from bot.features.settings import language_in
from bot.messaging.interactions import public_locale
from bot.runtime.context import Context
from bot.views.help import Help, help_view


async def show_help(context: Context) -> ui.LayoutView:
    """Show the help, also while the database is away."""
    application = context.interaction.client.application
    assert application is not None, "known since login"
    command: Any = context.interaction.data
    help_ = Help(
        locale=await _board_locale(context),
        command_id=int(command["id"]),
        privacy_url=application.privacy_policy_url,
        terms_url=application.terms_of_service_url,
    )
    return help_view(help_, context.language)


async def _board_locale(context: Context) -> str:
    """The language of boards here; while the database is away, the one that most have."""
    try:
        return await context.read(language_in, context.place)
    except UnavailableError:
        return public_locale(context.interaction)
