"""Daily puzzles: solving them, sharing results, and posting them in servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import discord
from discord.app_commands import Choice

from bot.domain.puzzles import (
    PastPuzzle,
    PuzzlePage,
    PuzzlePost,
    SharePage,
    past_days,
    puzzle_page,
)
from bot.domain.refusals import Refusal, RefusalReason, UnavailableError
from bot.features.settings import language_in
from bot.handlers.base import Handler
from bot.messaging.errors import DISCORD_ERRORS, error_summary, log_errors
from bot.messaging.interactions import Interaction, board_refusal, is_ephemeral, place_of
from bot.messaging.reply import Reply, in_locale
from bot.views.days import parse_day
from bot.views.i18n import language_for
from bot.views.puzzles import day_choices, post_view, puzzle_view, share_view

_MEMBERS_SECONDS = 5
"""How long a post waits for who has left: nobody waits for it, but its claim ends after 20 s."""

_log = logging.getLogger(__name__)


class PuzzleHandler(Handler):
    """The command `puzzle`, its pages, and the posts of the daily puzzle in servers."""

    async def puzzle(self, interaction: Interaction, day: str | None = None) -> None:
        """Show today's puzzle, or that of an earlier day."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            today = interaction.created_at.date()
            chosen_day = today if day is None else parse_day(day, str(interaction.locale))
            if chosen_day is None:
                return await reply.refuse(Refusal(RefusalReason.UNKNOWN_OPTION))
            page = puzzle_page(chosen_day, today)
            if isinstance(page, Refusal):
                return await reply.refuse(page)
            await self._submit(reply, interaction, page)

    async def suggest_days(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """The days to offer to a person who is typing one."""
        locale = str(interaction.locale)
        typed_day = parse_day(typed, locale)
        days = past_days(interaction.created_at.date(), typed_day)
        try:
            puzzles = await self._services.puzzles.past_puzzles(interaction.user.id, days)
        except UnavailableError:  # a choice can be made without knowing what is solved
            puzzles = [PastPuzzle(day, is_solved=False) for day in days]
        return day_choices(puzzles, typed, typed_day, language_for(locale))

    async def submit(self, interaction: Interaction, page: PuzzlePage) -> None:
        """Store the tries of a page, and show the puzzle with all tries so far."""
        async with self._replies.to(interaction) as reply:
            await self._submit(reply, interaction, page)

    async def _submit(self, reply: Reply, interaction: Interaction, page: PuzzlePage) -> None:
        await reply.show_result(
            self._services.puzzles.submit(
                page,
                user_id=interaction.user.id,
                guild_id=interaction.guild_id,
                interaction_id=interaction.id,
                counted_days=_counted_days(interaction),
            ),
            puzzle_view,
        )

    async def share(self, interaction: Interaction, page: SharePage) -> None:
        """Tell everybody how the person did with a puzzle, in the language of the channel."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            if page.day > interaction.created_at.date():
                return await reply.refuse(Refusal(RefusalReason.UNKNOWN_BUTTON))
            if refusal := board_refusal(interaction):
                return await reply.refuse(refusal)
            puzzles = self._services.puzzles
            user_id = interaction.user.id
            locale = await self._runtime.read(language_in, place_of(interaction))
            shared = await reply.wait_or_defer(puzzles.share(user_id, page), in_place=True)
            if isinstance(shared, Refusal):
                return await reply.refuse(shared)
            draw = partial(share_view, shared, user_id)
            try:
                await reply.post(in_locale(locale, draw))
            except TimeoutError:  # it may still come; if not, the claim runs out
                raise
            except DISCORD_ERRORS:  # perhaps posted after all, but a duplicate is better than none
                await puzzles.record_share(user_id, page, is_shared=False)
                raise
            with log_errors("That a puzzle was shared could not be stored"):
                await puzzles.record_share(user_id, page, is_shared=True)

    async def post_due(self) -> None:
        """Post the puzzle of the day where it is due."""
        while claimed := await self._services.puzzle_posts.claim():
            await asyncio.gather(*map(self._post, claimed))

    async def _post(self, post: PuzzlePost) -> None:
        """Post one puzzle; unless the result gets recorded, any process soon tries again."""
        post_service = self._services.puzzle_posts
        with log_errors("A puzzle of the day could not be posted"):
            puzzle = await post_service.puzzle(post)
            draw = partial(post_view, await self._with_gone(post), puzzle)
            try:
                message_id = await self._messages.send(post.place, draw, post.nonce)
            except (discord.Forbidden, discord.NotFound) as error:
                channel_id = post.place.channel_id
                _log.info("No puzzle for channel %d: %s", channel_id, error_summary(error))
                message_id = None
            await post_service.record_posted(post, message_id)

    async def _with_gone(self, post: PuzzlePost) -> PuzzlePost:
        """The post, knowing who of yesterday's results has left the server."""
        assert post.place.guild_id is not None, "posts are made in servers"
        user_ids = [result.user_id for result in post.yesterday]
        gone = await self._members.gone(post.place.guild_id, user_ids, _MEMBERS_SECONDS)
        return replace(post, gone=gone)


def _counted_days(interaction: Interaction) -> Collection[date]:
    """The days whose puzzle counts: today, and the day before if the page was opened then.

    This lets an attempt that was begun then go on after midnight UTC.
    """
    today = interaction.created_at.date()
    if interaction.message is None or not is_ephemeral(interaction):
        return [today]
    opened_on = interaction.message.created_at.date()
    if today - opened_on == timedelta(days=1):
        return [today, opened_on]
    return [today]
