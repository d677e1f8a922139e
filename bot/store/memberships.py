"""The table of memberships: servers that the bot is in, has left lately, or is to forget."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store.database import Connections
from bot.store.schema import attempts, memberships, puzzle_posts, ranks, servers
from bot.store.statements import COUNTING_LOCK, put_latest


class MembershipTable:
    """The servers that the bot is in. Without intents it hears of no removal, so it polls."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def note(self, guild_ids: Collection[int], now: datetime) -> None:
        """Note that the bot is now a member of these servers, and of no others."""
        row, seconds = memberships.c, int(now.timestamp())
        # Of two processes that note a new server at once, one fails: the other does it all.
        with suppress(IntegrityError), self._connections.transaction() as connection:
            known = dict(connection.execute(select(row.guild_id, row.absent_since)).all())
            if new := [{"guild_id": guild_id} for guild_id in set(guild_ids) - known.keys()]:
                connection.execute(insert(memberships), new)
            for guild_id, since in known.items():
                is_absent = guild_id not in guild_ids
                if is_absent is not (since is not None):
                    noted = update(memberships).where(row.guild_id == guild_id)
                    connection.execute(noted.values(absent_since=seconds if is_absent else None))

    def begin_to_forget(self, guild_id: int, before_id: int) -> None:
        """Delete a server's choices, posts and ranks; note to forget matches below `before_id`."""
        with self._connections.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())
            for table in (servers, puzzle_posts, ranks):
                connection.execute(delete(table).where(table.c.guild_id == guild_id))
            made_there = update(attempts).where(attempts.c.guild_id == guild_id)
            connection.execute(made_there.values(guild_id=None))
            put_latest(connection, memberships.c.forget_before, guild_id, before_id)

    def absent_before(self, moment: datetime) -> list[int]:
        """The servers that the bot has not been a member of since `moment`."""
        absent = memberships.c.absent_since <= int(moment.timestamp())
        query = select(memberships.c.guild_id).where(absent)
        with self._connections.autocommit() as connection:
            return list(connection.execute(query).scalars())

    def to_be_forgotten(self) -> list[tuple[int, int]]:
        """The servers to be forgotten, each with the id below which its matches are."""
        query = select(memberships.c.guild_id, memberships.c.forget_before)
        query = query.where(memberships.c.forget_before.is_not(None))
        with self._connections.autocommit() as connection:
            return [(guild_id, before) for guild_id, before in connection.execute(query)]

    def finish_forgetting(self, guild_id: int, before_id: int) -> None:
        """Delete a server's row once its matches are forgotten, unless it asked again meanwhile."""
        asked_then = memberships.c.guild_id == guild_id, memberships.c.forget_before == before_id
        with self._connections.autocommit() as connection:
            connection.execute(delete(memberships).where(*asked_then))
