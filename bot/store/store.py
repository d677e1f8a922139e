"""The store: one database, a class for each of its tables, and one for batches of matches."""

from __future__ import annotations

from typing import Self

from sqlalchemy import URL, Engine

from bot.store.attempts import AttemptTable
from bot.store.database import Connections, create_engine
from bot.store.facts import FactTable
from bot.store.match_batches import MatchBatches
from bot.store.matches import MatchTable
from bot.store.memberships import MembershipTable
from bot.store.migrations import migrate
from bot.store.people import PeopleTable
from bot.store.puzzle_posts import PuzzlePostTable
from bot.store.ranks import RankTable
from bot.store.servers import ServerTable
from bot.store.statements import HOW_MANY_LIVE
from bot.store.tallies import TallyTable


class Store:
    """A database. Any method of its tables may raise `StoreError` when the database fails.

    The methods block: call them in threads, in any number at once. No transaction outlives a call.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.matches = MatchTable(connections)
        self.match_batches = MatchBatches(connections)
        self.memberships = MembershipTable(connections)
        self.people = PeopleTable(connections)
        self.servers = ServerTable(connections)
        self.attempts = AttemptTable(connections)
        self.puzzle_posts = PuzzlePostTable(connections)
        self.ranks = RankTable(connections)
        self.tallies = TallyTable(connections)
        self.facts = FactTable(connections)

    @classmethod
    def at(cls, url: URL) -> Self:
        """Create a store without connecting to the database."""
        return cls(Connections(create_engine(url)))

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

    def cut_busy(self, busy_seconds: float) -> None:
        """Cut connections busy for at least this long; their threads get a `StoreError`."""
        self._connections.cut_busy(busy_seconds)
