"""Messages for everybody that answer a press, each of which is posted once."""

from __future__ import annotations

from collections.abc import Callable

from discord import ui
from sqlalchemy import Connection

from bot.messaging.errors import DISCORD_ERRORS, log_errors
from bot.runtime.context import Context


async def post_claimed(
    context: Context,
    view: ui.LayoutView,
    *,
    record: Callable[[Connection, int], object],
    free: Callable[[Connection], object],
) -> None:
    """Post a message that has been claimed: `record` its id, or `free` the claim if it fails.

    If neither is stored, the message may be posted again once the claim has run out.
    """

    async def record_posted(message_id: int) -> None:
        with log_errors("That a message was posted could not be stored"):
            await context.runtime.database.change(record, message_id)

    try:
        message_id = await context.reply.post(view, when_late=record_posted)
    except TimeoutError:  # it may still come
        raise
    except DISCORD_ERRORS:  # perhaps posted after all, but a duplicate is better than none
        await context.runtime.database.change(free)
        raise
    await record_posted(message_id)
