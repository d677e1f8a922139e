"""How a person or a server is forgotten in its matches, one batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Delete,
    RowMapping,
    Select,
    Update,
    bindparam,
    case,
    delete,
    null,
    select,
    text,
    update,
)

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, snowflake_time
from bot.domain.matches import Match
from bot.store.match_rows import read_matches
from bot.store.matches import compare_and_set
from bot.store.schema import matches, moments

MATCH_BATCH_SIZE = 500

_MatchQuery = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class OwnedMatches:
    """The matches of a person or a server.

    Attributes:
        newest: Queries for a batch of them, each the newest first.
        forget: Statements that remove the owner from a batch.
    """

    newest: tuple[_MatchQuery, ...]
    forget: tuple[Update | Delete, ...]


@dataclass(frozen=True, slots=True)
class ForgottenBatch:
    """A batch of matches in which a person or a server is forgotten.

    Attributes:
        is_more: Whether there may be another batch.
        ended: The matches that were live, and are ended.
    """

    is_more: bool
    ended: list[Match]


def _newest_with(column: Column[Any]) -> _MatchQuery:
    """Select a batch of the newest matches of `owner_id` with ids below `before_id`."""
    return (
        select(matches)
        .where(column == bindparam("owner_id"), matches.c.id < bindparam("before_id"))
        .order_by(matches.c.id.desc())
        .limit(MATCH_BATCH_SIZE)
    )


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

USER_MATCHES = OwnedMatches(
    newest=(_newest_with(matches.c.x_id), _newest_with(matches.c.o_id)),
    forget=(_ANONYMIZE,),
)

GUILD_MATCHES = OwnedMatches(
    newest=(_newest_with(matches.c.guild_id),),
    forget=(_REMOVE_PLACE, _REMOVE_MOMENTS),
)


def forget_matches(
    connection: Connection,
    owned: OwnedMatches,
    owner_id: int,
    before_id: int,
    end: Callable[[Match], Match],
) -> ForgottenBatch:
    """End the live matches of a batch, then forget the owner in the whole batch.

    Rows that another process has locked are skipped; if only these remain, there is more to do.
    """
    unlocked = [query.with_for_update(skip_locked=True) for query in owned.newest]
    rows = newest_rows(connection, unlocked, owner_id, before_id)
    if not rows:
        locked = newest_rows(connection, owned.newest, owner_id, before_id)
        return ForgottenBatch(is_more=bool(locked), ended=[])

    live = read_matches(connection, (row for row in rows if row["live"]))
    ended_at = snowflake_time(before_id)
    ended = [replace(end(match), ended_at=ended_at) for match in live]
    saved = [compare_and_set(connection, match) for match in ended]

    ids = [row["id"] for row in rows]
    for statement in owned.forget:
        connection.execute(statement, {"ids": ids, "owner_id": owner_id})
    return ForgottenBatch(is_more=True, ended=[match for match in saved if match])


def newest_rows(
    connection: Connection, queries: Iterable[_MatchQuery], owner_id: int, before_id: int
) -> list[RowMapping]:
    """A batch of rows from all the queries together, the newest first."""
    parameters = {"owner_id": owner_id, "before_id": before_id}
    rows: list[RowMapping] = []
    for query in queries:
        rows += connection.execute(query, parameters).mappings()
    newest_first = sorted(rows, key=lambda row: row["id"], reverse=True)
    return newest_first[:MATCH_BATCH_SIZE]
