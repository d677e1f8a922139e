"""Contexts of interactions, for calling the functions of features without Discord."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import discord

from bot.domain.ids import time_snowflake
from bot.messaging.emojis import Emojis
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Reply, ReplyTimeouts
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from tests.bot.example_matches import ANA, BOARD_MESSAGE, CHANNEL, NEXT_MATCH, NOON, SERVER
from tests.bot.fake_discord import interaction_payload, message_payload
from tests.bot.unconnected import unconnected_client

_COMPONENT = 3


def context(  # noqa: PLR0913 - a test gives only what matters to it
    runtime: Runtime,
    *,
    user_id: int = ANA,
    channel_id: int = CHANNEL,
    guild_id: int | None = SERVER,
    permissions: discord.Permissions | None = None,
    locales: tuple[str, str] = ("en-US", "en-GB"),
    at: datetime = NOON,
    page_sent_at: datetime | None = None,
    is_page_private: bool = True,
    **data: Any,
) -> Context:
    """What a person does in a channel; `data` is that of a select or a button.

    `locales` are the person's and the server's. If `page_sent_at` is given, the person presses
    something on a page that was sent then, to them alone or to all.
    """
    payload: Any = interaction_payload(time_snowflake(at), _COMPONENT, data, user_id, channel_id)
    payload |= {"guild_id": guild_id and str(guild_id)}
    payload["locale"], payload["guild_locale"] = locales
    permissions = permissions or discord.Permissions.none()
    payload["member"]["permissions"] = str(permissions.value)
    if guild_id is None:
        payload["user"] = payload.pop("member")["user"]
    if page_sent_at is not None:
        page = {"flags": discord.MessageFlags(ephemeral=is_page_private).value}
        payload["message"] = message_payload(time_snowflake(page_sent_at), channel_id, page)
    return _context(runtime, payload)


def presser(  # noqa: PLR0913 - a test gives only what matters to it
    runtime: Runtime,
    user_id: int = ANA,
    *,
    channel_id: int = CHANNEL,
    message_id: int = BOARD_MESSAGE,
    interaction_id: int = NEXT_MATCH,
    parent_id: int | None = None,
    is_moderator: bool = False,
) -> Context:
    """Somebody who presses a button of a board, or of a page; `parent_id` is that of a thread."""
    payload: Any = interaction_payload(interaction_id, _COMPONENT, {}, user_id, channel_id)
    payload |= {"guild_id": str(SERVER), "locale": "en-US"}
    permissions = discord.Permissions(manage_messages=is_moderator)
    payload["member"]["permissions"] = str(permissions.value)
    payload["message"] = message_payload(message_id, channel_id, {})
    if parent_id is not None:
        payload["channel"] |= _THREAD | {"parent_id": str(parent_id)}
    return _context(runtime, payload)


_THREAD = {
    "type": discord.ChannelType.public_thread.value,
    "owner_id": str(ANA),
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": NOON.isoformat(),
    },
}


def _context(runtime: Runtime, payload: Any) -> Context:
    state: Any = unconnected_client()._connection
    interaction: Interaction = discord.Interaction(data=payload, state=state)
    return Context(runtime, interaction, Reply(interaction, Emojis(), ReplyTimeouts()))
