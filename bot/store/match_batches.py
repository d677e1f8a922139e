"""Matches by the batch: those that time ends, that are to be counted, and that are forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Update

from bot.game.changes import end_by_moderator, expire, leave
from bot.game.match import Match
from bot.store.database import Connections
from bot.store.matches import compare_and_set, read_all, read_one
from bot.store.statements import (
    BY_ID,
    DUE,
    FORGET,
    FORGET_PLACE,
    FORGOTTEN_ROWS,
    IS_BEHIND,
    OF_GUILD,
    OF_PERSON,
    PRUNE,
    PRUNE_UNPLAYED,
    UNCOUNTED,
)

Newest = Select[*tuple[Any, ...]]


class MatchBatches:
    """Some matches at a time; what is left waits for the next time, and others need not wait."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def expire(self, now: datetime) -> list[Match]:
        """End live matches whose deadline has passed, a limited number at a time.

        Several processes may sweep at once: a row that one of them holds is skipped by the rest.
        """
        with self._connections.whole() as connection:
            due = connection.execute(DUE, {"now": int(now.timestamp())}).mappings().all()
            read = read_all(connection, due)
            saved = [compare_and_set(connection, expire(match)) for match in read]
        return [match for match in saved if match is not None]

    def uncounted(self) -> tuple[list[int], list[Match]]:
        """The matches that ended first of those that are to be counted, some at a time.

        Returns:
            The ids of all of them, and those that can be read.
        """
        with self._connections.one() as connection:
            rows = connection.execute(UNCOUNTED).mappings().all()
            return [row["id"] for row in rows], read_all(connection, rows)

    def prune(self, before: datetime, before_id: int) -> int:
        """Forget counted matches that would have run out of time before, some at a time.

        `before_id` is an id of that time: ids grow, so that one bounds the search.

        Returns:
            How many were forgotten.
        """
        given = {"before": int(before.timestamp()), "before_id": before_id}
        with self._connections.one() as connection:
            if connection.execute(IS_BEHIND, {"before_id": before_id}).first():
                return 0  # there may be a million, which a search for others would all pass
            return connection.execute(PRUNE, given).rowcount

    def prune_unplayed(self, before_id: int) -> int:
        """Forget matches that ended without a move, some at a time; returns how many."""
        with self._connections.one() as connection:
            return connection.execute(PRUNE_UNPLAYED, {"before_id": before_id}).rowcount

    def of_person(self, user_id: int, before_id: int) -> tuple[list[Match], int | None]:
        """The newest matches of a person with lesser ids, some at a time.

        Returns:
            Those that can be read, and the least of all their ids; None where there are no more.
        """
        with self._connections.one() as connection:
            rows = _newest(connection, OF_PERSON, user_id, before_id)
            read = read_all(connection, rows)
        return read, rows[-1]["id"] if rows else None

    def forget(self, user_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Have somebody nameless take a person's place in the newest of those, some at a time.

        What still goes on ends without a result.

        Returns:
            Whether there is more; and the matches that went on, as they ended.
        """
        is_more, left = self._forget(OF_PERSON, FORGET, leave, user_id, before_id)
        with self._connections.one() as connection:
            ended = [read_one(connection, BY_ID, id=match.id) for match in left]
        return is_more, [match for match in ended if match]

    def forget_guild(self, guild_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Have the newest matches of a server be nowhere, some at a time; the same otherwise.

        Those that went on still say where their board is, so that it can be drawn a last time.
        """
        return self._forget(OF_GUILD, FORGET_PLACE, end_by_moderator, guild_id, before_id)

    def _forget(
        self,
        queries: Sequence[Newest],
        forget: Update,
        end: Callable[[Match], Match],
        whose: int,
        before_id: int,
    ) -> tuple[bool, list[Match]]:
        """What another process is at meanwhile is left to that, but is not done before it is."""
        free = [query.with_for_update(skip_locked=True) for query in queries]
        with self._connections.whole() as connection:
            rows = _newest(connection, free, whose, before_id)
            if not rows:
                return bool(_newest(connection, queries, whose, before_id)), []
            going_on = read_all(connection, (row for row in rows if row["live"]))
            ended = [compare_and_set(connection, end(match)) for match in going_on]
            connection.execute(forget, {"ids": [row["id"] for row in rows], "whose": whose})
        return True, [match for match in ended if match]


def _newest(
    connection: Connection, queries: Iterable[Newest], whose: int, before_id: int
) -> list[RowMapping]:
    given = {"whose": whose, "before_id": before_id}
    rows = [row for query in queries for row in connection.execute(query, given).mappings()]
    return sorted(rows, key=lambda row: -row["id"])[:FORGOTTEN_ROWS]
