"""The table of servers' settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import RowMapping, bindparam, select

from bot.domain.matches import BOARDS_BY_NAME, Place
from bot.domain.settings import GuildSettings, SettingValue, encode_value
from bot.store.database import Database, upsert
from bot.store.schema import servers
from engine import Level, Rules

_BY_ID = select(*(servers.c[field.name] for field in fields(GuildSettings))).where(
    servers.c.guild_id == bindparam("guild_id")
)


class SettingsTable:
    """Stores servers' settings; a server without a row has the defaults."""

    def __init__(self, database: Database, languages: Collection[str]) -> None:
        """`languages` are those of this release: another that is stored is ignored."""
        self._database = database
        self._languages = languages

    def load(self, guild_id: int) -> GuildSettings:
        with self._database.autocommit() as connection:
            row = connection.execute(_BY_ID, {"guild_id": guild_id}).mappings().one_or_none()
        settings = GuildSettings() if row is None else _from_row(row)
        if settings.language in self._languages:
            return settings
        return replace(settings, language=None)

    def load_for(self, place: Place) -> GuildSettings:
        """What the server of a place has chosen; the defaults in direct messages."""
        return GuildSettings() if place.guild_id is None else self.load(place.guild_id)

    def update(self, guild_id: int, values: Mapping[str, SettingValue]) -> None:
        """Set some of the fields of `GuildSettings`, by name; the others stay as they are."""
        row = {name: _encode(value) for name, value in values.items()}
        with self._database.write() as connection:
            upsert(connection, servers.c.guild_id, guild_id, **row)


def _encode(value: SettingValue) -> str | int | None:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return encode_value(value) if isinstance(value, Level | Rules) else value


_DECODERS: Mapping[str, Callable[[Any], SettingValue]] = {
    "level": Level.__members__.get,
    "rules": BOARDS_BY_NAME.get,
    "channels": lambda ids: tuple(map(int, ids.split())),
}
"""How columns are read that are not stored as they are."""


def _from_row(row: RowMapping) -> GuildSettings:
    """The settings in a row, with the defaults for NULL and for values this release lacks."""
    values: dict[str, Any] = {}
    for name, stored in row.items():
        if stored is None:
            continue
        decode = _DECODERS.get(name)
        value = decode(stored) if decode else stored
        if value is not None:
            values[name] = value
    return GuildSettings(**values)
