"""What the bot itself may do in a channel, which only Discord knows: nothing is cached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import discord

from bot.messaging.interactions import Interaction
from bot.messaging.messages import DISCORD_SECONDS
from bot.messaging.waiting import wait_for_discord


@dataclass(frozen=True, slots=True)
class Standing:
    """What the bot may do in a channel.

    Attributes:
        permissions: What it may do; none where it cannot see the channel.
        only_threads: Whether people write in threads only: it is one, or a forum.
        timed_out_until: When its time-out ends, which leaves it no permission but to see and read.
    """

    permissions: discord.Permissions
    only_threads: bool
    timed_out_until: datetime | None


async def standing_here(interaction: Interaction) -> Standing:
    """What the bot may do in the channel of an interaction, which takes one request."""
    return await wait_for_discord(_here(interaction), DISCORD_SECONDS)


async def standing_in(interaction: Interaction, channel_id: int) -> Standing:
    """What the bot may do in another channel of the server, which takes three requests."""
    return await wait_for_discord(_elsewhere(interaction, channel_id), DISCORD_SECONDS)


async def _here(interaction: Interaction) -> Standing:
    guild = interaction.guild
    assert guild is not None, "the bot is a member of a server"
    member = await guild.fetch_member(_own_id(interaction))
    is_thread = isinstance(interaction.channel, discord.Thread)
    return Standing(interaction.app_permissions, is_thread, _end_of_timeout(member, interaction))


async def _elsewhere(interaction: Interaction, channel_id: int) -> Standing:
    assert interaction.guild_id is not None, "the bot is a member of a server"
    guild = await interaction.client.fetch_guild(interaction.guild_id, with_counts=False)
    member = await guild.fetch_member(_own_id(interaction))
    until = _end_of_timeout(member, interaction)
    try:
        channel = await guild.fetch_channel(channel_id)
    except (discord.Forbidden, discord.NotFound, discord.InvalidData):  # also of another server
        return Standing(discord.Permissions.none(), only_threads=False, timed_out_until=until)
    is_forum = isinstance(channel, discord.ForumChannel)
    return Standing(channel.permissions_for(member), is_forum, until)


def _own_id(interaction: Interaction) -> int:
    assert interaction.client.user is not None, "known since login"
    return interaction.client.user.id


def _end_of_timeout(member: discord.Member, interaction: Interaction) -> datetime | None:
    until = member.timed_out_until
    return until if until and until > interaction.created_at else None
