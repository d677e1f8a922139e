"""The context of an interaction: where it is, in which language, and who may do what there."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.domain.match_actions import PressOrigin
from bot.domain.matches import Place
from bot.domain.refusals import Refusal, RefusalReason, UnknownChannelError

Interaction = discord.Interaction[commands.AutoShardedBot]

Person = discord.User | discord.Member


def place_of(interaction: Interaction) -> Place:
    """The channel, server and language for a message that everybody there sees."""
    return Place(channel_id_of(interaction), interaction.guild_id, public_locale(interaction))


def channel_id_of(interaction: Interaction) -> int:
    """The channel.

    Raises:
        UnknownChannelError: It is of a kind that discord.py does not know.
    """
    if interaction.channel_id is None:
        raise UnknownChannelError(f"interaction {interaction.id} has no channel")
    return interaction.channel_id


def parent_channel_id_of(interaction: Interaction) -> int | None:
    """The channel that a thread is part of."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def press_origin(interaction: Interaction) -> PressOrigin:
    """Who pressed a button, on which message, and where."""
    assert interaction.message is not None, "a button is part of a message"
    return PressOrigin(
        user_id=interaction.user.id,
        channel_id=channel_id_of(interaction),
        message_id=interaction.message.id,
        interaction_id=interaction.id,
        is_ephemeral=is_ephemeral(interaction),
        parent_id=parent_channel_id_of(interaction),
    )


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether the pressed message is ephemeral: a page that one person sees, not a board."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def can_manage_guild(interaction: Interaction) -> bool:
    """Whether the user has the Manage Server permission here; False outside servers."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def board_refusal(interaction: Interaction) -> Refusal | None:
    """Why a board could not be posted here for everybody, or kept up to date; None if it can."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return post_refusal(interaction)
    permissions = interaction.app_permissions
    if not permissions.view_channel:
        return Refusal(RefusalReason.NEEDS_VIEW_CHANNEL)
    is_thread = isinstance(interaction.channel, discord.Thread)
    if is_thread and not permissions.send_messages_in_threads:
        return Refusal(RefusalReason.NEEDS_SEND_IN_THREADS)
    if not is_thread and not permissions.send_messages:
        return Refusal(RefusalReason.NEEDS_SEND_MESSAGES)
    return None


def post_refusal(interaction: Interaction) -> Refusal | None:
    """Why Discord would make a public answer ephemeral here; None if it would not."""
    if interaction.guild_id is None or interaction.is_guild_integration():
        return None
    if interaction.permissions.use_external_apps:
        return None
    return Refusal(RefusalReason.NEEDS_EXTERNAL_APPS)


def may_make_thread(interaction: Interaction) -> bool:
    """Whether the user may make a thread here to play in; a thread cannot contain threads."""
    has_threads = isinstance(interaction.channel, discord.TextChannel)
    return has_threads and interaction.permissions.create_public_threads


def opponent_refusal(interaction: Interaction, opponent: Person | None) -> Refusal | None:
    """Why an opponent cannot be challenged here; None if they can, or if it is the bot or None."""
    if opponent is None or opponent == interaction.client.user:
        return None
    if opponent.bot:
        return Refusal(RefusalReason.OPPONENT_IS_A_BOT)
    if opponent.id == interaction.user.id:
        return Refusal(RefusalReason.OPPONENT_IS_YOU)
    if not _can_see(interaction, opponent):
        return Refusal(RefusalReason.OPPONENT_ABSENT, person_id=opponent.id)
    return None


def public_locale(interaction: Interaction) -> str:
    """The server's language, or the reader's where the server has not chosen one.

    Only Community servers can choose; for all others Discord reports American English.
    """
    chosen = interaction.guild_locale
    if chosen is None or chosen is discord.Locale.american_english:
        chosen = interaction.locale
    return str(chosen)


def _can_see(interaction: Interaction, opponent: Person) -> bool:
    if interaction.guild_id is None:
        return interaction.context.private_channel
    if not isinstance(opponent, discord.Member):
        return False
    permissions = opponent.resolved_permissions
    return permissions is None or permissions.view_channel
