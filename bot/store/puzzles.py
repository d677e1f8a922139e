"""The tables of the daily puzzle: attempts, each person's tally of them, and posts in servers."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from operator import add
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
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
from bot.domain.puzzles import MAX_FAILURES, Attempt, PuzzlePost, PuzzleResult, PuzzleStats
from bot.domain.settings import GuildSettings
from bot.domain.stats import Leaderboard
from bot.store.database import Database, upsert
from bot.store.schema import (
    COUNTING_LOCK,
    HAS_PUZZLE_CHANNEL,
    attempts,
    people,
    puzzle_posts,
    puzzle_tallies,
    servers,
)
from bot.store.stats import upsert_score
from engine import TRIES, Cell

_SOLVED_COLUMNS = [f"solved_{tries}" for tries in range(1, TRIES + 1)]

_OTHER_COLUMNS = ("missed", "streak", "best", "last_day", "gap_day")


class AttemptTable:
    """One attempt per person and day; compare-and-set decides every race between tries."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def tried(self, user_id: int, day: date) -> tuple[Cell, ...]:
        """The cells that a person has tried, in order; empty if none."""
        query = select(attempts.c.tried).where(*_same_row(user_id, day))
        with self._connections.autocommit() as connection:
            return decode_cells(connection.execute(query).scalar_one_or_none() or "")

    def tally(self, user_id: int) -> PuzzleStats:
        with self._connections.autocommit() as connection:
            return _tally(connection, user_id)

    def save(
        self, user_id: int, day: date, before: tuple[Cell, ...], now: Attempt, guild_id: int | None
    ) -> bool:
        """Store an attempt if the stored tries are still `before`; return False if they are not.

        An attempt that is over is added to the person's tally and to the ranks of its server.
        """
        new = {"tried": encode_cells(now.tried), "tries": now.tries, "guild_id": guild_id}
        try:
            with self._connections.transaction() as connection:
                if now.is_over:
                    connection.execute(COUNTING_LOCK.with_for_update())
                if before:
                    stood = *_same_row(user_id, day), attempts.c.tried == encode_cells(before)
                    done = connection.execute(update(attempts).where(*stood).values(new))
                    if done.rowcount == 0:
                        return False
                else:
                    row = {"user_id": user_id, "day": day, **new}
                    connection.execute(insert(attempts).values(row))
                if now.is_over:
                    _count(connection, user_id, day, now, guild_id)
        except IntegrityError:  # another request inserted the row first
            return False
        return True

    def share(self, user_id: int, day: date, *, is_shared: bool = True) -> bool:
        """Note whether the attempt of a day is shared; return False if that is so already."""
        is_other = attempts.c.is_shared != is_shared
        query = update(attempts).where(*_same_row(user_id, day), is_other)
        with self._connections.autocommit() as connection:
            return connection.execute(query.values(is_shared=is_shared)).rowcount == 1

    def of(self, user_id: int) -> list[RowMapping]:
        """All stored columns of a person's attempts, by day."""
        query = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.day)
        with self._connections.autocommit() as connection:
            return list(connection.execute(query).mappings())

    def prune(self, before: date) -> int:
        """Delete the attempts of the oldest day earlier than `before`; return how many."""
        oldest = select(func.min(attempts.c.day)).where(attempts.c.day < before).scalar_subquery()
        with self._connections.autocommit() as connection:
            return connection.execute(delete(attempts).where(attempts.c.day == oldest)).rowcount


def _same_row(user_id: int, day: date) -> tuple[Any, Any]:
    return attempts.c.user_id == user_id, attempts.c.day == day


def _count(
    connection: Connection, user_id: int, day: date, attempt: Attempt, guild_id: int | None
) -> None:
    tally = _tally(connection, user_id).after(day, attempt)
    rest = {name: getattr(tally, name) for name in _OTHER_COLUMNS}
    solved = dict(zip(_SOLVED_COLUMNS, tally.solved, strict=True))
    upsert(connection, puzzle_tallies.c.user_id, user_id, **solved, **rest)
    if guild_id is not None and attempt.points:
        for chart in (Leaderboard.MONTH, Leaderboard.EVER):
            upsert_score(connection, (guild_id, chart.on(day), user_id), add, attempt.points)


def _tally(connection: Connection, user_id: int) -> PuzzleStats:
    query = select(puzzle_tallies).where(puzzle_tallies.c.user_id == user_id)
    row = connection.execute(query).mappings().one_or_none()
    return PuzzleStats() if row is None else tally_of(row)


def tally_of(row: RowMapping) -> PuzzleStats:
    """Read a tally from a row that has the columns of `puzzle_tallies`."""
    return PuzzleStats(
        tuple(row[name] for name in _SOLVED_COLUMNS), *(row[name] for name in _OTHER_COLUMNS)
    )


_CLAIM_SECONDS, _NONCE_SECONDS = 20, 60
"""How long a claim is exclusive; and how long it may be taken over, while Discord still knows the
nonce and drops a second message.
"""

_MOST_CLAIMS = 3

_CLAIMED_ROWS = 20

_NO_MESSAGE = 0

_MOST_SOLVERS = 20

_ONE_DAY = timedelta(days=1)


class PuzzlePostTable:
    """One post per server and day, however many processes there are."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def claim(self, now: datetime) -> list[PuzzlePost]:
        """Claim a batch of the posts that are due: no other process makes them meanwhile."""
        with self._connections.autocommit() as connection:
            due = connection.execute(_due(now)).mappings().all()
            ours = [row for row in due if _claim(connection, row, now)]
            return [_post(connection, row, now.date()) for row in ours]

    def note(self, post: PuzzlePost, message_id: int | None) -> None:
        """Note a post's message; None says that Discord refused it: no retry on that day."""
        failures = puzzle_posts.c.failures + 1 if message_id is None else 0
        noted = update(puzzle_posts).values(message_id=message_id or _NO_MESSAGE, failures=failures)
        same = puzzle_posts.c.guild_id == post.place.guild_id, puzzle_posts.c.day == post.day
        with self._connections.autocommit() as connection:
            connection.execute(noted.where(*same))

    def begin(self, guild_id: int, locale: str) -> None:
        """Reset the failures of a server that has chosen a channel, and retry a failed post."""
        is_made = func.coalesce(puzzle_posts.c.message_id, _NO_MESSAGE) != _NO_MESSAGE
        with self._connections.autocommit() as connection:
            upsert(connection, puzzle_posts.c.guild_id, guild_id, failures=0, locale=locale)
            anew = update(puzzle_posts).where(puzzle_posts.c.guild_id == guild_id, ~is_made)
            connection.execute(anew.values(day=None))

    def has_given_up(self, guild_id: int) -> bool:
        """Whether posting in a server has stopped, after too many failures in a row."""
        query = select(puzzle_posts.c.failures).where(puzzle_posts.c.guild_id == guild_id)
        with self._connections.autocommit() as connection:
            return (connection.execute(query).scalar_one_or_none() or 0) >= MAX_FAILURES


def _due(now: datetime) -> Select[*tuple[Any, ...]]:
    """Select the servers where today's post is due; posts missed on other days are dropped."""
    post, seconds = puzzle_posts.c, int(now.timestamp())
    may_be_unmade = and_(
        post.day == now.date(),
        post.message_id.is_(None),
        post.take < _MOST_CLAIMS,
        post.claimed_at.between(seconds - _NONCE_SECONDS, seconds - _CLAIM_SECONDS),
    )
    hour = func.coalesce(servers.c.puzzle_hour, GuildSettings().puzzle_hour)
    return (
        select(servers.c.guild_id, servers.c.puzzle_channel, servers.c.language)
        .add_columns(post.locale, post.day, post.take, post.guild_id.label("known"))
        .join_from(servers, puzzle_posts, servers.c.guild_id == post.guild_id, isouter=True)
        .where(
            HAS_PUZZLE_CHANNEL,
            hour <= now.hour,
            func.coalesce(post.failures, 0) < MAX_FAILURES,
            or_(post.day.is_(None), post.day < now.date(), may_be_unmade),
        )
        .limit(_CLAIMED_ROWS)
    )


def _claim(connection: Connection, row: RowMapping, now: datetime) -> bool:
    """Claim the post of a row by compare-and-set; return False if another process was faster."""
    claim = {
        "day": now.date(),
        "take": (row["take"] or 0) + 1 if row["day"] == now.date() else 1,
        "claimed_at": int(now.timestamp()),
        "message_id": None,
    }
    if row["known"] is None:
        try:
            connection.execute(insert(puzzle_posts).values(guild_id=row["guild_id"], **claim))
        except IntegrityError:
            return False
        return True
    stands = puzzle_posts.c.day.is_not_distinct_from(row["day"])
    same = puzzle_posts.c.guild_id == row["guild_id"], stands, puzzle_posts.c.take == row["take"]
    return connection.execute(update(puzzle_posts).where(*same).values(claim)).rowcount == 1


def _post(connection: Connection, row: RowMapping, day: date) -> PuzzlePost:
    return PuzzlePost(
        Place(row["puzzle_channel"], row["guild_id"], row["language"] or row["locale"] or ""),
        day,
        _finished(connection, row["guild_id"], day - _ONE_DAY),
    )


def _finished(connection: Connection, guild_id: int, day: date) -> tuple[PuzzleResult, ...]:
    """Finished attempts at a day's puzzle in a server, best first, without hidden people."""
    hidden = select(people.c.user_id).where(
        people.c.user_id == attempts.c.user_id, people.c.is_hidden
    )
    query = (
        select(attempts.c.tries, puzzle_tallies)
        .join(puzzle_tallies, puzzle_tallies.c.user_id == attempts.c.user_id)
        .where(attempts.c.guild_id == guild_id, attempts.c.day == day, ~hidden.exists())
        .where(or_(attempts.c.tries.is_not(None), func.length(attempts.c.tried) == TRIES))
        .order_by(func.coalesce(attempts.c.tries, TRIES + 1), attempts.c.user_id)
        .limit(_MOST_SOLVERS)
    )
    return tuple(
        PuzzleResult(row["user_id"], row["tries"], tally_of(row).streak_on(day))
        for row in connection.execute(query).mappings()
    )
