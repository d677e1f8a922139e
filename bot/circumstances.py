"""What an interaction says of its circumstances: where, in which language, and who may do what."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.arena import Pressed
from bot.match import Match, Place, Refusal
from bot.texts import Texts, texts_for

Interaction = discord.Interaction[commands.AutoShardedBot]


def place_of(interaction: Interaction) -> Place:
    assert interaction.channel_id is not None, "commands are used in channels"
    return Place(interaction.channel_id, interaction.guild_id, _language_here(interaction))


def pressed_by(interaction: Interaction) -> Pressed:
    assert interaction.message is not None, "a button is part of a message"
    assert interaction.channel_id is not None, "and a message of a channel"
    return Pressed(
        interaction.user.id, interaction.channel_id, interaction.message.id, new_id=interaction.id
    )


def _language_here(interaction: Interaction) -> str:
    """The server's language, or the reader's where the server has not chosen one.

    Only Community servers can choose; for all the others Discord says American English.
    """
    chosen = interaction.guild_locale
    if chosen is None or chosen is discord.Locale.american_english:
        chosen = interaction.locale
    return str(chosen)


def missing_permission(interaction: Interaction) -> str | None:
    """The permission without which a board here could not be seen, or kept up to date."""
    if interaction.guild_id is None:
        return None
    if not interaction.is_guild_integration():
        return None if interaction.permissions.use_external_apps else "use_external_apps"
    is_thread = isinstance(interaction.channel, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads" if is_thread else "send_messages")
    return next((f for f in needed if not getattr(interaction.app_permissions, f)), None)


def refuse_opponent(
    interaction: Interaction, match: Match, opponent: discord.User | None
) -> Refusal | None:
    if opponent is None or not match.is_between_people:
        return None
    if opponent.bot:
        return Refusal.OPPONENT_IS_A_BOT
    if opponent.id == interaction.user.id:
        return Refusal.OPPONENT_IS_YOU
    return None if _can_see(interaction, opponent) else Refusal.OPPONENT_ABSENT


def _can_see(interaction: Interaction, opponent: discord.User | discord.Member) -> bool:
    if interaction.guild_id is None:
        return interaction.context.private_channel
    if not isinstance(opponent, discord.Member):
        return False
    permissions = opponent.resolved_permissions
    return permissions is None or permissions.view_channel


def reader_of(interaction: Interaction) -> Texts:
    return texts_for(str(interaction.locale))
