"""The table of matches: every question and every change, each whole in itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Update, update
from sqlalchemy.exc import IntegrityError

from bot.game.changes import end_by_moderator, expire, leave
from bot.game.match import How, Match
from bot.store.database import Connections
from bot.store.rows import from_row, to_row
from bot.store.schema import CHANGING, SEATED, matches
from bot.store.statements import (
    ADD,
    BY_ID,
    CHANGES,
    COUNT_HINT,
    DUE,
    FORGET,
    FORGET_PLACE,
    FORGOTTEN_ROWS,
    IS_BEHIND,
    LAST_BETWEEN,
    LAST_PLAYED,
    LIVE_IN_CHANNEL,
    OF_GUILD,
    OF_PERSON,
    PLACE,
    PRUNE,
    PRUNE_UNPLAYED,
    UNCOUNTED,
)

Newest = Select[*tuple[Any, ...]]

_log = logging.getLogger(__name__)


class MatchTable:
    """Matches; compare-and-set decides every race between those who change one."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def load(self, match_id: int) -> Match | None:
        with self._connections.one() as connection:
            return _one(connection, BY_ID, id=match_id)

    def live_in(self, channel_id: int) -> Match | None:
        with self._connections.one() as connection:
            return _one(connection, LIVE_IN_CHANNEL, channel_id=channel_id)

    def add(self, match: Match) -> bool:
        """Store a new match; False when a live match holds the channel already."""
        try:
            with self._connections.one() as connection:
                connection.execute(ADD, to_row(match))
        except IntegrityError:
            return False
        return True

    def save(self, match: Match, *, also_players: bool = False) -> Match | None:
        """Store a change to the version that was loaded.

        Returns:
            The match at its next version; None when another change, or a hint, came first.
        """
        with self._connections.one() as connection:
            return _compare_and_set(connection, match, SEATED if also_players else CHANGING)

    def save_with_successor(self, match: Match, successor: Match) -> Match | None:
        """Store a change and the match that follows.

        Returns:
            The match at its next version; None, and neither is stored, if another came first.
        """
        try:
            with self._connections.whole() as connection:
                saved = _compare_and_set(connection, match)
                if saved is not None:
                    connection.execute(ADD, to_row(successor))
        except IntegrityError:
            return None
        return saved

    def place(self, match_id: int, message_id: int) -> None:
        """Note the message that shows a match, unless a newer message is noted already."""
        with self._connections.one() as connection:
            connection.execute(PLACE, {"its_id": match_id, "newer": message_id})

    def count_hint(self, match: Match) -> bool:
        """Note that a hint was asked for, once a version; False when the match has changed."""
        with self._connections.one() as connection:
            given = {"its_id": match.id, "from_version": match.version}
            return connection.execute(COUNT_HINT, given).rowcount == 1

    def last_played(self, channel_id: int) -> Match | None:
        """The newest match of a channel that has ended and in which somebody moved."""
        with self._connections.one() as connection:
            return _one(connection, LAST_PLAYED, channel_id=channel_id)

    def expire(self, now: datetime) -> list[Match]:
        """End live matches whose deadline has passed, a limited number at a time.

        Several processes may sweep at once: a row that one of them holds is skipped by the rest.
        """
        with self._connections.whole() as connection:
            due = connection.execute(DUE, {"now": int(now.timestamp())}).mappings().all()
            read = read_all(connection, due)
            saved = [_compare_and_set(connection, expire(match)) for match in read]
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
        ended = [self.load(match.id) for match in left]
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
            ended = [_compare_and_set(connection, end(match)) for match in going_on]
            connection.execute(forget, {"ids": [row["id"] for row in rows], "whose": whose})
        return True, [match for match in ended if match]

    def was_challenged(self, match: Match, since_id: int) -> bool:
        """Whether the same person challenged the same other before, and got no match since.

        `since_id` is an id of the time to look back to.
        """
        given = {"challenger": match.opened_by, "challenged": match.challenged}
        given |= {"since_id": since_id, "before_id": match.id}
        with self._connections.one() as connection:
            return connection.execute(LAST_BETWEEN, given).scalar_one_or_none() is False


def _newest(
    connection: Connection, queries: Iterable[Newest], whose: int, before_id: int
) -> list[RowMapping]:
    given = {"whose": whose, "before_id": before_id}
    rows = [row for query in queries for row in connection.execute(query, given).mappings()]
    return sorted(rows, key=lambda row: -row["id"])[:FORGOTTEN_ROWS]


def _one(connection: Connection, query: Select[*tuple[Any, ...]], **given: int) -> Match | None:
    row = connection.execute(query, given).mappings().one_or_none()
    return None if row is None else _read(connection, row)


def read_all(connection: Connection, rows: Iterable[RowMapping]) -> list[Match]:
    """The matches of rows, but for those that cannot be read."""
    return [match for row in rows if (match := _read(connection, row))]


def _read(connection: Connection, row: RowMapping) -> Match | None:
    """The match of a row; None for one that this release cannot read, which ends it.

    Left live, a row written by a newer release, or by hand, would hold its channel for ever.
    """
    try:
        return from_row(row)
    except (KeyError, TypeError, ValueError):
        _log.exception("Match %d cannot be read: it is ended.", row["id"])
        unreadable = update(matches).where(matches.c.id == row["id"])
        connection.execute(unreadable.values(live=False, ended_how=How.CALLED_OFF.value))
        return None


def _compare_and_set(
    connection: Connection, match: Match, names: tuple[str, ...] = CHANGING
) -> Match | None:
    """Store a match where its version, and its hints, are the stored ones: this decides races."""
    saved = replace(match, version=match.version + 1)
    row = to_row(saved)
    new = {f"new_{name}": row[name] for name in names}
    stored = {"its_id": match.id, "from_version": match.version, "with_hints": match.hints}
    done = connection.execute(CHANGES[names], stored | new)
    return saved if done.rowcount == 1 else None
