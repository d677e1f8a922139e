"""What people have chosen about challenges, reminders, and who sees their results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields

from sqlalchemy import ColumnElement, Connection, and_, bindparam, or_, select, union_all, update

from bot.domain.ids import MAX_ID
from bot.domain.privacy import PrivacyChoices
from bot.store.database import upsert
from bot.store.matches import NEWEST_OF_PERSON
from bot.store.schema import matches, people

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]

_NEWEST_IDS = [
    select(newest.with_only_columns(matches.c.id).subquery().c.id) for newest in NEWEST_OF_PERSON
]

_SHOWS_RESULTS = or_(matches.c.duel.is_not(None), matches.c.trail.is_not(None))

_LOCK_RESULTS = (
    select(matches.c.id)
    .where(matches.c.id.in_(union_all(*_NEWEST_IDS)), _SHOWS_RESULTS)
    .order_by(matches.c.id)
    .with_for_update()
)
"""Locks a person's newest matches that show results: in one order, as both players may hide."""

_REMOVE_RESULTS = (
    update(matches).where(matches.c.id.in_(bindparam("ids"))).values(duel=None, trail=None)
)


def load(connection: Connection, user_id: int) -> PrivacyChoices:
    row = connection.execute(select(*_CHOICES).where(people.c.user_id == user_id)).one_or_none()
    return PrivacyChoices() if row is None else PrivacyChoices(*row)


def is_hidden(user_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the person whose id a column has hides."""
    hidden = select(people.c.user_id).where(people.c.user_id == user_id, people.c.is_hidden)
    return hidden.exists()


def hidden(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """Those of the people who hide."""
    is_hidden = and_(people.c.user_id.in_(user_ids), people.c.is_hidden)
    return set(connection.execute(select(people.c.user_id).where(is_hidden)).scalars())


def choose(connection: Connection, user_id: int, changes: Mapping[str, bool]) -> None:
    """Set some of the fields of `PrivacyChoices`, by name; hiding takes results off boards.

    A board or a rematch would show them.
    """
    if changes.get("is_hidden"):
        newest = {"owner_id": user_id, "before_id": MAX_ID}
        ids = connection.execute(_LOCK_RESULTS, newest).scalars().all()
        connection.execute(_REMOVE_RESULTS, {"ids": ids})
    upsert(connection, people.c.user_id, user_id, **changes)
