"""Commands to play: open a match, bring its board down, stop it."""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.domain.matches import FirstPlayer, MatchRequest
from bot.domain.refusals import Refusal, Refused
from bot.handlers.base import Handler
from bot.handlers.options import BOARDS, FIRSTS, LEVELS, is_offered
from bot.messaging.interactions import (
    Interaction,
    Person,
    board_refusal,
    channel_of,
    opponent_refusal,
    parent_of,
    place_of,
    post_refusal,
)
from bot.messaging.reply import Reply
from engine import Level, rules_named


class Play(Handler):
    """The commands for playing."""

    @app_commands.command(description=locale_str("Start a match against me or someone else"))
    @app_commands.rename(
        opponent=locale_str("opponent"),
        board=locale_str("board"),
        level=locale_str("level"),
        first=locale_str("first"),
    )
    @app_commands.describe(
        opponent=locale_str("Who to challenge; leave empty to play me"),
        board=locale_str("The board or game; default: this server's"),
        level=locale_str("The bot's level; default: this server's"),
        first=locale_str("Who goes first (as ❌); you by default"),
    )
    @app_commands.choices(board=BOARDS, level=LEVELS, first=FIRSTS)
    async def start(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        board: str | None = None,
        level: str | None = None,
        first: str | None = None,
    ) -> None:
        async with self._replies.to(interaction) as reply:
            await self._start(reply, interaction, opponent, board=board, level=level, first=first)

    async def challenge(self, interaction: Interaction, person: Person) -> None:
        """Start a match against somebody, as the command does."""
        async with self._replies.to(interaction) as reply:
            await self._start(reply, interaction, person)

    async def _start(
        self,
        reply: Reply,
        interaction: Interaction,
        opponent: Person | None = None,
        **options: str | None,
    ) -> None:
        if too_fast := self._check_cooldown(interaction):
            return await reply.give(too_fast)
        request = _request(interaction, opponent, **options)
        if request is None:
            return await reply.give(Refused(Refusal.UNKNOWN_OPTION))
        if refused := board_refusal(interaction) or opponent_refusal(interaction, opponent):
            return await reply.give(refused)
        await reply.give(await self.services.starts.open(request))

    @app_commands.command(description=locale_str("Bring this channel's board back down here"))
    async def board(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            if refused := self._check_cooldown(interaction) or post_refusal(interaction):
                return await reply.give(refused)
            await reply.give(await self.services.matches.repost(channel_of(interaction)))

    @app_commands.command(description=locale_str("Resign, or end the match as a moderator"))
    async def stop(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            outcome = await self.services.matches.stop(
                channel_of(interaction),
                interaction.user.id,
                is_moderator=interaction.permissions.manage_messages,
            )
            await reply.give(outcome)
            self._counting.note(outcome)
        await self._counting.count_if_due()


def _request(
    interaction: Interaction,
    opponent: Person | None,
    board: str | None = None,
    level: str | None = None,
    first: str | None = None,
) -> MatchRequest | None:
    """The match that is asked for; None if an option's value is not one of its choices.

    `MatchRequest` says what an option that was left out means.
    """
    offered = [(BOARDS, board), (LEVELS, level), (FIRSTS, first)]
    is_whole = isinstance(opponent, Person | None)
    if not is_whole or not all(is_offered(*option) for option in offered):
        return None
    request = MatchRequest(
        id=interaction.id,
        place=place_of(interaction),
        opener=interaction.user.id,
        opponent=opponent.id if opponent else None,
        parent_id=parent_of(interaction),
        rules=rules_named(board) if board else None,
        level=Level[level] if level else None,
    )
    return replace(request, first=FirstPlayer(first)) if first else request
