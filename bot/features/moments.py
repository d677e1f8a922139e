"""Moments: where a match turned, posted once, and everybody's tries at the better move."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from discord import ui
from sqlalchemy import ColumnElement, Connection, Table, delete, func, not_, select, update

from bot.domain.analysis import find_decisive_ply
from bot.domain.matches import Match
from bot.domain.moments import Moment, MomentPage, MomentTry, TryCount
from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.errors import log_errors
from bot.runtime.claimed_post import post_claimed
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.claims import is_abandoned
from bot.store.database import insert_new
from bot.store.matches import last_played_by, load_match
from bot.store.schema import matches, moment_tries, moments
from bot.views.moments import answer_view, moment_view

_REDRAW_SECONDS = 5
"""How long tries are gathered before a moment's message says how many there are."""

_PRUNE_BATCH_SIZE = 1_000


async def ask(context: Context, page: MomentPage) -> None:
    """Show everybody where one of a person's last matches turned, in its channel, once."""
    now = context.runtime.clock.now()
    match = await context.read(find_match, page, context.user_id, context.place.channel_id)
    if match is None:
        raise Refused(RefusalReason.MOMENT_ELSEWHERE)
    ply = find_decisive_ply(await context.runtime.engine.review(match.record))
    if ply is None:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if not await context.change(claim, match.id, ply, now):
        raise Refused(RefusalReason.SHOWN_ALREADY)
    await post_claimed(
        context,
        moment_view(Moment(match, ply), context.symbols),
        record=lambda connection, message_id: record_message(connection, match.id, message_id),
        free=lambda connection: remove(connection, match.id),
    )


async def try_cell(context: Context, page: MomentTry) -> ui.LayoutView:
    """Tell a person whether a try is right; their first counts, unless they played the match."""
    moment = await context.read(load, page.match_id)
    if moment is None or moment.place.channel_id != context.place.channel_id:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if page.cell not in moment.board.actions():
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    engine = context.runtime.engine
    verdict = await engine.verdict_on(moment.board, page.cell)
    if moment.match.mark_of(context.user_id) is None:
        await _count(context, moment, is_found=verdict.kept_value)
    return answer_view(verdict, context.language)


async def _count(context: Context, moment: Moment, *, is_found: bool) -> None:
    """Count a person's first try, and soon have the message say how many have tried."""
    match_id, runtime = moment.match.id, context.runtime
    if await context.change(partial(add_try, is_found=is_found), match_id, context.user_id):
        redraw = partial(_redraw, runtime, moment)
        redraw_later = partial(runtime.delayed_jobs.run, match_id, _REDRAW_SECONDS, redraw)
        context.follow_ups.append(redraw_later)


async def _redraw(runtime: Runtime, moment: Moment) -> None:
    with log_errors("The message of a moment could not be redrawn"):
        count = await runtime.database.read(count_tries, moment.match.id)
        view = moment_view(replace(moment, count=count), runtime.emojis.symbols)
        await runtime.messages.edit(moment.place, view)


# What is stored: at most one moment a match, and one try a person and moment


def find_match(
    connection: Connection, page: MomentPage, user_id: int, channel_id: int
) -> Match | None:
    """The newest of a person's last matches in a channel that has the record of a page."""
    for match in last_played_by(connection, user_id):
        if match.place.channel_id == channel_id and match.record == page.record:
            return match
    return None


def claim(connection: Connection, match_id: int, ply: int, now: datetime) -> bool:
    """Store the moment of a match; return False if it has one that is, or is being, posted."""
    seconds = int(now.timestamp())
    if insert_new(connection, moments, match_id=match_id, ply=ply, claimed_at=seconds):
        return True
    abandoned = update(moments).where(
        moments.c.match_id == match_id,
        moments.c.message_id.is_(None),
        is_abandoned(moments.c.claimed_at, now_seconds=seconds),
    )
    return connection.execute(abandoned.values(claimed_at=seconds)).rowcount == 1


def record_message(connection: Connection, match_id: int, message_id: int) -> None:
    """Store which message shows the moment of a match."""
    posted = update(moments).where(moments.c.match_id == match_id)
    connection.execute(posted.values(message_id=message_id))


def remove(connection: Connection, match_id: int) -> None:
    """Let the moment of a match be shown again."""
    connection.execute(delete(moments).where(moments.c.match_id == match_id))


def load(connection: Connection, match_id: int) -> Moment | None:
    """The moment of a match, without the numbers of tries; None if it was not shown."""
    row = connection.execute(select(moments).where(moments.c.match_id == match_id)).one_or_none()
    match = None if row is None else load_match(connection, match_id)
    if row is None or match is None:
        return None
    return Moment(match, row.ply, row.message_id)


def add_try(connection: Connection, match_id: int, user_id: int, *, is_found: bool) -> bool:
    """Store a person's first try; return False if they have tried before."""
    return insert_new(
        connection, moment_tries, match_id=match_id, user_id=user_id, is_found=is_found
    )


def count_tries(connection: Connection, match_id: int) -> TryCount:
    """How many people have tried, and how many of them were right."""
    correct = func.count().filter(moment_tries.c.is_found)
    query = select(func.count(), correct).where(moment_tries.c.match_id == match_id)
    return TryCount(*connection.execute(query).one())


def load_tries(connection: Connection, user_id: int) -> dict[int, bool]:
    """Whether a person found the move in each moment that they tried, by match id."""
    query = select(moment_tries.c.match_id, moment_tries.c.is_found)
    query = query.where(moment_tries.c.user_id == user_id).order_by(moment_tries.c.match_id)
    return {row.match_id: row.is_found for row in connection.execute(query)}


def prune(connection: Connection, before_id: int) -> int:
    """Delete a batch of what belongs to matches below `before_id` that are deleted."""
    return sum(_delete_orphans(connection, table, before_id) for table in (moments, moment_tries))


def _delete_orphans(connection: Connection, table: Table, before_id: int) -> int:
    is_orphan: ColumnElement[bool] = not_(
        select(matches.c.id).where(matches.c.id == table.c.match_id).exists()
    )
    orphans = select(table.c.match_id).where(table.c.match_id < before_id, is_orphan)
    batch = orphans.limit(_PRUNE_BATCH_SIZE)
    return connection.execute(delete(table).where(table.c.match_id.in_(batch))).rowcount
