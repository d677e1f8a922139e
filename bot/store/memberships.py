"""The table of the servers that the bot is in, or has left lately."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store.database import Database
from bot.store.schema import memberships


class MembershipTable:
    """Stores since when the bot has been absent from a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, guild_ids: Collection[int], now: datetime) -> None:
        """Store that the bot is now a member of these servers, and of no others."""
        query = select(memberships.c.guild_id, memberships.c.absent_since)
        # If two processes insert a new server at once, one fails; the other does all of it.
        with suppress(IntegrityError), self._database.transaction() as connection:
            absent_since = dict(connection.execute(query).all())

            if new_ids := set(guild_ids) - absent_since.keys():
                rows = [{"guild_id": guild_id} for guild_id in new_ids]
                connection.execute(insert(memberships), rows)

            for guild_id, since in absent_since.items():
                was_absent = since is not None
                is_absent = guild_id not in guild_ids
                if is_absent is not was_absent:
                    is_guild = memberships.c.guild_id == guild_id
                    value = int(now.timestamp()) if is_absent else None
                    changed = update(memberships).where(is_guild).values(absent_since=value)
                    connection.execute(changed)

    def absent_since(self, time: datetime) -> list[int]:
        """The servers of which the bot has not been a member since `time` or longer."""
        is_absent = memberships.c.absent_since <= int(time.timestamp())
        query = select(memberships.c.guild_id).where(is_absent)
        with self._database.autocommit() as connection:
            return list(connection.execute(query).scalars())
