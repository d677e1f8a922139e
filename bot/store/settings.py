"""The table of servers: what each has chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import RowMapping, bindparam, select

from bot.domain.settings import BOARDS, GuildSettings, SettingValue, encode_value
from bot.store.database import Database, upsert
from bot.store.schema import servers
from engine import Level, Rules

_SETTINGS = select(*(servers.c[field.name] for field in fields(GuildSettings))).where(
    servers.c.guild_id == bindparam("guild_id")
)


class SettingsTable:
    """Servers' choices; a server without a row has the defaults."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def choices(self, guild_id: int) -> GuildSettings:
        with self._connections.autocommit() as connection:
            row = connection.execute(_SETTINGS, {"guild_id": guild_id}).mappings().one_or_none()
        return GuildSettings() if row is None else _from_row(row)

    def choose(self, guild_id: int, choice: Mapping[str, SettingValue]) -> None:
        """Set some of the fields of `GuildSettings`, by name; the others stay as they are."""
        row = {name: _encode(value) for name, value in choice.items()}
        with self._connections.autocommit() as connection:
            upsert(connection, servers.c.guild_id, guild_id, **row)


def _encode(value: SettingValue) -> str | int | None:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return encode_value(value) if isinstance(value, Level | Rules) else value


_RULES = {rules.name: rules for rules in BOARDS}

_DECODERS: Mapping[str, Callable[[Any], SettingValue]] = {
    "level": Level.__members__.get,
    "rules": _RULES.get,
    "channels": lambda ids: tuple(map(int, ids.split())),
}


def _from_row(row: RowMapping) -> GuildSettings:
    """The choices in a row; NULL, and a value unknown to this release, means not chosen."""
    chosen: dict[str, Any] = {}
    for name, written in row.items():
        value = _DECODERS[name](written) if name in _DECODERS and written is not None else written
        if value is not None:
            chosen[name] = value
    return GuildSettings(**chosen)
