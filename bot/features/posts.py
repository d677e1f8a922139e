"""The posts of the daily puzzle in servers: which are due, and what became of them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import discord
from sqlalchemy import Connection, Row, Select, and_, func, or_, select, update

from bot.domain.matches import Place
from bot.domain.puzzles import (
    MAX_FAILED_POSTS,
    PuzzlePost,
    PuzzleResult,
    PuzzleStats,
)
from bot.domain.settings import GuildSettings
from bot.features.choices import is_hidden
from bot.messaging.errors import error_summary, log_errors
from bot.runtime.runtime import Runtime
from bot.store.claims import REFUSED_MESSAGE_ID, may_claim_again
from bot.store.database import insert_new, upsert
from bot.store.schema import (
    HAS_PUZZLE_CHANNEL,
    attempts,
    puzzle_posts,
    puzzle_tallies,
    servers,
)
from bot.views.catalogues import LANGUAGES
from bot.views.puzzles import post_view
from engine import TRIES, daily_puzzle

_CLAIM_BATCH_SIZE = 20

_MAX_RESULTS = 20

_MEMBERS_SECONDS = 5
"""How long a post waits for who has left: nobody waits for it, but its claim ends after 20 s."""

_Row = Row[*tuple[Any, ...]]

_log = logging.getLogger(__name__)


async def post_due(runtime: Runtime) -> None:
    """Post the puzzle of the day in the servers where it is due."""
    while claimed := await _claim_due(runtime):
        await asyncio.gather(*(_post(runtime, post) for post in claimed))


async def _claim_due(runtime: Runtime) -> list[PuzzlePost]:
    now = runtime.clock.trusted_now()
    return [] if now is None else await runtime.database.change(claim, now)


async def _post(runtime: Runtime, post: PuzzlePost) -> None:
    """Post one puzzle; unless what became of it is stored, any process soon tries again."""

    async def store(message_id: int | None) -> None:
        await runtime.database.change(record, post, message_id)

    with log_errors("A puzzle of the day could not be posted"):
        puzzle = await runtime.engine.run(daily_puzzle, post.day)
        view = post_view(await _with_gone(runtime, post), puzzle, runtime.emojis.symbols)
        try:
            message_id = await runtime.messages.send(post.place, view, post.nonce, when_late=store)
        except (discord.Forbidden, discord.NotFound) as error:
            _log.info("No puzzle for channel %d: %s", post.place.channel_id, error_summary(error))
            await store(None)
        else:
            await store(message_id)


async def _with_gone(runtime: Runtime, post: PuzzlePost) -> PuzzlePost:
    """The post, knowing who of yesterday's results has left the server."""
    assert post.place.guild_id is not None, "posts are made in servers"
    user_ids = [result.user_id for result in post.yesterday]
    gone = await runtime.members.gone(post.place.guild_id, user_ids, _MEMBERS_SECONDS)
    return replace(post, gone=gone)


def claim(connection: Connection, now: datetime) -> list[PuzzlePost]:
    """Claim a batch of the posts that are due, so that no other process makes them now.

    Compare-and-set decides which of several processes makes a post.
    """
    due = connection.execute(_due(now)).all()
    claimed = [row for row in due if _claim_one(connection, row, now)]
    return [_claimed_post(connection, row, now.date()) for row in claimed]


def record(connection: Connection, post: PuzzlePost, message_id: int | None) -> None:
    """Store the message of a post; None if Discord refused it, so it is not tried again."""
    is_post = and_(puzzle_posts.c.guild_id == post.place.guild_id, puzzle_posts.c.day == post.day)
    if message_id is None:
        values = {"message_id": REFUSED_MESSAGE_ID, "failures": puzzle_posts.c.failures + 1}
    else:
        values = {"message_id": message_id, "failures": 0}
    connection.execute(update(puzzle_posts).where(is_post).values(values))


def restart_posts(connection: Connection, guild_id: int, locale: str) -> None:
    """Reset the failures of a server that has chosen a channel, and retry a failed post."""
    message_id = func.coalesce(puzzle_posts.c.message_id, REFUSED_MESSAGE_ID)
    is_failed = and_(puzzle_posts.c.guild_id == guild_id, message_id == REFUSED_MESSAGE_ID)
    upsert(connection, puzzle_posts.c.guild_id, guild_id, failures=0, locale=locale)
    connection.execute(update(puzzle_posts).where(is_failed).values(day=None))


def is_posted(connection: Connection, guild_id: int, day: date) -> bool:
    """Whether the puzzle of a day has been posted in a server, or is about to be."""
    post = puzzle_posts.c
    query = select(post.day).where(post.guild_id == guild_id, post.day == day)
    return connection.execute(query).one_or_none() is not None


def has_given_up(connection: Connection, guild_id: int) -> bool:
    """Whether posting in a server has stopped, after too many failures in a row."""
    query = select(puzzle_posts.c.failures).where(puzzle_posts.c.guild_id == guild_id)
    failures = connection.execute(query).scalar_one_or_none() or 0
    return failures >= MAX_FAILED_POSTS


def was_refused(connection: Connection, guild_id: int) -> bool:
    """Whether Discord refused the last post in a server."""
    query = select(puzzle_posts.c.message_id).where(puzzle_posts.c.guild_id == guild_id)
    return connection.execute(query).scalar_one_or_none() == REFUSED_MESSAGE_ID


def _due(now: datetime) -> Select[*tuple[Any, ...]]:
    """Select the servers where today's post is due; those of other days are dropped.

    They are in order, so that processes that claim them wait for each other, and do not deadlock.
    """
    post = puzzle_posts.c
    seconds = int(now.timestamp())
    may_repeat = may_claim_again(post.message_id, post.take, post.claimed_at, now_seconds=seconds)
    is_unposted = and_(post.day == now.date(), may_repeat)
    hour = func.coalesce(servers.c.puzzle_hour, GuildSettings().puzzle_hour)
    return (
        select(servers.c.guild_id, servers.c.puzzle_channel, servers.c.language)
        .add_columns(post.locale, post.day, post.take)
        .join_from(servers, puzzle_posts, servers.c.guild_id == post.guild_id, isouter=True)
        .where(
            HAS_PUZZLE_CHANNEL,
            hour <= now.hour,
            func.coalesce(post.failures, 0) < MAX_FAILED_POSTS,
            or_(post.day.is_(None), post.day < now.date(), is_unposted),
        )
        .order_by(servers.c.guild_id)
        .limit(_CLAIM_BATCH_SIZE)
    )


def _claim_one(connection: Connection, due: _Row, now: datetime) -> bool:
    """Claim a post; return False if another process was faster."""
    claimed = {
        "day": now.date(),
        "take": due.take + 1 if due.day == now.date() else 1,
        "claimed_at": int(now.timestamp()),
        "message_id": None,
    }
    if due.take is None:  # there is no row yet
        return insert_new(connection, puzzle_posts, guild_id=due.guild_id, **claimed)
    is_unchanged = and_(
        puzzle_posts.c.guild_id == due.guild_id,
        puzzle_posts.c.day.is_not_distinct_from(due.day),
        puzzle_posts.c.take == due.take,
    )
    changed = update(puzzle_posts).where(is_unchanged).values(claimed)
    return connection.execute(changed).rowcount == 1


def _claimed_post(connection: Connection, due: _Row, day: date) -> PuzzlePost:
    locale = due.language if due.language in LANGUAGES else due.locale
    place = Place(due.puzzle_channel, due.guild_id, locale or "")
    return PuzzlePost(place, day, _results(connection, due.guild_id, day - timedelta(days=1)))


def _results(connection: Connection, guild_id: int, day: date) -> tuple[PuzzleResult, ...]:
    """Finished attempts at a day's puzzle in a server, best first, without hidden people."""
    stats = puzzle_tallies.c
    query = (
        select(
            attempts.c.user_id, attempts.c.tries_needed, stats.streak, stats.last_day, stats.gap_day
        )
        .join(puzzle_tallies, stats.user_id == attempts.c.user_id)
        .where(attempts.c.guild_id == guild_id, attempts.c.day == day)
        .where(~is_hidden(attempts.c.user_id))
        .where(or_(attempts.c.tries_needed.is_not(None), func.length(attempts.c.tries) == TRIES))
        .order_by(func.coalesce(attempts.c.tries_needed, TRIES + 1), attempts.c.user_id)
        .limit(_MAX_RESULTS)
    )
    return tuple(_result(row, day) for row in connection.execute(query))


def _result(row: _Row, day: date) -> PuzzleResult:
    missed_day = day if row.tries_needed is None else None
    stats = PuzzleStats(
        streak=row.streak, last_day=row.last_day, gap_day=row.gap_day, missed_day=missed_day
    )
    return PuzzleResult(row.user_id, row.tries_needed, stats.streak_on(day))
