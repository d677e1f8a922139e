"""What a server has chosen."""

from __future__ import annotations

from bot.service.executor import Executor, in_time
from bot.store import ServerTable, Store
from engine import Level


class Servers:
    """How strong the bot plays in a server, unless somebody asks for another level."""

    def __init__(self, store: Store, executor: Executor) -> None:
        self.executor = executor
        self._table = store.servers

    @in_time
    def level(self, guild_id: int) -> Level:
        return level_in(self._table, guild_id)

    @in_time
    def set_level(self, guild_id: int, level: Level) -> None:
        self._table.set_level(guild_id, level)


def level_in(servers: ServerTable, guild_id: int | None) -> Level:
    """The level that a server has chosen, or else the highest: direct messages choose none."""
    chosen = None if guild_id is None else servers.level(guild_id)
    return chosen or Level.IMPOSSIBLE
