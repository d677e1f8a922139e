"""What a server has chosen."""

from __future__ import annotations

from bot.service.executor import Executor, in_time
from bot.store import Store
from engine import Level


class Servers:
    """How strong the bot plays in a server, unless somebody asks for another level."""

    def __init__(self, store: Store, executor: Executor) -> None:
        self.executor = executor
        self._store = store

    @in_time
    def level(self, guild_id: int) -> Level:
        return level_in(self._store, guild_id)

    @in_time
    def set_level(self, guild_id: int, level: Level) -> None:
        self._store.remember(_level_in(guild_id), level.name)


def level_in(store: Store, guild_id: int | None) -> Level:
    """The level that a server has chosen, or else the highest: direct messages choose none."""
    name = None if guild_id is None else store.fact(_level_in(guild_id))
    return Level.__members__.get(name or "", Level.IMPOSSIBLE)


def _level_in(guild_id: int) -> str:
    return f"level in {guild_id}"
