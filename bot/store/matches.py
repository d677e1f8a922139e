"""The table of matches: its queries, and the functions that run them on a connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    RowMapping,
    Select,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    text,
    update,
)

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID
from bot.domain.matches import Match
from bot.store.database import insert_new
from bot.store.match_rows import (
    changing_columns,
    player_columns,
    read_matches,
    read_or_end_matches,
    to_row,
)
from bot.store.schema import (
    IS_LIVE,
    IS_UNJUDGED,
    IS_UNPLAYED,
    matches,
)

EXPIRE_BATCH_SIZE = 25

MATCH_BATCH_SIZE = 500

PRUNE_BATCH_SIZE = 1_000

LAST_MATCHES = 10
"""How many of a person's matches they can look back at."""

# The queries, in the order of the functions that run them. Their parameters are bound by name.

_BY_ID = select(matches).where(matches.c.id == bindparam("match_id"))

_LIVE_IN_CHANNEL = select(matches).where(matches.c.channel_id == bindparam("channel_id"), IS_LIVE)

_LAST_PLAYED = (
    select(matches)
    .where(matches.c.channel_id == bindparam("channel_id"), text("NOT live"), matches.c.moves != "")
    .order_by(matches.c.id.desc())
    .limit(1)
)


def _last_played_by(player: Column[Any]) -> Select[*tuple[Any, ...]]:
    return (
        select(matches)
        .where(player == bindparam("user_id"), text("NOT live"), matches.c.moves != "")
        .order_by(matches.c.id.desc())
        .limit(LAST_MATCHES)
    )


_LAST_PLAYED_BY = (_last_played_by(matches.c.x_id), _last_played_by(matches.c.o_id))

MatchQuery = Select[*tuple[Any, ...]]


def _newest_with(column: Column[Any]) -> MatchQuery:
    return (
        select(matches)
        .where(column == bindparam("owner_id"), matches.c.id < bindparam("before_id"))
        .order_by(matches.c.id.desc())
        .limit(MATCH_BATCH_SIZE)
    )


NEWEST_OF_PERSON = (_newest_with(matches.c.x_id), _newest_with(matches.c.o_id))
"""Each selects a batch of the newest matches of `owner_id` with ids below `before_id`."""

NEWEST_OF_SERVER = (_newest_with(matches.c.guild_id),)

_LIVE_COUNT = select(func.count()).select_from(matches).where(IS_LIVE)

_CHALLENGED: Any = bindparam("challenged")

_PAIR: list[Any] = [bindparam("challenger"), _CHALLENGED, DELETED_USER_ID]

_LAST_CHALLENGE = (
    select(matches.c.accepted)
    .where(
        matches.c.opened_by.in_(_PAIR),
        matches.c.id >= bindparam("since_id"),
        matches.c.id < bindparam("before_id"),
        matches.c.x_id.in_(_PAIR),
        matches.c.o_id.in_(_PAIR),
        or_(matches.c.x_id == _CHALLENGED, matches.c.o_id == _CHALLENGED),
        or_(matches.c.accepted, matches.c.opened_by != _CHALLENGED),
    )
    .order_by(matches.c.id.desc())
    .limit(1)
)
"""Whether the pair's last match was accepted. A challenger forgotten since is `DELETED_USER_ID`."""

_COMPARE_AND_SET = update(matches).where(
    matches.c.id == bindparam("match_id"),
    matches.c.version == bindparam("loaded_version"),
    matches.c.hints == bindparam("loaded_hints"),
)
"""Sets the columns that are among the parameters."""

_RECORD_MESSAGE = (
    update(matches)
    .where(
        matches.c.id == bindparam("match_id"),
        matches.c.channel_id != DELETED_CHANNEL_ID,
        or_(matches.c.message_id.is_(None), matches.c.message_id < bindparam("new_message_id")),
    )
    .values(message_id=bindparam("new_message_id"))
    .returning(matches.c.version)
)

_HAS_HINT = matches.c.hinted_version == matches.c.version

_COUNT_HINT = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.version == bindparam("loaded_version"))
    .values(
        hints=case((_HAS_HINT, matches.c.hints), else_=matches.c.hints + 1),
        hinted_version=matches.c.version,
    )
)

_OVERDUE = (
    select(matches)
    .where(IS_LIVE, matches.c.deadline_at <= bindparam("now"))
    .order_by(matches.c.deadline_at)
    .limit(EXPIRE_BATCH_SIZE)
)

_NEXT_UNJUDGED = (
    select(matches)
    .where(IS_UNJUDGED, matches.c.id > bindparam("after_id"))
    .order_by(matches.c.id)
    .limit(1)
)

_MARK_JUDGED = (
    update(matches).where(matches.c.id == bindparam("match_id"), IS_UNJUDGED).values(unjudged=False)
)

_ENDED_AT = func.coalesce(func.nullif(matches.c.ended_at, 0), matches.c.deadline_at)
"""When a match ended; its deadline where that is not known."""

_IS_PRUNABLE = text("NOT live AND NOT unjudged")

_PRUNABLE = (
    select(matches.c.id)
    .where(
        matches.c.id < bindparam("before_id"),
        bindparam("before") > _ENDED_AT,
        _IS_PRUNABLE,
    )
    .order_by(matches.c.id)
    .limit(PRUNE_BATCH_SIZE)
)

_PRUNE = delete(matches).where(matches.c.id.in_(_PRUNABLE))

_UNPLAYED = (
    select(matches.c.id)
    .where(IS_UNPLAYED, matches.c.id < bindparam("before_id"), _IS_PRUNABLE)
    .limit(PRUNE_BATCH_SIZE)
)

_PRUNE_UNPLAYED = delete(matches).where(matches.c.id.in_(_UNPLAYED))


def load_match(connection: Connection, match_id: int, *, for_update: bool = False) -> Match | None:
    """A match; within a transaction it can be locked until the end of that."""
    query = _BY_ID.with_for_update() if for_update else _BY_ID
    return _read_one(connection, query, match_id=match_id)


def live_in(connection: Connection, channel_id: int, *, for_update: bool = False) -> Match | None:
    """The live match of a channel; see `load_match`."""
    query = _LIVE_IN_CHANNEL.with_for_update() if for_update else _LIVE_IN_CHANNEL
    return _read_one(connection, query, channel_id=channel_id)


def end_unreadable_in(connection: Connection, channel_id: int) -> None:
    """End the live match of a channel if this release cannot read it."""
    query = _LIVE_IN_CHANNEL.with_for_update()
    read_or_end_matches(
        connection, connection.execute(query, {"channel_id": channel_id}).mappings()
    )


def last_played(connection: Connection, channel_id: int) -> Match | None:
    """The newest match of a channel that has ended and has moves; None if there is none."""
    return _read_one(connection, _LAST_PLAYED, channel_id=channel_id)


def last_played_by(connection: Connection, user_id: int) -> list[Match]:
    """A person's newest matches that have ended and have moves, the newest first."""
    found: list[Match] = []
    for query in _LAST_PLAYED_BY:
        rows = connection.execute(query, {"user_id": user_id}).mappings()
        found += read_matches(rows)
    newest_first = sorted(found, key=lambda match: match.id, reverse=True)
    return newest_first[:LAST_MATCHES]


def newest_rows(
    connection: Connection, queries: Iterable[MatchQuery], owner_id: int, before_id: int
) -> list[RowMapping]:
    """A batch of rows from all the queries together, the newest first."""
    parameters = {"owner_id": owner_id, "before_id": before_id}
    rows: list[RowMapping] = []
    for query in queries:
        rows += connection.execute(query, parameters).mappings()
    newest_first = sorted(rows, key=lambda row: row["id"], reverse=True)
    return newest_first[:MATCH_BATCH_SIZE]


def _read_one(
    connection: Connection, query: Select[*tuple[Any, ...]], **parameters: int
) -> Match | None:
    found = read_matches(connection.execute(query, parameters).mappings())
    return found[0] if found else None


def count_live(connection: Connection) -> int:
    """The number of live matches, open challenges included."""
    return connection.execute(_LIVE_COUNT).scalar_one()


def is_repeated_challenge(connection: Connection, match: Match, since_id: int) -> bool:
    """Whether the challenger made the same challenge before, and the pair has not played since.

    Matches with ids below `since_id` are ignored.
    """
    parameters = {
        "challenger": match.opened_by,
        "challenged": match.challenged_id,
        "since_id": since_id,
        "before_id": match.id,
    }
    is_accepted = connection.execute(_LAST_CHALLENGE, parameters).scalar_one_or_none()
    return is_accepted is False


def add(connection: Connection, match: Match) -> bool:
    """Store a new match; return False if its id is taken or its channel has a live match."""
    return insert_new(connection, matches, **to_row(match))


def compare_and_set(
    connection: Connection, match: Match, *, also_players: bool = False, unjudged: bool = False
) -> Match | None:
    """Store a changed match if the stored one still has the version that was loaded.

    Features call `save_match`, which counts the match if it ends.

    Returns:
        The match at its next version; None if another change or a hint came first.
    """
    saved = replace(match, version=match.version + 1)
    parameters = {
        "match_id": match.id,
        "loaded_version": match.version,
        "loaded_hints": match.hints,
        **changing_columns(saved),
        **(player_columns(saved) if also_players else {}),
        **({"unjudged": True} if unjudged else {}),
    }
    result = connection.execute(_COMPARE_AND_SET, parameters)
    return saved if result.rowcount == 1 else None


def record_message(connection: Connection, match_id: int, message_id: int) -> int | None:
    """Store which message shows a match, unless that or a newer one is stored already.

    Returns:
        The match's version; None if nothing was stored.
    """
    parameters = {"match_id": match_id, "new_message_id": message_id}
    return connection.execute(_RECORD_MESSAGE, parameters).scalar_one_or_none()


def count_hint(connection: Connection, match: Match) -> bool:
    """Count a hint, at most one per version; return False if the match has changed."""
    parameters = {"match_id": match.id, "loaded_version": match.version}
    return connection.execute(_COUNT_HINT, parameters).rowcount == 1


def find_overdue(connection: Connection, now: datetime) -> list[int] | None:
    """The ids of a batch of the live matches whose deadline has passed; None if none is due.

    Those that cannot be read are ended at once.
    """
    rows = connection.execute(_OVERDUE, {"now": int(now.timestamp())}).mappings().all()
    if not rows:
        return None
    return [match.id for match in read_or_end_matches(connection, rows)]


def next_unjudged(connection: Connection, after_id: int) -> tuple[int, Match | None] | None:
    """The id of the next match that is to be judged, and the match, if it can be read."""
    rows = connection.execute(_NEXT_UNJUDGED, {"after_id": after_id}).mappings().all()
    return (rows[0]["id"], next(iter(read_matches(rows)), None)) if rows else None


def mark_judged(connection: Connection, match_id: int) -> bool:
    """Note that a match is judged, which locks it; False if another process was faster."""
    return connection.execute(_MARK_JUDGED, {"match_id": match_id}).rowcount == 1


def prune(connection: Connection, before: datetime, before_id: int) -> int:
    """Delete a batch of matches that ended earlier than `before` and are judged; return how many.

    `before_id` is the first id of that moment: ids grow with time, so it bounds the search.
    """
    parameters = {"before": int(before.timestamp()), "before_id": before_id}
    return connection.execute(_PRUNE, parameters).rowcount


def prune_unplayed(connection: Connection, before_id: int) -> int:
    """Delete a batch of matches that ended without a move; return how many."""
    return connection.execute(_PRUNE_UNPLAYED, {"before_id": before_id}).rowcount
