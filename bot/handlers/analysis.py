"""Commands to learn: reviews, replays, puzzles, and how the bot thinks."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot.domain.analysis import ReviewPage
from bot.domain.puzzles import PuzzlePage, SharePage
from bot.domain.refusals import Refusal, Refused
from bot.domain.tutorial import EXAMPLE_GAME, HintConfirmation, TutorialPage
from bot.handlers.base import Handler
from bot.messaging.errors import DISCORD_ERRORS
from bot.messaging.interactions import Interaction, board_refusal, channel_of, place_of
from bot.messaging.reply import Reply
from engine import Record


class Learn(Handler):
    """The commands for learning."""

    @app_commands.command(description=locale_str("Review this channel's last match"))
    async def review(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            if too_fast := self._check_cooldown(interaction):
                return await reply.give(too_fast)
            match = await self.services.matches.last_played(channel_of(interaction))
            if match is None:
                return await reply.give(Refused(Refusal.NOTHING_TO_REVIEW))
            await self._teach(reply, interaction, ReviewPage.of(match))

    @app_commands.command(description=locale_str("Step through a finished match, by its code"))
    @app_commands.rename(code=locale_str("code"))
    @app_commands.describe(code=locale_str("Shown in the review of any match"))
    async def replay(self, interaction: Interaction, code: str) -> None:
        async with self._replies.to(interaction) as reply:
            record = _read(code)
            if record is None:
                return await reply.give(Refused(Refusal.NO_SUCH_GAME))
            if too_fast := self._check_cooldown(interaction):
                return await reply.give(too_fast)
            await self._teach(reply, interaction, ReviewPage(record, ply=0))

    @app_commands.command(description=locale_str("Find the only good move: a new puzzle every day"))
    async def puzzle(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            if too_fast := self._check_cooldown(interaction):
                return await reply.give(too_fast)
            await self._teach(reply, interaction, PuzzlePage(interaction.created_at.date()))

    @app_commands.command(
        description=locale_str("Walk through minimax: how a machine finds the best move")
    )
    async def learn(self, interaction: Interaction) -> None:
        async with self._replies.to(interaction) as reply:
            if too_fast := self._check_cooldown(interaction):
                return await reply.give(too_fast)
            await self._learn(reply, interaction)

    async def _learn(
        self, reply: Reply, interaction: Interaction, *, as_hint: bool = False
    ) -> None:
        channel_id, user_id = channel_of(interaction), interaction.user.id
        record = await self.services.matches.lesson_in(channel_id, user_id, as_hint=as_hint)
        if isinstance(record, HintConfirmation):
            return await reply.give(record)
        await self._teach(reply, interaction, TutorialPage(record or EXAMPLE_GAME))

    async def _share(self, reply: Reply, interaction: Interaction, page: SharePage) -> None:
        if too_fast := self._check_cooldown(interaction):
            return await reply.give(too_fast)
        if page.day > interaction.created_at.date():
            return await reply.give(Refused(Refusal.UNKNOWN_BUTTON))
        if refused := board_refusal(interaction):
            return await reply.give(refused)
        puzzles, user_id = self.services.puzzles, interaction.user.id
        language = await self.services.servers.language_in(place_of(interaction))
        shared = await reply.wait(puzzles.share(user_id, page), in_place=True)
        if isinstance(shared, Refused):
            return await reply.give(shared)
        try:
            await reply.share(shared, language)
        except DISCORD_ERRORS:  # posted after all, perhaps; better twice than never
            await puzzles.unshare(user_id, page)
            raise


def _read(code: str) -> Record | None:
    """The game that a code encodes; None if the code is invalid or the game has no moves."""
    try:
        record = Record.read(code)
    except ValueError:
        return None
    return record if record.moves else None
