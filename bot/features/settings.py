"""The settings of servers: the form, and how they are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

from discord import ui
from sqlalchemy import Connection, bindparam, select

from bot.domain.matches import BOARDS_BY_NAME, Place
from bot.domain.puzzles import next_post_at
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import (
    GuildSettings,
    Setting,
    SettingsForm,
    SettingsPage,
    SettingValue,
    Tab,
    encode_value,
    parse_value,
)
from bot.features.posts import has_given_up, is_posted, restart_posts
from bot.runtime.context import Context
from bot.store.database import upsert
from bot.store.schema import servers
from bot.views.catalogues import LANGUAGES
from bot.views.settings import CHANNEL_TYPES, settings_view
from engine import Level, Rules


async def show(context: Context, level: str | None = None) -> ui.LayoutView:
    """Show the settings of a server; if a level is given, set that first."""
    if level is not None:
        await _choose(context, Setting.LEVEL, [level])
    return await _show(context, Tab.BOARDS)


async def press(context: Context, page: SettingsPage) -> ui.LayoutView:
    """Do what a control of the form asks, and show the form."""
    if page.setting is not None:
        names = [page.chosen] if page.chosen else _selected(context, page.setting)
        await _choose(context, page.setting, names)
    return await _show(context, page.tab)


def _selected(context: Context, setting: Setting) -> list[str]:
    """What was selected; empty texts for channels of a type that is not offered."""
    data: Any = context.interaction.data
    values = [str(value) for value in data.get("values", ())]
    if setting not in CHANNEL_TYPES:
        return values
    offered_types = {channel_type.value for channel_type in CHANNEL_TYPES[setting]}
    channels = data.get("resolved", {}).get("channels", {})
    types = [channels.get(channel_id, {}).get("type") for channel_id in values]
    return [
        channel_id if channel_type in offered_types else ""
        for channel_id, channel_type in zip(values, types, strict=True)
    ]


async def _choose(context: Context, setting: Setting, names: Sequence[str]) -> None:
    """Set a setting to the values that a select or a button names."""
    guild_id = _guild_id(context)
    if not context.can_manage_guild:
        raise Refused(RefusalReason.NOT_YOURS_TO_SET)
    value = parse_value(setting, names, LANGUAGES)
    await context.change(choose, guild_id, setting, value, context.place.locale)


async def _show(context: Context, tab: Tab) -> ui.LayoutView:
    stored, gave_up_posting, post_at = await context.read(
        _load_form, _guild_id(context), context.interaction.created_at
    )
    form = SettingsForm(
        stored,
        default_turn_minutes=context.runtime.deadlines.limits.turn // timedelta(minutes=1),
        today=context.today,
        tab=tab,
        may_change=context.can_manage_guild,
        gave_up_posting=gave_up_posting,
        next_post_at=post_at,
    )
    return settings_view(form, context.language)


def _guild_id(context: Context) -> int:
    if context.guild_id is None:
        raise Refused(RefusalReason.NO_SERVER_HERE)
    return context.guild_id


def choose(
    connection: Connection, guild_id: int, setting: Setting, value: SettingValue, locale: str
) -> None:
    """Set a setting; `locale` is the language of puzzle posts unless the server has chosen one."""
    save(connection, guild_id, setting, value)
    if setting is Setting.PUZZLE_CHANNEL:
        restart_posts(connection, guild_id, locale)


def _load_form(
    connection: Connection, guild_id: int, now: datetime
) -> tuple[GuildSettings, bool, datetime | None]:
    """The settings, whether the puzzle could not be posted too many times, and the next post."""
    stored = load(connection, guild_id)
    if stored.puzzle_channel is None:
        return stored, False, None
    if has_given_up(connection, guild_id):
        return stored, True, None
    is_done = is_posted(connection, guild_id, now.date())
    return stored, False, next_post_at(now, stored.puzzle_hour, is_posted=is_done)


_BY_ID = select(*(servers.c[field.name] for field in fields(GuildSettings))).where(
    servers.c.guild_id == bindparam("guild_id")
)


def language_in(connection: Connection, place: Place) -> str:
    """The language of boards in a place: what the server has chosen, or else Discord's."""
    return load(connection, place.guild_id).language or place.locale


def load(connection: Connection, guild_id: int | None) -> GuildSettings:
    """What a server has chosen; the defaults in direct messages.

    They are read from the database each time, so a change applies in every process.
    """
    row = connection.execute(_BY_ID, {"guild_id": guild_id}).mappings().one_or_none()
    if row is None:
        return GuildSettings()
    values = {name: _decode(name, stored) for name, stored in row.items() if stored is not None}
    return GuildSettings(**{name: value for name, value in values.items() if value is not None})


def save(connection: Connection, guild_id: int, setting: Setting, value: SettingValue) -> None:
    """Set a setting; the others stay as they are."""
    upsert(connection, servers.c.guild_id, guild_id, **{setting.value: _encode(value)})


def _encode(value: SettingValue) -> str | int | None:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return encode_value(value) if isinstance(value, Level | Rules) else value


_DECODERS: Mapping[str, Callable[[Any], SettingValue]] = {
    "language": lambda code: code if code in LANGUAGES else None,
    "level": Level.__members__.get,
    "rules": BOARDS_BY_NAME.get,
    "channels": lambda ids: tuple(map(int, ids.split())),
}
"""How columns are read that are not stored as they are; None for what this release lacks."""


def _decode(name: str, stored: Any) -> Any:
    return _DECODERS[name](stored) if name in _DECODERS else stored
