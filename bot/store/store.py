"""The store: one database, a class for each of its tables, and one for batches of matches."""

from __future__ import annotations

from typing import Self

from sqlalchemy import URL, Engine, select

from bot.store.database import Database, create_engine, upsert
from bot.store.matches import HOW_MANY_LIVE, MatchBatches, MatchTable
from bot.store.migrations import migrate
from bot.store.privacy import MembershipTable, PeopleTable
from bot.store.puzzles import AttemptTable, PuzzlePostTable
from bot.store.schema import facts
from bot.store.settings import SettingsTable
from bot.store.stats import StandingTable, TallyTable


class Store:
    """A database. Any method of its tables may raise `StoreError` when the database fails.

    The methods block: call them in threads, in any number at once. No transaction outlives a call.
    """

    def __init__(self, connections: Database) -> None:
        self._connections = connections
        self.matches = MatchTable(connections)
        self.match_batches = MatchBatches(connections)
        self.memberships = MembershipTable(connections)
        self.people = PeopleTable(connections)
        self.servers = SettingsTable(connections)
        self.attempts = AttemptTable(connections)
        self.puzzle_posts = PuzzlePostTable(connections)
        self.ranks = StandingTable(connections)
        self.tallies = TallyTable(connections)
        self.key_values = KeyValueTable(connections)

    @classmethod
    def at(cls, url: URL) -> Self:
        """Create a store without connecting to the database."""
        return cls(Database(create_engine(url)))

    @classmethod
    def open(cls, url: URL) -> Self:
        """Connect, and bring the tables up to date."""
        store = cls.at(url)
        store.migrate()
        return store

    def migrate(self) -> None:
        """Bring the tables up to date; wait if another process is migrating them."""
        with self._connections.transaction() as connection:
            migrate(connection)

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's engine, for metrics and logs."""
        return self._connections.engine

    def ping(self) -> None:
        """Check that the database answers a query."""
        with self._connections.autocommit() as connection:
            connection.exec_driver_sql("SELECT version_num FROM alembic_version")

    def how_many_live(self) -> int:
        """The number of live matches, open challenges included."""
        with self._connections.autocommit() as connection:
            return connection.execute(HOW_MANY_LIVE).scalar_one()

    def close(self) -> None:
        self._connections.close()

    def abort_stuck(self, busy_seconds: float) -> None:
        """Cut connections busy for at least this long; their threads get a `StoreError`."""
        self._connections.abort_stuck(busy_seconds)


class KeyValueTable:
    """Short texts by name, such as a digest of the commands last synced with Discord."""

    def __init__(self, connections: Database) -> None:
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
            upsert(connection, facts.c.name, name, value=value)
