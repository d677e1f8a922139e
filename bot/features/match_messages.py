"""The messages that show matches: posting, redrawing and replacing them.

A failed edit is not retried: the next press redraws the board.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from bot.domain.match_actions import expire
from bot.domain.matches import Match, MatchOpened, Place
from bot.domain.refusals import RefusalReason, UnavailableError
from bot.domain.rematches import without_next_match
from bot.features.counting import save_match
from bot.messaging.errors import (
    DISCORD_ERRORS,
    error_summary,
    is_already_answered,
    is_refused_content,
    log_errors,
)
from bot.messaging.reply import Reply
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.matches import load_match, record_message
from bot.views.matches import match_view, moved_view

_PAUSE_SECONDS = 1
"""After an edit that was overtaken: those who play on draw the board meanwhile."""

_log = logging.getLogger(__name__)


async def redraw_all(runtime: Runtime, matches: Iterable[Match]) -> None:
    """Redraw matches concurrently; one that cannot be drawn is logged and affects no other."""
    await asyncio.gather(*(_redraw_or_log(runtime, match) for match in matches))


async def _redraw_or_log(runtime: Runtime, match: Match) -> None:
    with log_errors("A board could not be drawn"):
        await redraw(runtime, match)


async def redraw(runtime: Runtime, match: Match) -> bool:
    """Redraw a match on its message; False if the message could not be edited."""
    if match.place.message_id is None:  # it may have been posted meanwhile
        return await _redraw_if_changed(runtime, match)
    symbols = runtime.emojis.symbols
    is_shown = await runtime.messages.edit(
        match.place,
        match_view(match, symbols),
        when_late=lambda _: _redraw_if_overtaken(runtime, match),
    )
    if not is_shown and runtime.emojis.symbols is not symbols:  # these were deleted
        return await redraw(runtime, match)
    if is_shown and match.next_id is None:  # else it does not change any more
        await _redraw_if_overtaken(runtime, match)
    return is_shown


async def _redraw_if_overtaken(runtime: Runtime, drawn: Match) -> None:
    """Redraw a match if it changed while it was `drawn`: a slow edit may have hidden that.

    Whoever changes it after that draws it after that, too. So there is a pause first: else each
    slow edit would hide what is played meanwhile, and call for another.
    """
    with suppress(UnavailableError):
        current = await runtime.database.read(load_match, drawn.id)
        if _is_newer(current, drawn):
            await asyncio.sleep(_PAUSE_SECONDS)
            before, current = current, await runtime.database.read(load_match, drawn.id)
            if _is_newer(current, before):
                return
        await _catch_up(runtime, drawn, current)


def _is_newer(current: Match | None, before: Match | None) -> bool:
    """Whether a match has changed, and is still shown by the same message."""
    if current is None or before is None:
        return False
    is_there = current.place.message_id == before.place.message_id
    return is_there and current.version > before.version


async def _redraw_if_changed(runtime: Runtime, drawn: Match) -> bool:
    """Redraw a match if it has changed since it was `drawn`; return whether it was."""
    with suppress(UnavailableError):
        current = await runtime.database.read(load_match, drawn.id)
        return await _catch_up(runtime, drawn, current)
    return False


async def _catch_up(runtime: Runtime, drawn: Match, current: Match | None) -> bool:
    """Redraw a match, if it is not as `drawn`; return whether it was.

    If the board was reposted meanwhile, its old message links to the new one again.
    """
    if current is None or current.place.message_id is None:
        return False
    if current.place.message_id != drawn.place.message_id:
        await _replace_with_link(runtime, drawn.place, current)
        return await redraw(runtime, current)
    return current.version > drawn.version and await redraw(runtime, current)


async def _replace_with_link(runtime: Runtime, old: Place, match: Match) -> None:
    """Replace a board by a link to the newer message of its match."""
    await runtime.messages.edit(old, moved_view(match, runtime.emojis.symbols))


async def redraw_pressed(
    context: Context, match: Match, refused: RefusalReason | None = None
) -> None:
    """Redraw the message that was pressed, in answer or, if that fails, by its id.

    If another process has answered, it shows the current state. `refused` says why the press has
    done nothing else.
    """
    runtime, reply = context.runtime, context.reply
    if reply.is_thinking:  # the answer is another message
        await redraw(runtime, match)
        return
    draw = moved_view if refused is RefusalReason.BOARD_MOVED else match_view
    try:
        await reply.edit_message(
            draw(match, context.symbols),
            when_late=lambda _: _redraw_if_overtaken(runtime, match),
        )
    except DISCORD_ERRORS as error:
        if is_already_answered(error):
            raise
        _log.warning("Match %d could not be shown in answer: %s", match.id, error_summary(error))
        if is_refused_content(error):
            with suppress(*DISCORD_ERRORS):
                await reply.acknowledge()
        if not await redraw(runtime, match) and refused is None:
            await reply.apologize(RefusalReason.BOARD_GONE)
    else:
        if reply.is_deferred:
            await _redraw_if_overtaken(runtime, match)


async def send_text_and_redraw(context: Context, sentence: str, match: Match) -> None:
    """Send a sentence and redraw a match; post it again if its message cannot be edited."""
    try:
        await context.reply.replace_with_text(sentence)
    finally:  # the change is stored, so it is shown even if the sentence failed
        is_shown = await redraw(context.runtime, match)
    if not is_shown:
        record = partial(_record_shown, context.runtime, match)
        await record(await context.reply.post(match_view(match, context.symbols), when_late=record))


async def repost(context: Context, match: Match) -> None:
    """Post a match again; its old message then links to the new one."""
    record = partial(_record_reposted, context.runtime, match)
    await record(await context.reply.post(match_view(match, context.symbols), when_late=record))


async def _record_reposted(runtime: Runtime, match: Match, message_id: int) -> None:
    await _record_shown(runtime, match, message_id)
    await _replace_with_link(runtime, match.place, _shown_by(match, message_id))


async def post_new(context: Context, opened: MatchOpened) -> None:
    """Post a new match, and redraw those that changed with it.

    If it cannot be posted, it is abandoned, which frees its channel.
    """
    runtime, reply, match = context.runtime, context.reply, opened.match
    record = partial(_record_shown, runtime, match)
    also_changed = opened.also_changed
    try:
        message_id = await reply.post(
            match_view(match, context.symbols),
            pinged_user_id=opened.pinged_user_id,
            when_late=record,
        )
    except Exception as error:
        other_message_id = None
        if is_already_answered(error):
            other_message_id = await _posted_by_other_process(reply, match)
        if other_message_id is None:
            also_changed = await runtime.database.change(abandon, opened)
        else:
            await record(other_message_id)
        raise
    else:
        await record(message_id)
    finally:
        await redraw_all(runtime, also_changed)


async def _record_shown(runtime: Runtime, match: Match, message_id: int) -> None:
    """Store which message shows a match, and redraw it if the match has changed meanwhile.

    Who changed it did not know of the message.
    """
    shown = _shown_by(match, message_id)
    version = await runtime.database.change(record_message, match.id, message_id)
    if version is None:  # a press or another process has stored it, and draws it; or a newer one
        await _link_if_replaced(runtime, shown)
    elif version != match.version:
        await _redraw_if_changed(runtime, shown)


async def _link_if_replaced(runtime: Runtime, shown: Match) -> None:
    current = await runtime.database.read(load_match, shown.id)
    if current is not None and current.place.message_id not in (None, shown.place.message_id):
        await _replace_with_link(runtime, shown.place, current)


def _shown_by(match: Match, message_id: int) -> Match:
    return replace(match, place=replace(match.place, message_id=message_id))


async def _posted_by_other_process(reply: Reply, match: Match) -> int | None:
    """The id of the message with which another process answered, if it shows the match."""
    original = await reply.original_response()
    if original is None:
        return None
    components = str([component.to_dict() for component in original.components])
    return original.id if f"velha:{match.id}:" in components else None


def abandon(connection: Connection, opened: MatchOpened) -> tuple[Match, ...]:
    """End a match that could not be posted, which frees its channel.

    If it was a rematch, the match before it may then have another.

    Returns:
        The matches that changed with it, as they are now.
    """
    ids = sorted(changed.id for changed in opened.also_changed)
    locked = [load_match(connection, match_id, for_update=True) for match_id in ids]
    also_changed = tuple(changed for changed in locked if changed is not None)
    match = load_match(connection, opened.match.id, for_update=True)
    if match is not None and match.version == opened.match.version:
        if match.place.message_id is not None:
            return also_changed  # another process showed it
        save_match(connection, match, expire(match))
    return tuple(
        save_match(connection, changed, without_next_match(changed))
        if changed.next_id == opened.match.id
        else changed
        for changed in also_changed
    )
