"""Short texts by name, such as a digest of the commands last synced with Discord."""

from __future__ import annotations

from sqlalchemy import Connection, select

from bot.store.database import upsert
from bot.store.schema import facts


def load_fact(connection: Connection, name: str) -> str | None:
    query = select(facts.c.value).where(facts.c.name == name)
    return connection.execute(query).scalar_one_or_none()


def load_facts(connection: Connection, prefix: str) -> dict[str, str]:
    """The texts whose names start with `prefix`, by name."""
    query = select(facts).where(facts.c.name.startswith(prefix, autoescape=True))
    return {row.name: row.value for row in connection.execute(query)}


def save_fact(connection: Connection, name: str, value: str) -> None:
    upsert(connection, facts.c.name, name, value=value)
