"""Reminders: the button on a board, and the mentions of people whose turn it is."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

import discord
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    case,
    delete,
    false,
    func,
    not_,
    or_,
    select,
    update,
)

from bot.domain.ids import DELETED_CHANNEL_ID
from bot.domain.match_actions import Press, check_reminder
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.reminders import REMIND_AFTER, OutdatedReminder, Reminder
from bot.features import choices
from bot.messaging.errors import error_summary, is_refusal, log_errors
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.claims import NONCE_SECONDS, REFUSED_MESSAGE_ID, may_claim_again
from bot.store.database import insert_new
from bot.store.match_rows import COORDINATE_LENGTH, read_matches
from bot.store.matches import load_match
from bot.store.schema import GOES_ON_BETWEEN_PEOPLE, matches, people, reminders
from bot.views.reminders import reminder_view, toggle_confirmation

_BATCH_SIZE = 20

_log = logging.getLogger(__name__)


async def toggle(context: Context, press: Press) -> None:
    """Switch a player's reminders on or off, in all their matches."""
    user_id = context.user_id
    channel_id = context.place.channel_id
    was_on = await context.read(wants_reminders, press.match_id, user_id, channel_id)
    await context.change(choices.choose, user_id, {"wants_reminders": not was_on})
    await context.reply.send_text(toggle_confirmation(context.language, is_on=not was_on))


async def post_due(runtime: Runtime) -> None:
    """Delete the outdated reminders, then post those that are due."""
    await asyncio.gather(*(_delete(runtime, reminder) for reminder in await _outdated(runtime)))
    while claimed := await _claim_due(runtime):
        await asyncio.gather(*(_post(runtime, reminder) for reminder in claimed))


async def _outdated(runtime: Runtime) -> list[OutdatedReminder]:
    now = runtime.clock.trusted_now()
    if now is None:
        return []
    return await runtime.database.read(load_outdated, now)


async def _claim_due(runtime: Runtime) -> list[Reminder]:
    now = runtime.clock.trusted_now()
    if now is None:
        return []
    return await runtime.database.change(claim, now, runtime.deadlines.limits.turn)


async def _delete(runtime: Runtime, reminder: OutdatedReminder) -> None:
    """Delete the message of a reminder; if that fails, the next call tries again."""
    with log_errors("A reminder could not be deleted"):
        if await _delete_message(runtime, reminder.channel_id, reminder.message_id):
            await runtime.database.change(remove, reminder)


async def _delete_message(runtime: Runtime, channel_id: int | None, message_id: int | None) -> bool:
    """Delete a message, if there is one; return whether none is left."""
    if channel_id is None or message_id is None:
        return True
    return await runtime.messages.delete(channel_id, message_id)


async def _post(runtime: Runtime, reminder: Reminder) -> None:
    """Post one reminder; unless the result gets recorded, any process soon tries again."""
    with log_errors("A reminder could not be posted"):
        message_id = await _send(runtime, reminder)
        is_wanted = await runtime.database.change(record, reminder, message_id)
        if message_id is not None and not is_wanted:
            await runtime.messages.delete(reminder.match.place.channel_id, message_id)


async def _send(runtime: Runtime, reminder: Reminder) -> int | None:
    """Send a reminder and return the message's id; None if Discord refuses it."""
    place = reminder.match.place
    view = reminder_view(reminder, runtime.emojis.symbols)
    try:
        return await runtime.messages.send(
            place, view, reminder.nonce, pinged_user_id=reminder.user_id
        )
    except discord.HTTPException as error:
        if not is_refusal(error):
            raise
        summary = error_summary(error)
        _log.info("No reminder for channel %d: %s", place.channel_id, summary)
        return None


def wants_reminders(connection: Connection, match_id: int, user_id: int, channel_id: int) -> bool:
    """Whether a player of a match gets reminders, asked for in its channel.

    Raises:
        Refused: It is not their match, or they cannot have any.
    """
    match = load_match(connection, match_id)
    if match is None or match.place.channel_id != channel_id:
        raise Refused(RefusalReason.UNKNOWN_MATCH)
    check_reminder(match, user_id)
    return choices.load(connection, user_id).wants_reminders


# Reminders that are due

_X_TO_MOVE = func.length(matches.c.moves) % (2 * COORDINATE_LENGTH) == 0
"""X is to move after an even number of moves."""

_TO_MOVE_ID = case((_X_TO_MOVE, matches.c.x_id), else_=matches.c.o_id)

_TABLES = matches.outerjoin(people, people.c.user_id == _TO_MOVE_ID).outerjoin(
    reminders, reminders.c.match_id == matches.c.id
)


def claim(connection: Connection, now: datetime, default_turn: timedelta) -> list[Reminder]:
    """Claim a batch of the reminders that are due, so that no other process posts them now.

    Compare-and-set decides which of several processes posts one. `default_turn` is how long turns
    last in matches that do not say so.
    """
    due = connection.execute(_select_due(now, default_turn)).mappings().all()
    claimed = [row for row in due if _claim_one(connection, row, now)]
    return [Reminder(match) for match in read_matches(claimed)]


def _select_due(now: datetime, default_turn: timedelta) -> Select[*tuple[object, ...]]:
    """Select the matches whose player to move wants a reminder by now, and has none."""
    seconds = int(now.timestamp())
    default_turn_minutes = int(default_turn.total_seconds()) // 60
    turn_seconds = 60 * func.coalesce(matches.c.turn_minutes, default_turn_minutes)
    turn_began_at = matches.c.deadline_at - turn_seconds
    is_claimable = and_(
        reminders.c.version == matches.c.version,
        may_claim_again(
            reminders.c.message_id, reminders.c.take, reminders.c.claimed_at, now_seconds=seconds
        ),
    )
    return (
        select(matches, reminders.c.take)
        .select_from(_TABLES)
        .where(
            GOES_ON_BETWEEN_PEOPLE,
            people.c.wants_reminders,
            turn_began_at <= seconds - int(REMIND_AFTER.total_seconds()),
            matches.c.deadline_at > seconds,
            or_(reminders.c.match_id.is_(None), is_claimable),
        )
        .order_by(matches.c.id)  # in one order, so that processes do not wait for each other
        .limit(_BATCH_SIZE)
    )


def _claim_one(connection: Connection, row: RowMapping, now: datetime) -> bool:
    """Claim the reminder of a row; False if another process was faster."""
    match_id, version, take = row["id"], row["version"], row["take"]
    values = {"version": version, "take": (take or 0) + 1, "claimed_at": int(now.timestamp())}
    if take is None:
        return insert_new(connection, reminders, match_id=match_id, **values)
    is_unchanged = and_(_is_reminder(match_id, version), reminders.c.take == take)
    return connection.execute(update(reminders).where(is_unchanged).values(values)).rowcount == 1


def record(connection: Connection, reminder: Reminder, message_id: int | None) -> bool:
    """Store the message of a reminder; None if Discord refused it.

    Returns:
        False if the reminder is outdated by now, as posting it took too long.
    """
    posted = update(reminders).where(_is_reminder(reminder.match.id, reminder.match.version))
    value = REFUSED_MESSAGE_ID if message_id is None else message_id
    return connection.execute(posted.values(message_id=value)).rowcount == 1


def _is_reminder(match_id: int, version: int) -> ColumnElement[bool]:
    return and_(reminders.c.match_id == match_id, reminders.c.version == version)


# Reminders that are outdated


def load_outdated(connection: Connection, now: datetime) -> list[OutdatedReminder]:
    """A batch of the outdated reminders, except those being posted now."""
    return [_from_row(row) for row in connection.execute(_select_outdated(now)).mappings()]


def _select_outdated(now: datetime) -> Select[*tuple[object, ...]]:
    """Select the reminders whose match is gone, has ended, or is at another version."""
    is_its_match = matches.c.id == reminders.c.match_id
    channel_id = select(matches.c.channel_id).where(is_its_match).scalar_subquery()
    is_current = (
        select(and_(matches.c.live, matches.c.version == reminders.c.version))
        .where(is_its_match)
        .scalar_subquery()
    )
    is_being_posted = and_(
        reminders.c.message_id.is_(None),
        reminders.c.claimed_at >= int(now.timestamp()) - NONCE_SECONDS,
    )
    return (
        select(reminders, channel_id.label("channel_id"))
        .where(not_(func.coalesce(is_current, false())), not_(is_being_posted))
        .limit(_BATCH_SIZE)
    )


def _from_row(row: RowMapping) -> OutdatedReminder:
    is_place_deleted = row["channel_id"] == DELETED_CHANNEL_ID
    return OutdatedReminder(
        match_id=row["match_id"],
        version=row["version"],
        channel_id=None if is_place_deleted else row["channel_id"],
        message_id=None if row["message_id"] == REFUSED_MESSAGE_ID else row["message_id"],
    )


def remove(connection: Connection, reminder: OutdatedReminder) -> None:
    """Delete an outdated reminder, once its message is gone."""
    is_it = _is_reminder(reminder.match_id, reminder.version)
    connection.execute(delete(reminders).where(is_it))
