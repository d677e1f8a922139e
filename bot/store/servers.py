"""The table of servers: what each has chosen."""

from __future__ import annotations

from sqlalchemy import select

from bot.store.database import Connections
from bot.store.schema import servers
from bot.store.statements import put
from engine import Level


class ServerTable:
    """What servers have chosen; one that has chosen nothing has no row."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def level(self, guild_id: int) -> Level | None:
        """The level a server has chosen; None too for one that this release does not know."""
        with self._connections.one() as connection:
            query = select(servers.c.level).where(servers.c.guild_id == guild_id)
            name = connection.execute(query).scalar_one_or_none()
        return Level.__members__.get(name or "")

    def set_level(self, guild_id: int, level: Level) -> None:
        with self._connections.one() as connection:
            put(connection, servers.c.guild_id, guild_id, level=level.name)
