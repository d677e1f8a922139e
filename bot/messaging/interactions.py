"""The context of an interaction: where it is, in which language, and who may do what there."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.domain.matches import Place
from bot.domain.refusals import RefusalReason, Refused, UnknownChannelError

Interaction = discord.Interaction[commands.AutoShardedBot]

Person = discord.User | discord.Member

_TIMED_OUT = discord.Permissions(view_channel=True, read_message_history=True)
"""What a time-out leaves."""


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


def pressed_message_id(interaction: Interaction) -> int:
    """The message with the button that was pressed."""
    assert interaction.message is not None, "a button is part of a message"
    return interaction.message.id


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether the pressed message is ephemeral: a page that one person sees, not a board."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def can_manage_guild(interaction: Interaction) -> bool:
    """Whether the user has the Manage Server permission here; False outside servers."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def check_board(interaction: Interaction) -> None:
    """Raise Refused if a board could not be posted here for everybody, or kept up to date."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return check_post(interaction)
    permissions = interaction.app_permissions
    if not permissions.view_channel:
        raise Refused(RefusalReason.NEEDS_VIEW_CHANNEL)
    if permissions.is_subset(_TIMED_OUT):
        raise Refused(RefusalReason.NEEDS_CHECK)
    is_thread = isinstance(interaction.channel, discord.Thread)
    if is_thread and not permissions.send_messages_in_threads:
        raise Refused(RefusalReason.NEEDS_SEND_IN_THREADS)
    if not is_thread and not permissions.send_messages:
        raise Refused(RefusalReason.NEEDS_SEND_MESSAGES)


def check_post(interaction: Interaction) -> None:
    """Raise Refused if Discord would make a public answer ephemeral here."""
    if interaction.guild_id is None or interaction.is_guild_integration():
        return
    if not interaction.permissions.use_external_apps:
        raise Refused(RefusalReason.NEEDS_EXTERNAL_APPS)


def may_make_thread(interaction: Interaction) -> bool:
    """Whether the user may make a thread here to play in; a thread cannot contain threads."""
    has_threads = isinstance(interaction.channel, discord.TextChannel)
    return has_threads and interaction.permissions.create_public_threads


def check_opponent(interaction: Interaction, opponent: Person | None) -> None:
    """Raise Refused if a person cannot be challenged here; None is the bot, which can."""
    if opponent is None or opponent == interaction.client.user:
        return
    if opponent.bot:
        raise Refused(RefusalReason.OPPONENT_IS_A_BOT)
    if opponent.id == interaction.user.id:
        raise Refused(RefusalReason.OPPONENT_IS_YOU)
    if not _can_see(interaction, opponent):
        raise Refused(RefusalReason.OPPONENT_ABSENT, person_id=opponent.id)


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
