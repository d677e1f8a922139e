"""What people have chosen about challenges, reminders, and who sees their results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields

from sqlalchemy import ColumnElement, Connection, and_, select, update

from bot.domain.ids import MAX_ID
from bot.domain.privacy import PrivacyChoices
from bot.features.forgetting import NEWEST_OF_PERSON
from bot.store.database import upsert
from bot.store.schema import matches, people

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]

_REMOVE_SCORES = tuple(
    update(matches)
    .where(
        matches.c.id.in_(newest.with_only_columns(matches.c.id)),
        matches.c.duel.is_not(None),
    )
    .values(duel=None)
    for newest in NEWEST_OF_PERSON
)
"""Statements that take the score off a person's newest matches, which a board or rematch shows."""


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
    """Set some of the fields of `PrivacyChoices`, by name; hiding takes scores off boards.

    Call it in autocommit mode: two players who hide at once would wait for each other's matches.
    """
    upsert(connection, people.c.user_id, user_id, **changes)
    if changes.get("is_hidden"):
        for statement in _REMOVE_SCORES:
            connection.execute(statement, {"owner_id": user_id, "before_id": MAX_ID})
