"""Matches in batches: expiring, counting, pruning and forgetting them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Update

from bot.game.changes import end_by_moderator, expire, leave
from bot.game.ids import moment_of
from bot.game.match import Match
from bot.store.database import Connections
from bot.store.matches import compare_and_set, read_all, read_one
from bot.store.statements import (
    ANONYMIZE,
    BY_ID,
    DUE,
    FORGOTTEN_ROWS,
    OF_GUILD,
    OF_PERSON,
    PRUNE,
    PRUNE_UNPLAYED,
    REMOVE_PLACE,
    UNCOUNTED,
    UNCOUNTED_BEFORE,
)

Newest = Select[*tuple[Any, ...]]


class MatchBatches:
    """Each call handles one batch, so that no transaction holds up others for long."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def expire(self, now: datetime) -> list[Match]:
        """End a batch of the live matches whose deadline has passed; return those ended.

        Several processes may do this at once: rows that one has locked are skipped by the others.
        """
        with self._connections.transaction() as connection:
            due = connection.execute(DUE, {"now": int(now.timestamp())}).mappings().all()
            read = read_all(connection, due)
            saved = [compare_and_set(connection, expire(match)) for match in read]
        return [match for match in saved if match is not None]

    def uncounted(self) -> tuple[list[int], list[Match]]:
        """A batch of the matches that are over and not yet counted, in the order they ended.

        Returns:
            The ids of all of them, and the matches that can be read.
        """
        with self._connections.autocommit() as connection:
            rows = connection.execute(UNCOUNTED).mappings().all()
            return [row["id"] for row in rows], read_all(connection, rows)

    def prune(self, before: datetime, before_id: int) -> int:
        """Delete a batch of counted matches whose last deadline was earlier than `before`.

        `before_id` is the first id of that moment: ids grow with time, so it bounds the search.

        Returns:
            How many were deleted; 0 while older matches are still to be counted.
        """
        given = {"before": int(before.timestamp()), "before_id": before_id}
        with self._connections.autocommit() as connection:
            if connection.execute(UNCOUNTED_BEFORE, {"before_id": before_id}).first():
                return 0  # maybe a million, which the search below would have to scan past
            return connection.execute(PRUNE, given).rowcount

    def prune_unplayed(self, before_id: int) -> int:
        """Delete a batch of counted matches that ended without a move; return how many."""
        with self._connections.autocommit() as connection:
            return connection.execute(PRUNE_UNPLAYED, {"before_id": before_id}).rowcount

    def of_person(self, user_id: int, before_id: int) -> tuple[list[Match], int | None]:
        """A batch of the newest matches of a person with ids below `before_id`.

        Returns:
            Those that can be read, and the `before_id` for the next batch; None after the last.
        """
        with self._connections.autocommit() as connection:
            rows = _newest(connection, OF_PERSON, user_id, before_id)
            read = read_all(connection, rows)
        return read, rows[-1]["id"] if rows else None

    def forget(self, user_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Anonymize a person in a batch of their newest matches with ids below `before_id`.

        Live matches end without a result.

        Returns:
            Whether there may be more; and the matches that were live, ended and anonymized.
        """
        is_more, left = self._forget(OF_PERSON, ANONYMIZE, leave, user_id, before_id)
        with self._connections.autocommit() as connection:
            ended = [read_one(connection, BY_ID, id=match.id) for match in left]
        return is_more, [match for match in ended if match]

    def forget_guild(self, guild_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Like `forget`, but remove the place from a batch of a server's newest matches.

        The matches returned still have their place, so that their boards can be drawn a last time.
        """
        return self._forget(OF_GUILD, REMOVE_PLACE, end_by_moderator, guild_id, before_id)

    def _forget(
        self,
        queries: Sequence[Newest],
        forget: Update,
        end: Callable[[Match], Match],
        whose: int,
        before_id: int,
    ) -> tuple[bool, list[Match]]:
        """Skip rows that another process has locked, but report more to do while there are any."""
        free = [query.with_for_update(skip_locked=True) for query in queries]
        with self._connections.transaction() as connection:
            rows = _newest(connection, free, whose, before_id)
            if not rows:
                return bool(_newest(connection, queries, whose, before_id)), []
            going_on = read_all(connection, (row for row in rows if row["live"]))
            asked_at = moment_of(before_id)
            over = [replace(end(match), ended_at=asked_at) for match in going_on]
            ended = [compare_and_set(connection, match) for match in over]
            connection.execute(forget, {"ids": [row["id"] for row in rows], "whose": whose})
        return True, [match for match in ended if match]


def _newest(
    connection: Connection, queries: Iterable[Newest], whose: int, before_id: int
) -> list[RowMapping]:
    given = {"whose": whose, "before_id": before_id}
    rows = [row for query in queries for row in connection.execute(query, given).mappings()]
    return sorted(rows, key=lambda row: -row["id"])[:FORGOTTEN_ROWS]
