"""The table of matches, one match at a time; `match_batches` handles many."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, update
from sqlalchemy.exc import IntegrityError

from bot.game.match import How, Match
from bot.store.database import Connections
from bot.store.rows import from_row, to_row
from bot.store.schema import CHANGE_COLUMNS, IS_LIVE, JOIN_COLUMNS, matches
from bot.store.statements import (
    ADD,
    BY_ID,
    CHANGE,
    COUNT_HINT,
    LAST_CHALLENGE,
    LAST_PLAYED,
    LIVE_IN_CHANNEL,
    NOTE_MESSAGE,
)

_log = logging.getLogger(__name__)


class MatchTable:
    """Matches; compare-and-set decides every race between changes to one."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def load(self, match_id: int) -> Match | None:
        with self._connections.autocommit() as connection:
            return read_one(connection, BY_ID, id=match_id)

    def live_in(self, channel_id: int) -> Match | None:
        with self._connections.autocommit() as connection:
            return read_one(connection, LIVE_IN_CHANNEL, channel_id=channel_id)

    def add(self, match: Match) -> bool:
        """Store a new match; return False if its id is taken or its channel has a live match."""
        try:
            with self._connections.autocommit() as connection:
                connection.execute(ADD, to_row(match))
        except IntegrityError:
            return False
        return True

    def save(self, match: Match, *, also_players: bool = False) -> Match | None:
        """Store a changed match if the stored one is still at the version that was loaded.

        Returns:
            The match at its next version; None if another change or a hint came first.
        """
        columns = JOIN_COLUMNS if also_players else CHANGE_COLUMNS
        with self._connections.autocommit() as connection:
            return compare_and_set(connection, match, columns)

    def save_with_successor(self, match: Match, successor: Match) -> Match | None:
        """Store a change to a match and its successor, both or neither.

        Returns:
            The match at its next version; None if another change or another match came first.
        """
        try:
            with self._connections.transaction() as connection:
                saved = compare_and_set(connection, match)
                if saved is not None:
                    connection.execute(ADD, to_row(successor))
        except IntegrityError:
            return None
        return saved

    def note_message(self, match_id: int, message_id: int) -> None:
        """Note the message that shows a match, unless a newer one is noted already."""
        with self._connections.autocommit() as connection:
            connection.execute(NOTE_MESSAGE, {"its_id": match_id, "newer": message_id})

    def count_hint(self, match: Match) -> bool:
        """Count a hint, at most one per version; return False if the match has changed."""
        with self._connections.autocommit() as connection:
            given = {"its_id": match.id, "from_version": match.version}
            return connection.execute(COUNT_HINT, given).rowcount == 1

    def last_played(self, channel_id: int) -> Match | None:
        """The newest match of a channel that has ended and has moves; None if there is none."""
        with self._connections.autocommit() as connection:
            return read_one(connection, LAST_PLAYED, channel_id=channel_id)

    def is_repeated_challenge(self, match: Match, since_id: int) -> bool:
        """Whether the same challenge was made before, and the two have not played since.

        `since_id` is an id from the moment to look back to.
        """
        given = {"challenger": match.opened_by, "challenged": match.challenged}
        given |= {"since_id": since_id, "before_id": match.id}
        with self._connections.autocommit() as connection:
            return connection.execute(LAST_CHALLENGE, given).scalar_one_or_none() is False


def read_one(connection: Connection, query: Select[*tuple[Any, ...]], **given: int) -> Match | None:
    found = read_all(connection, connection.execute(query, given).mappings())
    return found[0] if found else None


def read_all(connection: Connection, rows: Iterable[RowMapping]) -> list[Match]:
    """The matches of rows, without those that this release cannot read; live ones of these end.

    A live row written by a newer release, or by hand, would otherwise block its channel for ever.
    """
    read, unreadable = list[Match](), dict[int, Exception]()
    for row in rows:
        try:
            read.append(from_row(row))
        except (KeyError, TypeError, ValueError) as error:
            unreadable[row["id"]] = error
    if unreadable:
        ids = list(unreadable)
        said = "%d matches cannot be read, so those in progress are ended; the first is %d."
        _log.error(said, len(ids), ids[0], exc_info=unreadable[ids[0]])
        going_on = update(matches).where(matches.c.id.in_(ids), IS_LIVE)
        connection.execute(going_on.values(live=False, ended_how=How.CALLED_OFF.value))
    return read


def compare_and_set(
    connection: Connection, match: Match, columns: tuple[str, ...] = CHANGE_COLUMNS
) -> Match | None:
    """Store a match if its version and hints are still the stored ones; otherwise return None."""
    saved = replace(match, version=match.version + 1)
    row = to_row(saved)
    stored = {"its_id": match.id, "from_version": match.version, "with_hints": match.hints}
    done = connection.execute(CHANGE, stored | {name: row[name] for name in columns})
    return saved if done.rowcount == 1 else None
