"""How people and servers are forgotten.

There may be too many matches for one transaction, so it takes three steps:

1. Start: delete results, and store the id below which matches are to be forgotten.
2. Forget matches in batches, until none are left; the first goes with the start.
3. Finish: delete the stored id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    TextClause,
    Update,
    and_,
    bindparam,
    case,
    delete,
    null,
    select,
    text,
    update,
)

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, snowflake_time, time_snowflake
from bot.domain.match_actions import end_by_moderator, leave
from bot.domain.matches import Match
from bot.domain.privacy import COPIES_KEPT_FOR, PrivacyChoices
from bot.features.counting import save_match
from bot.runtime.runtime import Runtime
from bot.store.database import insert_new, upsert_latest
from bot.store.deletion_records import (
    deletion_name,
    prune_deletions,
    read_deletions,
    record_deletion,
)
from bot.store.locks import lock_people, lock_server
from bot.store.match_rows import read_or_end_matches
from bot.store.matches import (
    NEWEST_OF_PERSON,
    NEWEST_OF_SERVER,
    MatchQuery,
    load_match,
    newest_rows,
)
from bot.store.schema import (
    IS_TO_BE_FORGOTTEN,
    attempts,
    duels,
    matches,
    memberships,
    moment_tries,
    moments,
    people,
    progress,
    puzzle_posts,
    puzzle_tallies,
    ranks,
    server_scores,
    servers,
    tallies,
)

_KEEP_AFTER_LEAVING = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose data is forgotten: people, or servers.

    Attributes:
        newest: Queries for a batch of an owner's matches, each the newest first.
        forget: Statements that remove an owner from a batch.
        end: How an owner's live matches end; without a result, so that this locks no people.
        start: Deletes what belongs to an owner alone, and stores the id below which the matches
            are to be forgotten.
        finish: Deletes that id, unless the owner has asked again meanwhile.
        to_forget: The column with that id, in a table of owners.
        is_to_be_forgotten: Whether an owner's row has such an id.
    """

    newest: tuple[MatchQuery, ...]
    forget: tuple[Update | Delete, ...]
    end: Callable[[Match], Match]
    start: Callable[[Connection, int, int], None]
    finish: Callable[[Connection, int, int], None]
    to_forget: Column[int | None]
    is_to_be_forgotten: ColumnElement[bool] | TextClause


async def forget_next(runtime: Runtime) -> list[Match] | None:
    """Forget the next batch of older matches of a person or a server.

    Returns:
        The live matches that this ended; None if there is nothing to forget.
    """
    for owners in (PEOPLE, SERVERS):
        if owner := await runtime.database.read(next_to_forget, owners):
            return await runtime.database.change(_forget_more, owners, *owner)
    return None


async def record_memberships(runtime: Runtime, guild_ids: Collection[int]) -> None:
    """Store which servers the bot is in, and start to forget those that it left a month ago.

    Also delete the records of deletions that no copy of the database can be older than.
    """
    now = runtime.clock.trusted_now()
    if now is not None:
        await runtime.database.change(save_memberships, guild_ids, now)


def save_memberships(connection: Connection, guild_ids: Collection[int], now: datetime) -> None:
    prune_deletions(connection, time_snowflake(now - COPIES_KEPT_FOR))
    is_known = select(memberships.c.guild_id, memberships.c.absent_since)
    absent_since = {row.guild_id: row.absent_since for row in connection.execute(is_known)}
    # In the order of their ids: another process may do the same at once.
    for guild_id in sorted(set(guild_ids) - absent_since.keys()):
        insert_new(connection, memberships, guild_id=guild_id)
    for guild_id, since in sorted(absent_since.items()):
        if (since is not None) is (guild_id in guild_ids):
            value = int(now.timestamp()) if since is None else None
            changed = update(memberships).where(memberships.c.guild_id == guild_id)
            connection.execute(changed.values(absent_since=value))
    _forget_left(connection, now)


def _forget_left(connection: Connection, now: datetime) -> None:
    long_ago = int((now - _KEEP_AFTER_LEAVING).timestamp())
    is_past = memberships.c.absent_since <= long_ago
    left = select(memberships.c.guild_id).where(is_past).order_by(memberships.c.guild_id)
    for guild_id in connection.execute(left).scalars().all():
        SERVERS.start(connection, guild_id, time_snowflake(now))


# The matches of an owner


_IS_ENDED_IN_BATCH = (matches.c.id.in_(bindparam("ids")), text("NOT live"))

_ANONYMOUS = {
    "x_id": DELETED_USER_ID,
    "o_id": DELETED_USER_ID,
    "opened_by": DELETED_USER_ID,
    "asks_rematch": null(),
}
"""What replaces a forgotten person's id in a match, by column."""

_ANONYMIZE = (
    update(matches)
    .where(*_IS_ENDED_IN_BATCH)
    .values(
        version=matches.c.version + 1,
        duel=None,
        trail=None,
        **{
            name: case((matches.c[name] == bindparam("owner_id"), value), else_=matches.c[name])
            for name, value in _ANONYMOUS.items()
        },
    )
)

_REMOVE_PLACE = (
    update(matches)
    .where(*_IS_ENDED_IN_BATCH)
    .values(
        version=matches.c.version + 1,
        guild_id=None,
        channel_id=DELETED_CHANNEL_ID,
        message_id=None,
    )
)

_REMOVE_MOMENTS = delete(moments).where(moments.c.match_id.in_(bindparam("ids")))


def forget(connection: Connection, owners: Owners, owner_id: int, before_id: int) -> list[Match]:
    """Forget an owner's results, choices and newest matches now, and older matches later.

    Matches with later ids than `before_id` stay as they are.

    Returns:
        The live matches that this ended, as their boards are to be drawn once more: without the
        person, but with the place of a server.
    """
    owners.start(connection, owner_id, before_id)
    return forget_batch(connection, owners, owner_id, before_id) or []


def _forget_more(
    connection: Connection, owners: Owners, owner_id: int, before_id: int
) -> list[Match]:
    ended = forget_batch(connection, owners, owner_id, before_id)
    if ended is None:
        owners.finish(connection, owner_id, before_id)
    return ended or []


def forget_batch(
    connection: Connection, owners: Owners, owner_id: int, before_id: int
) -> list[Match] | None:
    """End the live matches of a batch, then forget the owner in the whole batch.

    Rows that another process has locked are skipped; if only these remain, there is more to do.

    Returns:
        The matches that were live, as in `forget`; None if no match is left.
    """
    unlocked = [query.with_for_update(skip_locked=True) for query in owners.newest]
    rows = newest_rows(connection, unlocked, owner_id, before_id)
    if not rows:
        return [] if newest_rows(connection, owners.newest, owner_id, before_id) else None
    live = read_or_end_matches(connection, (row for row in rows if row["live"]))
    ended_at = snowflake_time(before_id)
    ended = [
        save_match(connection, match, replace(owners.end(match), ended_at=ended_at))
        for match in live
    ]
    ids = [row["id"] for row in rows]
    for statement in owners.forget:
        connection.execute(statement, {"ids": ids, "owner_id": owner_id})
    drawn = [_as_drawn(connection, match) for match in ended]
    return [match for match in drawn if match]


def _as_drawn(connection: Connection, ended: Match) -> Match | None:
    """A match that was ended, as it is stored now, but with its place."""
    stored = load_match(connection, ended.id)
    return stored and replace(stored, place=ended.place)


def next_to_forget(connection: Connection, owners: Owners) -> tuple[int, int] | None:
    """An owner to be forgotten, as their id and the `before_id` of matches; None if none."""
    (key,) = owners.to_forget.table.primary_key
    query = select(key, owners.to_forget).where(owners.is_to_be_forgotten).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row[0], row[1])


# People

_HAS_DEFAULTS = [people.c[name].is_(value) for name, value in asdict(PrivacyChoices()).items()]

_RESULT_OWNER_COLUMNS = (
    tallies.c.user_id,
    duels.c.first_id,
    duels.c.second_id,
    attempts.c.user_id,
    puzzle_tallies.c.user_id,
    ranks.c.user_id,
    progress.c.user_id,
    server_scores.c.user_id,
    moment_tries.c.user_id,
)
"""The columns that say to whom a row belongs; the rows of a forgotten person are deleted."""


def _start_with_person(connection: Connection, user_id: int, before_id: int) -> None:
    lock_people(connection, [user_id])  # waits for matches that end just now
    for column in _RESULT_OWNER_COLUMNS:
        connection.execute(delete(column.table).where(column == user_id))
    defaults = asdict(PrivacyChoices())
    upsert_latest(connection, people.c.forget_before, before_id, key_value=user_id, **defaults)
    record_deletion(connection, user_id, before_id)


def _finish_with_person(connection: Connection, user_id: int, before_id: int) -> None:
    is_person = people.c.user_id == user_id
    clear = update(people).where(is_person, people.c.forget_before == before_id)
    connection.execute(clear.values(forget_before=None))
    is_not_forgotten = people.c.forget_before.is_(None)
    connection.execute(delete(people).where(is_person, is_not_forgotten, *_HAS_DEFAULTS))


PEOPLE = Owners(
    newest=NEWEST_OF_PERSON,
    forget=(_ANONYMIZE,),
    end=leave,
    start=_start_with_person,
    finish=_finish_with_person,
    to_forget=people.c.forget_before,
    is_to_be_forgotten=IS_TO_BE_FORGOTTEN,
)


# Servers


def _start_with_server(connection: Connection, guild_id: int, before_id: int) -> None:
    lock_server(connection, guild_id)  # waits for results that are stored just now
    for table in (servers, puzzle_posts, ranks, server_scores):
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    in_guild = update(attempts).where(attempts.c.guild_id == guild_id)
    connection.execute(in_guild.values(guild_id=None))
    upsert_latest(connection, memberships.c.forget_before, before_id, key_value=guild_id)
    record_deletion(connection, guild_id, before_id)


def _finish_with_server(connection: Connection, guild_id: int, before_id: int) -> None:
    row = memberships.c
    is_unchanged = and_(row.guild_id == guild_id, row.forget_before == before_id)
    connection.execute(delete(memberships).where(is_unchanged))


SERVERS = Owners(
    newest=NEWEST_OF_SERVER,
    forget=(_REMOVE_PLACE, _REMOVE_MOMENTS),
    end=end_by_moderator,
    start=_start_with_server,
    finish=_finish_with_server,
    to_forget=memberships.c.forget_before,
    is_to_be_forgotten=memberships.c.forget_before.is_not(None),
)


# In restored copies of the database

_USER_ID_COLUMNS = (
    *_RESULT_OWNER_COLUMNS,
    people.c.user_id,
    matches.c.x_id,
    matches.c.o_id,
    matches.c.opened_by,
)

_GUILD_ID_COLUMNS = tuple(
    table.c.guild_id
    for table in (matches, servers, memberships, puzzle_posts, attempts, ranks, server_scores)
)


def repeat_deletions(connection: Connection, deletions: Mapping[str, int]) -> int:
    """Start deletions that another copy of this database recorded after this was made.

    `deletions` are as `read_deletions` returns them.

    Returns:
        How many people and servers these are.
    """
    known = read_deletions(connection)
    repeated: set[int] = set()
    for owners, columns in ((PEOPLE, _USER_ID_COLUMNS), (SERVERS, _GUILD_ID_COLUMNS)):
        for owner_id in _distinct_ids(connection, columns):
            name = deletion_name(owner_id)
            before_id = deletions.get(name, 0)
            if before_id > known.get(name, 0):
                owners.start(connection, owner_id, before_id)
                repeated.add(owner_id)
    return len(repeated)


def _distinct_ids(connection: Connection, columns: Iterable[Column[Any]]) -> set[int]:
    """The ids in some columns, without those that stand for deleted owners."""
    ids: set[int] = set()
    for column in columns:
        ids.update(connection.execute(select(column).distinct()).scalars())
    return ids - {None, DELETED_USER_ID}
