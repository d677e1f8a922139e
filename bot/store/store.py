"""The store: a database, brought up to date."""

from __future__ import annotations

from typing import Self

from sqlalchemy import URL, Engine

from bot.store.database import Database, create_engine
from bot.store.migrations import current_revision, has_tables, migrate


class Store:
    """A database. Whatever uses it may raise `StoreError` when the database fails.

    The methods block: call them in threads, in any number at once. No transaction outlives a call.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

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

    def check_tables(self) -> None:
        """Open the database and look at its tables, if there are any.

        Raises:
            SchemaError: They are another program's, or of a version that was never released.
        """
        with self.database.connection() as connection:
            current_revision(connection)

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
