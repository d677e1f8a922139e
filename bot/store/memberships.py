"""The table of memberships: servers that the bot is in, has left lately, or is to forget."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store import attempts, ranks, schema
from bot.store.database import Connections
from bot.store.schema import memberships, servers
from bot.store.statements import COUNTING_LOCK, put_latest


class MembershipTable:
    """The servers that the bot is in. Without intents it hears of no removal, so it polls."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def note(self, guild_ids: Collection[int], now: datetime) -> None:
        """Note that the bot is now a member of these servers, and of no others."""
        with suppress(IntegrityError), self._connections.transaction() as connection:
            _note(connection, guild_ids, int(now.timestamp()))  # or another process does so first

    def begin_to_forget(self, guild_id: int, before_id: int) -> None:
        """Delete a server's choices, posts and ranks; note to forget matches below `before_id`."""
        with self._connections.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())
            connection.execute(delete(servers).where(servers.c.guild_id == guild_id))
            posts = schema.puzzle_posts
            connection.execute(delete(posts).where(posts.c.guild_id == guild_id))
            attempts.forget_guild(connection, guild_id)
            ranks.forget(connection, schema.ranks.c.guild_id, guild_id)
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


def _note(connection: Connection, guild_ids: Collection[int], seconds: int) -> None:
    table = memberships
    known = dict(connection.execute(select(table.c.guild_id, table.c.absent_since)).all())
    if new := [{"guild_id": guild_id} for guild_id in set(guild_ids) - known.keys()]:
        connection.execute(insert(table), new)
    for guild_id, since in known.items():
        is_absent = guild_id not in guild_ids
        if is_absent is not (since is not None):
            row = update(table).where(table.c.guild_id == guild_id)
            connection.execute(row.values(absent_since=seconds if is_absent else None))
