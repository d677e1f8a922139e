"""The table of servers: what each has chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import RowMapping, bindparam, select

from bot.domain.settings import BOARDS, Chosen, ServerChoices, name_of
from bot.store.database import Connections, put
from bot.store.schema import servers
from engine import Level, Rules

_CHOICES = select(*(servers.c[field.name] for field in fields(ServerChoices))).where(
    servers.c.guild_id == bindparam("guild_id")
)


class ServerTable:
    """Servers' choices; a server without a row has the defaults."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def choices(self, guild_id: int) -> ServerChoices:
        with self._connections.autocommit() as connection:
            row = connection.execute(_CHOICES, {"guild_id": guild_id}).mappings().one_or_none()
        return ServerChoices() if row is None else _read(row)

    def choose(self, guild_id: int, choice: Mapping[str, Chosen]) -> None:
        """Set some of the fields of `ServerChoices`, by name; the others stay as they are."""
        row = {name: _written(value) for name, value in choice.items()}
        with self._connections.autocommit() as connection:
            put(connection, servers.c.guild_id, guild_id, **row)


def _written(value: Chosen) -> str | int | None:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return name_of(value) if isinstance(value, Level | Rules) else value


_RULES = {rules.name: rules for rules in BOARDS}

_READ: Mapping[str, Callable[[Any], Chosen]] = {
    "level": Level.__members__.get,
    "rules": _RULES.get,
    "channels": lambda ids: tuple(map(int, ids.split())),
}


def _read(row: RowMapping) -> ServerChoices:
    """The choices in a row; NULL, and a value unknown to this release, means not chosen."""
    chosen: dict[str, Any] = {}
    for name, written in row.items():
        value = _READ[name](written) if name in _READ and written is not None else written
        if value is not None:
            chosen[name] = value
    return ServerChoices(**chosen)
