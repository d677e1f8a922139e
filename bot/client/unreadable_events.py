"""Events of the gateway that discord.py cannot read.

An exception in one of its parsers ends the whole bot: a field that Discord no longer sends, in one
person's interaction, would be enough. That person is told that something went wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

import discord
from discord import InteractionResponseType, InteractionType
from discord.ext import commands
from discord.http import Route

from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.errors import log_errors
from bot.messaging.messages import DISCORD_SECONDS
from bot.messaging.waiting import wait_for_discord
from bot.views.components import sentence_view
from bot.views.i18n import language_for
from bot.views.refusals import refusal_sentence

_ANSWERABLE = {InteractionType.application_command.value, InteractionType.component.value}

_MAX_FRAMES = 4

_log = logging.getLogger(__name__)


def drop_unreadable_events(bot: commands.AutoShardedBot) -> None:
    """Have events that discord.py cannot read logged and dropped, instead of ending the bot."""
    parsers = bot._connection.parsers  # noqa: SLF001 - by event; there is no public hook
    for event, parse in parsers.items():
        parsers[event] = partial(_parse_or_drop, bot, event, parse)
    bot.add_listener(partial(_apologize, bot), "on_unreadable_interaction")


def _parse_or_drop(
    bot: commands.AutoShardedBot, event: str, parse: Callable[[Any], None], data: Any
) -> None:
    try:
        parse(data)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it
        log_unreadable(event, error)
        if event == "INTERACTION_CREATE" and _can_be_answered(data):
            bot.dispatch("unreadable_interaction", data)


def _can_be_answered(data: Any) -> bool:
    has_address = isinstance(data, dict) and {"id", "token"} <= data.keys()
    return has_address and data.get("type") in _ANSWERABLE


async def _apologize(bot: commands.AutoShardedBot, data: dict[str, Any]) -> None:
    """Answer an interaction by its id and its token alone."""
    language = language_for(str(data.get("locale")))
    sentence = refusal_sentence(language, Refused(RefusalReason.BROKEN))
    view = sentence_view(sentence)
    message = {
        "flags": discord.MessageFlags(ephemeral=True, components_v2=True).value,
        "components": view.to_components(),  # type: ignore[no-untyped-call] # discord.py's
    }
    answer = {"type": InteractionResponseType.channel_message.value, "data": message}
    with log_errors("Nobody could be told that an interaction cannot be read"):
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        route = Route("POST", path, webhook_id=data["id"], webhook_token=data["token"])
        await wait_for_discord(bot.http.request(route, json=answer), DISCORD_SECONDS)


def log_unreadable(event: str, error: Exception) -> None:
    """Log in a line what is wrong with an event, and where discord.py noticed it."""
    frames = extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    _log.error(
        "Dropped an event that cannot be read, %s: %s: %s (%s)",
        event,
        type(error).__name__,
        error,
        " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames),
    )
