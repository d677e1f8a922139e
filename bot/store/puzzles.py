"""The tables of people's attempts at the daily puzzle, and of their results."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from operator import add

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    RowMapping,
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
from bot.domain.puzzles import (
    MAX_GUESSES,
    Attempt,
    PuzzleStats,
)
from bot.domain.stats import Leaderboard
from bot.store.claims import is_abandoned
from bot.store.database import Database, upsert
from bot.store.schema import (
    COUNTING_LOCK,
    SOLVED_COLUMNS,
    attempts,
    puzzle_tallies,
)
from bot.store.stats import upsert_score
from engine import Cell

_STATS_COLUMNS = ("missed", "streak", "best", "last_day", "gap_day")


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
            return load_stats(connection, user_id)

    def solved(self, user_id: int, days: Collection[date]) -> set[date]:
        """Those of the days whose puzzle a person has solved."""
        query = select(attempts.c.day).where(
            attempts.c.user_id == user_id, attempts.c.day.in_(days), attempts.c.tries.is_not(None)
        )
        with self._database.autocommit() as connection:
            return set(connection.execute(query).scalars())

    def attempts(self, user_id: int) -> list[RowMapping]:
        """All stored columns of a person's attempts, by day."""
        with self._database.autocommit() as connection:
            return load_attempts(connection, user_id)

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

    def remove_unfinished(self, user_id: int, day: date) -> None:
        """Delete an attempt that is not over; it is not among the person's results yet."""
        is_unsolved = attempts.c.tries.is_(None)
        has_guesses_left = func.length(attempts.c.tried) < MAX_GUESSES
        removed = delete(attempts).where(_is_attempt(user_id, day), is_unsolved, has_guesses_left)
        with self._database.write() as connection:
            connection.execute(removed)

    def claim_share(self, user_id: int, day: date, now: datetime) -> bool:
        """Claim the sharing of an attempt; return False if it is, or is being, shared."""
        now_seconds = int(now.timestamp())
        is_free = or_(
            attempts.c.is_shared.is_(False),
            is_abandoned(attempts.c.share_claimed_at, now_seconds=now_seconds),
        )
        claimed = update(attempts).where(_is_attempt(user_id, day), is_free)
        values = {"is_shared": True, "share_claimed_at": now_seconds}
        with self._database.write() as connection:
            return connection.execute(claimed.values(values)).rowcount == 1

    def record_share(self, user_id: int, day: date, *, is_shared: bool) -> None:
        """Store whether an attempt that was claimed has been shared."""
        claimed = update(attempts).where(_is_attempt(user_id, day))
        values = {"is_shared": is_shared, "share_claimed_at": None}
        with self._database.write() as connection:
            connection.execute(claimed.values(values))

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
    stats = load_stats(connection, user_id).after(day, attempt)
    row = {
        **dict(zip(SOLVED_COLUMNS, stats.solved, strict=True)),
        **{name: getattr(stats, name) for name in _STATS_COLUMNS},
    }
    upsert(connection, puzzle_tallies.c.user_id, user_id, **row)

    if guild_id is not None and attempt.points:
        for leaderboard in (Leaderboard.MONTH, Leaderboard.EVER):
            key = guild_id, leaderboard.on(day), user_id
            upsert_score(connection, key, add, attempt.points)


def load_attempts(connection: Connection, user_id: int) -> list[RowMapping]:
    """All stored columns of a person's attempts, by day."""
    query = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.day)
    return list(connection.execute(query).mappings())


def load_stats(connection: Connection, user_id: int) -> PuzzleStats:
    """A person's results in puzzles."""
    query = select(puzzle_tallies).where(puzzle_tallies.c.user_id == user_id)
    row = connection.execute(query).mappings().one_or_none()
    return PuzzleStats() if row is None else stats_from_row(row)


def stats_from_row(row: RowMapping) -> PuzzleStats:
    """The results in a row that has the columns of `puzzle_tallies`."""
    solved = tuple(row[name] for name in SOLVED_COLUMNS)
    return PuzzleStats(solved, **{name: row[name] for name in _STATS_COLUMNS})
