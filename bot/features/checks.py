"""Why somebody cannot play: the checks of a channel, and of a member."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord
from discord import ComponentType, ui
from sqlalchemy import Connection

from bot.domain.checks import Check, CheckPage, Report
from bot.domain.ids import MAX_ID
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings
from bot.features import choices, settings
from bot.features.posts import was_refused
from bot.messaging.interactions import channel_id_of, parent_channel_id_of
from bot.messaging.standing import standing_here, standing_in
from bot.runtime.context import Context
from bot.views.checks import checks_view


@dataclass(frozen=True, slots=True)
class _Member:
    """A member as Discord describes them with a select: in the channel of the page."""

    id: int
    permissions: discord.Permissions
    timed_out_until: datetime | None


@dataclass(frozen=True, slots=True)
class _Stored:
    """The settings, whether Discord refused the last puzzle, and whether a member is challenged."""

    settings: GuildSettings
    was_refused: bool
    takes_challenges: bool


async def check(context: Context, page: CheckPage) -> ui.LayoutView:
    """Check the channel of a page, or what its selects have chosen."""
    if not context.can_manage_guild or context.guild_id is None:
        raise Refused(RefusalReason.NOT_YOURS_TO_SET)
    page, member = _chosen(context, page)
    member_id = member.id if member else None
    stored = await context.read(_load, context.guild_id, member_id)
    channel_id = page.channel_id or channel_id_of(context.interaction)
    parent_id = None if page.channel_id else parent_channel_id_of(context.interaction)
    results, bot_until = await _check_bot(context, page)
    results[Check.BOARDS_ALLOWED] = stored.settings.allows_boards_in(channel_id, parent_id)
    if stored.settings.puzzle_channel == channel_id:
        results[Check.LAST_POST_TAKEN] = not stored.was_refused
    if member is not None:
        may = member.permissions
        results[Check.MEMBER_NOT_TIMED_OUT] = member.timed_out_until is None
        if page.channel_id is None:
            results[Check.MEMBER_USES_COMMANDS] = may.view_channel and may.use_application_commands
        results[Check.MEMBER_TAKES_CHALLENGES] = stored.takes_challenges
    report = Report(
        page,
        channel_id,
        results,
        bot_until=bot_until,
        channels=stored.settings.channels,
        member_id=member_id,
        member_until=member.timed_out_until if member else None,
    )
    return checks_view(report, context.language)


async def _check_bot(
    context: Context, page: CheckPage
) -> tuple[dict[Check, bool], datetime | None]:
    """The checks of the bot itself, and when its time-out ends."""
    interaction = context.interaction
    if not interaction.is_guild_integration():
        return {Check.APPS_MAY_POST: interaction.permissions.use_external_apps}, None
    standing = await (
        standing_in(interaction, page.channel_id) if page.channel_id else standing_here(interaction)
    )
    may, until = standing.permissions, standing.timed_out_until
    results = {Check.BOT_NOT_TIMED_OUT: until is None, Check.BOT_SEES: may.view_channel}
    if until is None and may.view_channel:  # else it may not write in any case
        if not standing.only_threads:
            results[Check.BOT_WRITES] = may.send_messages
        results[Check.BOT_WRITES_IN_THREADS] = may.send_messages_in_threads
    return results, until


def _chosen(context: Context, page: CheckPage) -> tuple[CheckPage, _Member | None]:
    """The page and the member that a select has chosen."""
    data: Any = context.interaction.data
    ids = [_parse_id(text) for text in data.get("values", ())]
    match data.get("component_type"):
        case ComponentType.channel_select.value:
            return CheckPage(ids[0] if ids else None), None
        case ComponentType.user_select.value if ids:
            members = data.get("resolved", {}).get("members", {})
            return page, _member(ids[0], members, context.interaction.created_at)
    return page, None


def _parse_id(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_ID:
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    return int(text)


def _member(member_id: int, members: Any, now: datetime) -> _Member:
    """The member with an id; somebody who is not in the server may do nothing there."""
    data = members.get(str(member_id), {})
    until = discord.utils.parse_time(data.get("communication_disabled_until"))
    is_over = until is not None and until <= now
    permissions = discord.Permissions(int(data.get("permissions", 0)))
    return _Member(member_id, permissions, None if is_over else until)


def _load(connection: Connection, guild_id: int, member_id: int | None) -> _Stored:
    takes_challenges = member_id is None or choices.load(connection, member_id).takes_challenges
    return _Stored(
        settings.load(connection, guild_id), was_refused(connection, guild_id), takes_challenges
    )
