"""Contexts of interactions, for calling the functions of features without Discord."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.ids import time_snowflake
from bot.messaging.emojis import Emojis
from bot.messaging.interactions import Interaction
from bot.messaging.reply import DrawInLanguage, Reply, ReplyTimeouts
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.views.i18n import language_for
from tests.bot.example_matches import ANA, CHANNEL, NOON, SERVER
from tests.bot.fake_discord import interaction_payload
from tests.bot.unconnected import unconnected_client
from tests.bot.views.examples import text_of

_COMPONENT = 3


def context(
    runtime: Runtime,
    *,
    user_id: int = ANA,
    channel_id: int = CHANNEL,
    guild_id: int | None = SERVER,
    permissions: discord.Permissions | None = None,
    **data: Any,
) -> Context:
    """What a person does in a channel at noon; `data` is that of a select or a button."""
    payload: Any = interaction_payload(time_snowflake(NOON), _COMPONENT, data, user_id, channel_id)
    payload |= {"locale": "en-US", "guild_id": guild_id and str(guild_id)}
    permissions = permissions or discord.Permissions.none()
    payload["member"]["permissions"] = str(permissions.value)
    if guild_id is None:
        payload["user"] = payload.pop("member")["user"]
    state: Any = unconnected_client()._connection
    interaction: Interaction = discord.Interaction(data=payload, state=state)
    reply = Reply(interaction, Emojis(), ReplyTimeouts())
    return Context(runtime, interaction, reply)


def shown(draw: DrawInLanguage) -> str:
    """The text of a page in English."""
    return text_of(draw(language_for("en-US")))
