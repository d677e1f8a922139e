"""What people have chosen about challenges, reminders, and who sees their results."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields

from sqlalchemy import Connection, and_, select

from bot.domain.privacy import PrivacyChoices
from bot.store.schema import people

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]


def load(connection: Connection, user_id: int) -> PrivacyChoices:
    row = connection.execute(select(*_CHOICES).where(people.c.user_id == user_id)).one_or_none()
    return PrivacyChoices() if row is None else PrivacyChoices(*row)


def hidden(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """Those of the people who hide."""
    is_hidden = and_(people.c.user_id.in_(user_ids), people.c.is_hidden)
    return set(connection.execute(select(people.c.user_id).where(is_hidden)).scalars())
