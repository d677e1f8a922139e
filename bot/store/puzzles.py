"""The tables of the daily puzzle: people's attempts and results, and the posts in servers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from operator import add
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    RowMapping,
    Select,
    Update,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import decode_cells, encode_cells
from bot.domain.matches import Place
from bot.domain.puzzles import (
    MAX_FAILED_POSTS,
    MAX_GUESSES,
    Attempt,
    PuzzlePost,
    PuzzleResult,
    PuzzleStats,
)
from bot.domain.settings import GuildSettings
from bot.domain.stats import Leaderboard
from bot.store.claims import REFUSED_MESSAGE_ID, may_claim_again
from bot.store.database import Database, upsert
from bot.store.schema import (
    COUNTING_LOCK,
    HAS_PUZZLE_CHANNEL,
    SOLVED_COLUMNS,
    attempts,
    people,
    puzzle_posts,
    puzzle_tallies,
    servers,
)
from bot.store.stats import upsert_score
from engine import Cell

_STATS_COLUMNS = ("missed", "streak", "best", "last_day", "gap_day")

_CLAIM_BATCH_SIZE = 20

_MAX_RESULTS = 20


class PuzzleTable:
    """Stores one attempt per person and day, and people's results.

    Compare-and-set decides every race between a person's guesses.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def guesses(self, user_id: int, day: date) -> tuple[Cell, ...]:
        """The cells that a person has guessed, in order; empty if none."""
        query = select(attempts.c.tried).where(_is_attempt(user_id, day))
        with self._database.autocommit() as connection:
            return decode_cells(connection.execute(query).scalar_one_or_none() or "")

    def stats(self, user_id: int) -> PuzzleStats:
        with self._database.autocommit() as connection:
            return _read_stats(connection, user_id)

    def solved(self, user_id: int, days: Collection[date]) -> set[date]:
        """Those of the days whose puzzle a person has solved."""
        query = select(attempts.c.day).where(
            attempts.c.user_id == user_id, attempts.c.day.in_(days), attempts.c.tries.is_not(None)
        )
        with self._database.autocommit() as connection:
            return set(connection.execute(query).scalars())

    def attempts(self, user_id: int) -> list[RowMapping]:
        """All stored columns of a person's attempts, by day."""
        query = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.day)
        with self._database.autocommit() as connection:
            return list(connection.execute(query).mappings())

    def save_attempt(
        self,
        user_id: int,
        day: date,
        attempt: Attempt,
        *,
        expected_guesses: tuple[Cell, ...],
        guild_id: int | None,
    ) -> bool:
        """Store an attempt, unless other guesses than `expected_guesses` are stored by now.

        An attempt that is over is added to the person's results, and to the server's leaderboards.

        Returns:
            Whether the attempt was stored.
        """
        values = {
            "tried": encode_cells(attempt.guesses),
            "tries": attempt.guesses_needed,
            "guild_id": guild_id,
        }
        statement: Update | Insert
        if expected_guesses:
            is_expected = attempts.c.tried == encode_cells(expected_guesses)
            changed = update(attempts).where(_is_attempt(user_id, day), is_expected)
            statement = changed.values(values)
        else:
            statement = insert(attempts).values(user_id=user_id, day=day, **values)

        try:
            with self._database.transaction() as connection:
                if attempt.is_over:
                    connection.execute(COUNTING_LOCK.with_for_update())
                if connection.execute(statement).rowcount == 0:
                    return False
                if attempt.is_over:
                    _count(connection, user_id, day, attempt, guild_id)
        except IntegrityError:  # another request inserted the row first
            return False
        return True

    def share(self, user_id: int, day: date, *, is_shared: bool = True) -> bool:
        """Store whether an attempt has been shared; return False if that is stored already."""
        is_changed = attempts.c.is_shared != is_shared
        changed = update(attempts).where(_is_attempt(user_id, day), is_changed)
        with self._database.write() as connection:
            return connection.execute(changed.values(is_shared=is_shared)).rowcount == 1

    def prune(self, before: date) -> int:
        """Delete the attempts of the oldest day earlier than `before`; return how many."""
        oldest = select(func.min(attempts.c.day)).where(attempts.c.day < before).scalar_subquery()
        with self._database.write() as connection:
            return connection.execute(delete(attempts).where(attempts.c.day == oldest)).rowcount


def _is_attempt(user_id: int, day: date) -> ColumnElement[bool]:
    return and_(attempts.c.user_id == user_id, attempts.c.day == day)


def _count(
    connection: Connection, user_id: int, day: date, attempt: Attempt, guild_id: int | None
) -> None:
    """Add an attempt that is over to all results."""
    stats = _read_stats(connection, user_id).after(day, attempt)
    row = {
        **dict(zip(SOLVED_COLUMNS, stats.solved, strict=True)),
        **{name: getattr(stats, name) for name in _STATS_COLUMNS},
    }
    upsert(connection, puzzle_tallies.c.user_id, user_id, **row)

    if guild_id is not None and attempt.points:
        for leaderboard in (Leaderboard.MONTH, Leaderboard.EVER):
            key = guild_id, leaderboard.on(day), user_id
            upsert_score(connection, key, add, attempt.points)


def _read_stats(connection: Connection, user_id: int) -> PuzzleStats:
    query = select(puzzle_tallies).where(puzzle_tallies.c.user_id == user_id)
    row = connection.execute(query).mappings().one_or_none()
    return PuzzleStats() if row is None else _stats_from_row(row)


def _stats_from_row(row: RowMapping) -> PuzzleStats:
    """The results in a row that has the columns of `puzzle_tallies`."""
    solved = tuple(row[name] for name in SOLVED_COLUMNS)
    return PuzzleStats(solved, **{name: row[name] for name in _STATS_COLUMNS})


class PuzzlePostTable:
    """Stores the last post in each server, and finds those that are due.

    Compare-and-set decides which of several processes makes a post. `languages` are those that a
    server can have chosen.
    """

    def __init__(self, database: Database, languages: Collection[str]) -> None:
        self._database = database
        self._languages = languages

    def claim(self, now: datetime) -> list[PuzzlePost]:
        """Claim a batch of the posts that are due, so that no other process makes them now."""
        with self._database.write() as connection:
            due = connection.execute(_due_posts(now)).mappings().all()
            claimed = [row for row in due if _claim(connection, row, now)]
            return [self._post(connection, row, now.date()) for row in claimed]

    def _post(self, connection: Connection, row: RowMapping, day: date) -> PuzzlePost:
        chosen = row["language"] if row["language"] in self._languages else None
        place = Place(row["puzzle_channel"], row["guild_id"], chosen or row["locale"] or "")
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

    def restart(self, guild_id: int, locale: str) -> None:
        """Reset the failures of a server that has chosen a channel, and retry a failed post."""
        message_id = func.coalesce(puzzle_posts.c.message_id, REFUSED_MESSAGE_ID)
        is_failed = and_(puzzle_posts.c.guild_id == guild_id, message_id == REFUSED_MESSAGE_ID)
        with self._database.write() as connection:
            upsert(connection, puzzle_posts.c.guild_id, guild_id, failures=0, locale=locale)
            connection.execute(update(puzzle_posts).where(is_failed).values(day=None))

    def has_given_up(self, guild_id: int) -> bool:
        """Whether posting in a server has stopped, after too many failures in a row."""
        query = select(puzzle_posts.c.failures).where(puzzle_posts.c.guild_id == guild_id)
        with self._database.autocommit() as connection:
            return (connection.execute(query).scalar_one_or_none() or 0) >= MAX_FAILED_POSTS


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
        PuzzleResult(row["user_id"], row["tries"], _stats_from_row(row).streak_on(day))
        for row in connection.execute(query).mappings()
    )
