"""People's choices, the bot's memberships of servers, and the forgetting of people and servers.

Forgetting takes three steps, as there may be too many matches for one transaction: start (delete
results and store the id below which matches are to be forgotten), forget matches in batches until
none are left, and finish (delete the stored id).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    Delete,
    RowMapping,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    insert,
    null,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, snowflake_time
from bot.domain.matches import Match
from bot.domain.privacy import PrivacyChoices
from bot.store.database import Database, upsert, upsert_latest
from bot.store.match_rows import read_matches
from bot.store.matches import compare_and_set, load_match
from bot.store.schema import (
    COUNTING_LOCK,
    IS_TO_BE_FORGOTTEN,
    attempts,
    duels,
    facts,
    matches,
    memberships,
    moment_tries,
    moments,
    people,
    puzzle_posts,
    puzzle_tallies,
    ranks,
    reminder_choices,
    servers,
    tallies,
)

MATCH_BATCH_SIZE = 500

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]

_HAS_DEFAULTS = [people.c[name].is_(value) for name, value in asdict(PrivacyChoices()).items()]

_USER_ID_COLUMNS = (
    tallies.c.user_id,
    duels.c.first_id,
    duels.c.second_id,
    attempts.c.user_id,
    puzzle_tallies.c.user_id,
    ranks.c.user_id,
    moment_tries.c.user_id,
    reminder_choices.c.user_id,
)
"""The columns that say whose a result is. A person's rows are deleted with them."""

_ALL_USER_ID_COLUMNS = (
    *_USER_ID_COLUMNS,
    people.c.user_id,
    matches.c.x_id,
    matches.c.o_id,
    matches.c.opened_by,
)

_ALL_GUILD_ID_COLUMNS = tuple(
    table.c.guild_id for table in (matches, servers, memberships, puzzle_posts, attempts, ranks)
)

_DELETION = "deleted "
"""Prefix of the names of facts that record a deletion; a digest of the id follows."""

_ANONYMOUS = {
    "x_id": DELETED_USER_ID,
    "o_id": DELETED_USER_ID,
    "opened_by": DELETED_USER_ID,
    "asks_rematch": null(),
}
"""What replaces a forgotten person's id in a match, by column."""

_ANONYMIZE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(
        version=matches.c.version + 1,
        duel=None,
        **{
            name: case((matches.c[name] == bindparam("owner_id"), value), else_=matches.c[name])
            for name, value in _ANONYMOUS.items()
        },
    )
)

_REMOVE_PLACE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(
        version=matches.c.version + 1,
        guild_id=None,
        channel_id=DELETED_CHANNEL_ID,
        message_id=None,
    )
)

_REMOVE_MOMENTS = delete(moments).where(moments.c.match_id.in_(bindparam("ids")))

_MatchQuery = Select[*tuple[Any, ...]]


def _newest_with(column: Column[Any]) -> _MatchQuery:
    """Select a batch of the newest matches of `owner_id` with ids below `before_id`."""
    return (
        select(matches)
        .where(column == bindparam("owner_id"), matches.c.id < bindparam("before_id"))
        .order_by(matches.c.id.desc())
        .limit(MATCH_BATCH_SIZE)
    )


class ForgottenBatch(NamedTuple):
    """The matches of a batch that were live and are ended; and whether there may be more."""

    is_more: bool
    ended: list[Match]


class _OwnerKind(NamedTuple):
    """How to find the matches of an owner, a user or a server, and how to forget it in them."""

    newest: tuple[_MatchQuery, ...]
    forget: tuple[Update | Delete, ...]


_USER = _OwnerKind((_newest_with(matches.c.x_id), _newest_with(matches.c.o_id)), (_ANONYMIZE,))

_GUILD = _OwnerKind((_newest_with(matches.c.guild_id),), (_REMOVE_PLACE, _REMOVE_MOMENTS))


class PrivacyTable:
    """Stores people's choices and the bot's memberships, and forgets people and servers.

    A person without a row has made no choices. The functions handed in as `end` end a live match.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def choices(self, user_id: int) -> PrivacyChoices:
        query = select(*_CHOICES).where(people.c.user_id == user_id)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return PrivacyChoices() if row is None else PrivacyChoices(*row)

    def choose(self, user_id: int, choices: Mapping[str, bool]) -> None:
        """Set some of the fields of `PrivacyChoices`, by name."""
        with self._database.write() as connection:
            upsert(connection, people.c.user_id, user_id, **choices)

    def hidden(self, user_ids: Collection[int]) -> set[int]:
        """Those of the people who hide."""
        is_hidden = and_(people.c.user_id.in_(user_ids), people.c.is_hidden)
        with self._database.autocommit() as connection:
            return set(connection.execute(select(people.c.user_id).where(is_hidden)).scalars())

    def matches_of(self, user_id: int, before_id: int) -> tuple[list[Match], int | None]:
        """A batch of the newest matches of a person with ids below `before_id`.

        Returns:
            Those that can be read, and the `before_id` of the next batch; None after the last.
        """
        with self._database.autocommit() as connection:
            rows = _newest_rows(connection, _USER.newest, user_id, before_id)
            readable = read_matches(connection, rows)
        return readable, rows[-1]["id"] if rows else None

    def start_forgetting_user(self, user_id: int, before_id: int) -> None:
        """Delete a person's results and choices; their matches below `before_id` are to follow."""
        with self._database.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for column in _USER_ID_COLUMNS:
                connection.execute(delete(column.table).where(column == user_id))
            defaults = asdict(PrivacyChoices())
            upsert_latest(
                connection, people.c.forget_before, before_id, key_value=user_id, **defaults
            )
            _record_deletion(connection, user_id, before_id)

    def next_user_to_forget(self) -> tuple[int, int] | None:
        """A person to be forgotten, as user id and the `before_id` of matches; None if none."""
        query = select(people.c.user_id, people.c.forget_before).where(IS_TO_BE_FORGOTTEN).limit(1)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.user_id, row.forget_before)

    def forget_user_matches(
        self, user_id: int, before_id: int, end: Callable[[Match], Match]
    ) -> ForgottenBatch:
        """Anonymize a person in a batch of their newest matches with ids below `before_id`.

        Returns:
            The batch, whose ended matches are anonymized, too.
        """
        with self._database.transaction() as connection:
            batch = _forget_matches(connection, _USER, user_id, before_id, end)
        with self._database.autocommit() as connection:
            stored = [load_match(connection, match.id) for match in batch.ended]
        return batch._replace(ended=[match for match in stored if match])

    def finish_forgetting_user(self, user_id: int, before_id: int) -> None:
        """Store that a person's matches are forgotten, unless they asked again meanwhile."""
        is_user = people.c.user_id == user_id
        clear = update(people).where(is_user, people.c.forget_before == before_id)
        is_not_forgotten = people.c.forget_before.is_(None)
        delete_defaults = delete(people).where(is_user, is_not_forgotten, *_HAS_DEFAULTS)
        with self._database.transaction() as connection:
            connection.execute(clear.values(forget_before=None))
            connection.execute(delete_defaults)

    def record_memberships(self, guild_ids: Collection[int], now: datetime) -> None:
        """Store that the bot is now a member of these servers, and of no others."""
        columns = memberships.c
        query = select(columns.guild_id, columns.absent_since)
        # If two processes insert a new server at once, one fails; the other does all of it.
        with suppress(IntegrityError), self._database.transaction() as connection:
            absent_since = dict(connection.execute(query).all())
            if new_ids := set(guild_ids) - absent_since.keys():
                rows = [{"guild_id": guild_id} for guild_id in new_ids]
                connection.execute(insert(memberships), rows)
            for guild_id, since in absent_since.items():
                was_absent = since is not None
                is_absent = guild_id not in guild_ids
                if is_absent is not was_absent:
                    changed = update(memberships).where(columns.guild_id == guild_id)
                    value = int(now.timestamp()) if is_absent else None
                    connection.execute(changed.values(absent_since=value))

    def guilds_absent_since(self, time: datetime) -> list[int]:
        """The servers of which the bot has not been a member since `time` or longer."""
        is_absent = memberships.c.absent_since <= int(time.timestamp())
        query = select(memberships.c.guild_id).where(is_absent)
        with self._database.autocommit() as connection:
            return list(connection.execute(query).scalars())

    def start_forgetting_guild(self, guild_id: int, before_id: int) -> None:
        """Delete a server's settings, posts and leaderboards; its matches are to follow."""
        with self._database.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for table in (servers, puzzle_posts, ranks):
                connection.execute(delete(table).where(table.c.guild_id == guild_id))
            in_guild = update(attempts).where(attempts.c.guild_id == guild_id)
            connection.execute(in_guild.values(guild_id=None))
            upsert_latest(connection, memberships.c.forget_before, before_id, key_value=guild_id)
            _record_deletion(connection, guild_id, before_id)

    def next_guild_to_forget(self) -> tuple[int, int] | None:
        """A server to be forgotten, as server id and the `before_id` of matches; None if none."""
        query = select(memberships.c.guild_id, memberships.c.forget_before)
        query = query.where(memberships.c.forget_before.is_not(None)).limit(1)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.guild_id, row.forget_before)

    def forget_guild_matches(
        self, guild_id: int, before_id: int, end: Callable[[Match], Match]
    ) -> ForgottenBatch:
        """Remove the place from a batch of a server's newest matches with ids below `before_id`.

        Returns:
            The batch, whose ended matches still have their place: their boards are drawn once more.
        """
        with self._database.transaction() as connection:
            return _forget_matches(connection, _GUILD, guild_id, before_id, end)

    def finish_forgetting_guild(self, guild_id: int, before_id: int) -> None:
        """Delete a server's row once its matches are forgotten, unless it asked again meanwhile."""
        row = memberships.c
        is_unchanged = and_(row.guild_id == guild_id, row.forget_before == before_id)
        with self._database.write() as connection:
            connection.execute(delete(memberships).where(is_unchanged))

    def deleted_before(self, user_id: int) -> int | None:
        """The id before which a person was deleted in the last weeks; None if they were not."""
        with self._database.autocommit() as connection:
            return read_deletions(connection).get(_digest(user_id))

    def repeat_deletions(self, deletions: Mapping[str, int]) -> int:
        """Start deletions that another copy of this database recorded after this was made.

        Returns:
            How many people and servers these are.
        """
        with self._database.autocommit() as connection:
            known = read_deletions(connection)
        missed = {
            digest: before_id
            for digest, before_id in deletions.items()
            if before_id > known.get(digest, 0)
        }
        with self._database.autocommit() as connection:
            all_user_ids = _distinct_ids(connection, _ALL_USER_ID_COLUMNS)
            all_guild_ids = _distinct_ids(connection, _ALL_GUILD_ID_COLUMNS)
        user_ids = {user_id for user_id in all_user_ids if _digest(user_id) in missed}
        guild_ids = {guild_id for guild_id in all_guild_ids if _digest(guild_id) in missed}
        for user_id in user_ids:
            self.start_forgetting_user(user_id, missed[_digest(user_id)])
        for guild_id in guild_ids:
            self.start_forgetting_guild(guild_id, missed[_digest(guild_id)])
        return len(user_ids | guild_ids)

    def prune_deletions(self, before_id: int) -> None:
        """Delete the records of deletions with a lower `before_id`: no copy can be as old."""
        is_deletion = facts.c.name.startswith(_DELETION)
        old = delete(facts).where(is_deletion, facts.c.value < _sortable(before_id))
        with self._database.autocommit() as connection:
            connection.execute(old)


def read_deletions(connection: Connection) -> dict[str, int]:
    """The deletions of the last weeks: the `before_id` of each, by a digest of whose it was."""
    query = select(facts).where(facts.c.name.startswith(_DELETION))
    return {row.name: int(row.value) for row in connection.execute(query)}


def _record_deletion(connection: Connection, owner_id: int, before_id: int) -> None:
    upsert(connection, facts.c.name, _digest(owner_id), value=_sortable(before_id))


def _digest(owner_id: int) -> str:
    """The name of the fact that records a deletion; it does not reveal the id."""
    return _DELETION + hashlib.blake2b(str(owner_id).encode(), digest_size=24).hexdigest()


def _sortable(before_id: int) -> str:
    return f"{before_id:020}"


def _distinct_ids(connection: Connection, columns: Iterable[Column[Any]]) -> set[int]:
    """The ids in some columns, without those that stand for deleted owners."""
    ids: set[int] = set()
    for column in columns:
        ids.update(connection.execute(select(column).distinct()).scalars())
    return ids - {None, DELETED_USER_ID}


def _forget_matches(
    connection: Connection,
    kind: _OwnerKind,
    owner_id: int,
    before_id: int,
    end: Callable[[Match], Match],
) -> ForgottenBatch:
    """End the live matches of a batch, then forget the owner in the whole batch.

    Rows that another process has locked are skipped; if only these remain, there is more to do.
    """
    unlocked = [query.with_for_update(skip_locked=True) for query in kind.newest]
    rows = _newest_rows(connection, unlocked, owner_id, before_id)
    if not rows:
        is_more = bool(_newest_rows(connection, kind.newest, owner_id, before_id))
        return ForgottenBatch(is_more, [])
    live = read_matches(connection, (row for row in rows if row["live"]))
    ended_at = snowflake_time(before_id)
    ended = [replace(end(match), ended_at=ended_at) for match in live]
    saved = [compare_and_set(connection, match) for match in ended]
    ids = [row["id"] for row in rows]
    for statement in kind.forget:
        connection.execute(statement, {"ids": ids, "owner_id": owner_id})
    return ForgottenBatch(is_more=True, ended=[match for match in saved if match])


def _newest_rows(
    connection: Connection, queries: Iterable[_MatchQuery], owner_id: int, before_id: int
) -> list[RowMapping]:
    parameters = {"owner_id": owner_id, "before_id": before_id}
    rows = [row for query in queries for row in connection.execute(query, parameters).mappings()]
    newest_first = sorted(rows, key=lambda row: row["id"], reverse=True)
    return newest_first[:MATCH_BATCH_SIZE]
