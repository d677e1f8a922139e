"""The table of facts: a key-value store for the bot itself."""

from __future__ import annotations

from sqlalchemy import select

from bot.store.database import Connections
from bot.store.schema import facts
from bot.store.statements import put


class FactTable:
    """Short texts by name, such as a digest of the commands last synced with Discord."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def get(self, name: str) -> str | None:
        with self._connections.autocommit() as connection:
            query = select(facts.c.value).where(facts.c.name == name)
            return connection.execute(query).scalar_one_or_none()

    def beginning(self, start: str) -> dict[str, str]:
        """The facts whose names begin with `start`, by name."""
        with self._connections.autocommit() as connection:
            query = select(facts).where(facts.c.name.startswith(start, autoescape=True))
            return {row.name: row.value for row in connection.execute(query)}

    def put(self, name: str, value: str) -> None:
        with self._connections.autocommit() as connection:
            put(connection, facts.c.name, name, value=value)
