"""SQL statements that never change, built once: building one takes longer than running it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    null,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from bot.game.people import NOWHERE, SOMEBODY
from bot.store.schema import IS_LIVE, IS_UNCOUNTED, IS_UNPLAYED, facts, matches

SWEEP_ROWS = 100
PRUNED_ROWS = 1_000
COUNTED_ROWS = 100
FORGOTTEN_ROWS = 500

BY_ID = select(matches).where(matches.c.id == bindparam("id"))
HOW_MANY_LIVE = select(func.count()).select_from(matches).where(IS_LIVE)
LIVE_IN_CHANNEL = select(matches).where(matches.c.channel_id == bindparam("channel_id"), IS_LIVE)
DUE = (
    select(matches)
    .where(IS_LIVE, matches.c.deadline_at <= bindparam("now"))
    .order_by(matches.c.deadline_at)
    .limit(SWEEP_ROWS)
    .with_for_update(skip_locked=True)
)
CHANGE = update(matches).where(
    matches.c.id == bindparam("its_id"),
    matches.c.version == bindparam("from_version"),
    matches.c.hints == bindparam("with_hints"),
)
"""Sets the columns that are among the parameters."""
_IS_NOTED = matches.c.hinted_version == matches.c.version
COUNT_HINT = (
    update(matches)
    .where(matches.c.id == bindparam("its_id"), matches.c.version == bindparam("from_version"))
    .values(
        hints=case((_IS_NOTED, matches.c.hints), else_=matches.c.hints + 1),
        hinted_version=matches.c.version,
    )
)
_WAITING = IS_UNCOUNTED, matches.c.ended_at >= 0  # always true: makes it an index search
UNCOUNTED = (
    select(matches).where(*_WAITING).order_by(matches.c.ended_at, matches.c.id).limit(COUNTED_ROWS)
)
UNCOUNTED_BEFORE = (
    select(matches.c.id).where(*_WAITING, matches.c.id < bindparam("before_id")).limit(1)
)
LAST_PLAYED = (
    select(matches)
    .where(matches.c.channel_id == bindparam("channel_id"), text("NOT live"), matches.c.moves != "")
    .order_by(matches.c.id.desc())
    .limit(1)
)
NOTE_MESSAGE = (
    update(matches)
    .where(
        matches.c.id == bindparam("its_id"),
        matches.c.channel_id != NOWHERE,
        or_(matches.c.message_id.is_(None), matches.c.message_id < bindparam("newer")),
    )
    .values(message_id=bindparam("newer"))
)
ADD = insert(matches)
_ANONYMOUS = {"x_id": SOMEBODY, "o_id": SOMEBODY, "opened_by": SOMEBODY, "asks_rematch": null()}
"""What replaces a forgotten person, by column."""
_OLD = (
    select(matches.c.id)
    .where(
        matches.c.id < bindparam("before_id"),
        matches.c.deadline_at < bindparam("before"),
        text("NOT live AND counted"),
    )
    .order_by(matches.c.id)
    .limit(PRUNED_ROWS)
)
PRUNE = delete(matches).where(matches.c.id.in_(_OLD))
_UNPLAYED = (
    select(matches.c.id)
    .where(IS_UNPLAYED, matches.c.id < bindparam("before_id"), text("NOT live AND counted"))
    .limit(PRUNED_ROWS)
)
PRUNE_UNPLAYED = delete(matches).where(matches.c.id.in_(_UNPLAYED))


def _newest_of(column: Column[Any]) -> Select[*tuple[Any, ...]]:
    """Select the newest matches with a given value in `column` and ids below `before_id`."""
    return (
        select(matches)
        .where(column == bindparam("whose"), matches.c.id < bindparam("before_id"))
        .order_by(matches.c.id.desc())
        .limit(FORGOTTEN_ROWS)
    )


OF_PERSON = (_newest_of(matches.c.x_id), _newest_of(matches.c.o_id))
OF_GUILD = (_newest_of(matches.c.guild_id),)
REMOVE_PLACE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(guild_id=None, channel_id=NOWHERE, message_id=None, version=matches.c.version + 1)
)
ANONYMIZE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(
        version=matches.c.version + 1,
        duel=None,
        **{
            name: case((matches.c[name] == bindparam("whose"), nobody), else_=matches.c[name])
            for name, nobody in _ANONYMOUS.items()
        },
    )
)
_PAIR: list[Any] = [bindparam("challenger"), bindparam("challenged"), SOMEBODY]
_CHALLENGED: Any = bindparam("challenged")
LAST_CHALLENGE = (
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
"""Whether the pair's last match was accepted; a challenger forgotten since is `SOMEBODY`."""

COUNTING_LOCK = select(facts.c.name).where(facts.c.name == "counting")
"""Selects the row that whoever changes results locks first: one at a time, over all processes."""

_INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def put(connection: Connection, key: Column[Any], key_value: object, **values: object) -> None:
    """Set values in the row whose primary key is `key_value`, or insert it."""
    _upsert(connection, key, {key.name: key_value, **values}, values)


def put_latest(
    connection: Connection, column: Column[Any], key_value: int, value: int, **values: str | int
) -> None:
    """Like `put`, but the number in `column` stays if it is larger than `value`."""
    (key,) = column.table.primary_key
    latest = case((column > value, column), else_=value)
    row = {key.name: key_value, column.name: value, **values}
    _upsert(connection, key, row, {column.name: latest, **values})


def _upsert(
    connection: Connection, key: Column[Any], row: dict[str, Any], change: dict[str, Any]
) -> None:
    inserted = _INSERTS[connection.dialect.name](key.table).values(row)
    connection.execute(inserted.on_conflict_do_update(index_elements=[key], set_=change))
