"""The table of the posts of the daily puzzle in servers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    and_,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.matches import Place
from bot.domain.puzzles import (
    MAX_FAILED_POSTS,
    MAX_GUESSES,
    PuzzlePost,
    PuzzleResult,
)
from bot.domain.settings import GuildSettings
from bot.store.claims import REFUSED_MESSAGE_ID, may_claim_again
from bot.store.database import Database, upsert
from bot.store.puzzles import stats_from_row
from bot.store.schema import (
    HAS_PUZZLE_CHANNEL,
    attempts,
    people,
    puzzle_posts,
    puzzle_tallies,
    servers,
)

_CLAIM_BATCH_SIZE = 20

_MAX_RESULTS = 20


class PuzzlePostTable:
    """Stores the last post in each server, and finds those that are due.

    Compare-and-set decides which of several processes makes a post.
    """

    def __init__(self, database: Database, languages: Collection[str]) -> None:
        """`languages` are those that a server can have chosen."""
        self._database = database
        self._languages = languages

    def claim(self, now: datetime) -> list[PuzzlePost]:
        """Claim a batch of the posts that are due, so that no other process makes them now."""
        with self._database.write() as connection:
            due = connection.execute(_due_posts(now)).mappings().all()
            claimed = [row for row in due if _claim(connection, row, now)]
            return [self._post(connection, row, now.date()) for row in claimed]

    def _post(self, connection: Connection, row: RowMapping, day: date) -> PuzzlePost:
        is_known = row["language"] in self._languages
        locale = row["language"] if is_known else row["locale"]
        place = Place(row["puzzle_channel"], row["guild_id"], locale or "")
        yesterday = day - timedelta(days=1)
        return PuzzlePost(place, day, _results(connection, row["guild_id"], yesterday))

    def record(self, post: PuzzlePost, message_id: int | None) -> None:
        """Store the message of a post; None if Discord refused it, so it is not tried again."""
        is_post = and_(
            puzzle_posts.c.guild_id == post.place.guild_id, puzzle_posts.c.day == post.day
        )
        if message_id is None:
            values = {"message_id": REFUSED_MESSAGE_ID, "failures": puzzle_posts.c.failures + 1}
        else:
            values = {"message_id": message_id, "failures": 0}
        with self._database.write() as connection:
            connection.execute(update(puzzle_posts).where(is_post).values(values))


def restart_posts(connection: Connection, guild_id: int, locale: str) -> None:
    """Reset the failures of a server that has chosen a channel, and retry a failed post."""
    message_id = func.coalesce(puzzle_posts.c.message_id, REFUSED_MESSAGE_ID)
    is_failed = and_(puzzle_posts.c.guild_id == guild_id, message_id == REFUSED_MESSAGE_ID)
    upsert(connection, puzzle_posts.c.guild_id, guild_id, failures=0, locale=locale)
    connection.execute(update(puzzle_posts).where(is_failed).values(day=None))


def has_given_up(connection: Connection, guild_id: int) -> bool:
    """Whether posting in a server has stopped, after too many failures in a row."""
    query = select(puzzle_posts.c.failures).where(puzzle_posts.c.guild_id == guild_id)
    failures = connection.execute(query).scalar_one_or_none() or 0
    return failures >= MAX_FAILED_POSTS


def _due_posts(now: datetime) -> Select[*tuple[Any, ...]]:
    """Select the servers where today's post is due; those of other days are dropped."""
    post = puzzle_posts.c
    is_unposted = and_(
        post.day == now.date(),
        may_claim_again(
            post.message_id, post.take, post.claimed_at, now_seconds=int(now.timestamp())
        ),
    )
    hour = func.coalesce(servers.c.puzzle_hour, GuildSettings().puzzle_hour)
    return (
        select(servers.c.guild_id, servers.c.puzzle_channel, servers.c.language)
        .add_columns(post.locale, post.day, post.take, post.guild_id.label("post_guild_id"))
        .join_from(servers, puzzle_posts, servers.c.guild_id == post.guild_id, isouter=True)
        .where(
            HAS_PUZZLE_CHANNEL,
            hour <= now.hour,
            func.coalesce(post.failures, 0) < MAX_FAILED_POSTS,
            or_(post.day.is_(None), post.day < now.date(), is_unposted),
        )
        .limit(_CLAIM_BATCH_SIZE)
    )


def _claim(connection: Connection, row: RowMapping, now: datetime) -> bool:
    """Claim the post of a row by compare-and-set; return False if another process was faster."""
    is_first_claim = row["day"] != now.date()
    claim = {
        "day": now.date(),
        "take": 1 if is_first_claim else row["take"] + 1,
        "claimed_at": int(now.timestamp()),
        "message_id": None,
    }
    if row["post_guild_id"] is None:
        try:
            connection.execute(insert(puzzle_posts).values(guild_id=row["guild_id"], **claim))
        except IntegrityError:
            return False
        return True
    is_unchanged = and_(
        puzzle_posts.c.guild_id == row["guild_id"],
        puzzle_posts.c.day.is_not_distinct_from(row["day"]),
        puzzle_posts.c.take == row["take"],
    )
    result = connection.execute(update(puzzle_posts).where(is_unchanged).values(claim))
    return result.rowcount == 1


def _results(connection: Connection, guild_id: int, day: date) -> tuple[PuzzleResult, ...]:
    """Finished attempts at a day's puzzle in a server, best first, without hidden people."""
    hidden = select(people.c.user_id).where(
        people.c.user_id == attempts.c.user_id, people.c.is_hidden
    )
    query = (
        select(attempts.c.tries, puzzle_tallies)
        .join(puzzle_tallies, puzzle_tallies.c.user_id == attempts.c.user_id)
        .where(attempts.c.guild_id == guild_id, attempts.c.day == day, ~hidden.exists())
        .where(or_(attempts.c.tries.is_not(None), func.length(attempts.c.tried) == MAX_GUESSES))
        .order_by(func.coalesce(attempts.c.tries, MAX_GUESSES + 1), attempts.c.user_id)
        .limit(_MAX_RESULTS)
    )
    return tuple(
        PuzzleResult(row["user_id"], row["tries"], stats_from_row(row).streak_on(day))
        for row in connection.execute(query).mappings()
    )
