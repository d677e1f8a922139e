"""The store: a database, and the short texts that are kept by name."""

from __future__ import annotations

from typing import Self

from sqlalchemy import URL, Engine, select

from bot.store.database import Database, create_engine, upsert
from bot.store.migrations import has_tables, migrate
from bot.store.schema import facts


class Store:
    """A database. Whatever uses it may raise `StoreError` when the database fails.

    The methods block: call them in threads, in any number at once. No transaction outlives a call.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.key_values = KeyValueTable(database)

    @classmethod
    def at(cls, url: URL) -> Self:
        """Create a store without connecting to the database."""
        return cls(Database(create_engine(url)))

    @classmethod
    def open(cls, url: URL) -> Self:
        """Create a store, connect, and bring the tables up to date."""
        store = cls.at(url)
        store.migrate()
        return store

    def migrate(self) -> bool:
        """Bring the tables up to date; wait if another process is migrating them.

        Returns whether the database is new.
        """
        with self.database.transaction() as connection:
            is_new = not has_tables(connection)
            migrate(connection)
        return is_new

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's engine, for metrics and logs."""
        return self.database.engine

    def close(self) -> None:
        self.database.close()


class KeyValueTable:
    """Stores short texts by name, such as a digest of the commands last synced with Discord."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> str | None:
        query = select(facts.c.value).where(facts.c.name == name)
        with self._database.connection() as connection:
            return connection.execute(query).scalar_one_or_none()

    def with_prefix(self, prefix: str) -> dict[str, str]:
        """The texts whose names start with `prefix`, by name."""
        query = select(facts).where(facts.c.name.startswith(prefix, autoescape=True))
        with self._database.connection() as connection:
            return {row.name: row.value for row in connection.execute(query)}

    def put(self, name: str, value: str) -> None:
        with self._database.transaction() as connection:
            upsert(connection, facts.c.name, name, value=value)
