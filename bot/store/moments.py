"""The tables of moments: those that were shown, and who guessed the better move."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, not_, select, update
from sqlalchemy.exc import IntegrityError

from bot.domain.moments import GuessCount, Moment
from bot.store.claims import is_abandoned
from bot.store.database import Database
from bot.store.matches import load_match
from bot.store.schema import matches, moment_tries, moments

_PRUNE_BATCH_SIZE = 1_000


class MomentTable:
    """Stores at most one moment per match, and one guess per person and moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, match_id: int, ply: int, now: datetime) -> bool:
        """Store the moment of a match; return False if it has one that is, or is being, posted."""
        now_seconds = int(now.timestamp())
        new = insert(moments).values(match_id=match_id, ply=ply, claimed_at=now_seconds)
        try:
            with self._database.write() as connection:
                connection.execute(new)
        except IntegrityError:
            return self._claim_again(match_id, now_seconds)
        return True

    def _claim_again(self, match_id: int, now_seconds: int) -> bool:
        """Claim a moment whose process did not post it; return False if it did, or still may."""
        abandoned = update(moments).where(
            moments.c.match_id == match_id,
            moments.c.message_id.is_(None),
            is_abandoned(moments.c.claimed_at, now_seconds=now_seconds),
        )
        with self._database.write() as connection:
            return connection.execute(abandoned.values(claimed_at=now_seconds)).rowcount == 1

    def record_message(self, match_id: int, message_id: int) -> None:
        """Store which message shows the moment of a match."""
        posted = update(moments).where(moments.c.match_id == match_id)
        with self._database.write() as connection:
            connection.execute(posted.values(message_id=message_id))

    def remove(self, match_id: int) -> None:
        with self._database.write() as connection:
            connection.execute(delete(moments).where(moments.c.match_id == match_id))

    def load(self, match_id: int) -> Moment | None:
        """The moment of a match, without the numbers of guesses; None if it was not shown."""
        query = select(moments).where(moments.c.match_id == match_id)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
            match = None if row is None else load_match(connection, match_id)
        if row is None or match is None:
            return None
        return Moment(match, row.ply, row.message_id)

    def add_guess(self, match_id: int, user_id: int, *, is_found: bool) -> bool:
        """Store a person's first guess; return False if they have guessed before."""
        row = {"match_id": match_id, "user_id": user_id, "is_found": is_found}
        try:
            with self._database.write() as connection:
                connection.execute(insert(moment_tries).values(row))
        except IntegrityError:
            return False
        return True

    def count(self, match_id: int) -> GuessCount:
        """How many people have guessed, and how many of them were right."""
        correct = func.count().filter(moment_tries.c.is_found)
        query = select(func.count(), correct).where(moment_tries.c.match_id == match_id)
        with self._database.autocommit() as connection:
            return GuessCount(*connection.execute(query).one())

    def guesses_of(self, user_id: int) -> dict[int, bool]:
        """Whether a person found the move in each moment that they guessed at, by match id."""
        with self._database.autocommit() as connection:
            return load_guesses(connection, user_id)

    def prune(self, before_id: int) -> int:
        """Delete a batch of what belongs to matches below `before_id` that are deleted."""
        with self._database.write() as connection:
            return sum(
                _delete_orphans(connection, table, before_id) for table in (moments, moment_tries)
            )


def load_guesses(connection: Connection, user_id: int) -> dict[int, bool]:
    """As `MomentTable.guesses_of`."""
    query = select(moment_tries.c.match_id, moment_tries.c.is_found)
    query = query.where(moment_tries.c.user_id == user_id).order_by(moment_tries.c.match_id)
    return {row.match_id: row.is_found for row in connection.execute(query)}


def _delete_orphans(connection: Connection, table: Table, before_id: int) -> int:
    is_orphan: ColumnElement[bool] = not_(
        select(matches.c.id).where(matches.c.id == table.c.match_id).exists()
    )
    orphans = select(table.c.match_id).where(table.c.match_id < before_id, is_orphan)
    batch = orphans.limit(_PRUNE_BATCH_SIZE)
    return connection.execute(delete(table).where(table.c.match_id.in_(batch))).rowcount
