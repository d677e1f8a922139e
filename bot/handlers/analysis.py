"""Hints, reviews and retries."""

from __future__ import annotations

import re
from functools import partial

from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import Match
from bot.domain.refusals import Refusal, RefusalReason
from bot.handlers.base import Handler, HandlerDependencies
from bot.handlers.matches import MatchHandler
from bot.messaging.interactions import Interaction, channel_id_of, press_context
from bot.messaging.reply import Reply
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.mistakes import retry_view
from engine import Record

_AROUND_CODE = re.compile(r"^\W+|\W+$")


class AnalysisHandler(Handler):
    """The commands `review` and `replay`, and the pages of hints, reviews and retries."""

    def __init__(self, dependencies: HandlerDependencies, matches: MatchHandler) -> None:
        super().__init__(dependencies)
        self._matches = matches

    async def press_hint(self, interaction: Interaction, press: Press) -> None:
        """Answer a press that asks for a hint in a match."""
        async with self._replies.to(interaction) as reply:
            context = press_context(interaction)
            match_or_outcome = await reply.wait(
                self._services.match_actions.match_for_hint(press, context),
                show_late=self._matches.show_late,
            )
            if not isinstance(match_or_outcome, Match):
                return await self._matches.show(reply, match_or_outcome)
            match = match_or_outcome
            page = HintPage(match.record, press.cell)
            is_detailed = press.action is MatchAction.WHY or press.cell is not None
            await self._show_hint(reply, interaction, page, match, is_detailed=is_detailed)

    async def show_hint(self, interaction: Interaction, page: HintPage) -> None:
        """Show a hint for a board of an older release, which is of no match."""
        async with self._replies.to(interaction) as reply:
            await self._show_hint(reply, interaction, page)

    async def _show_hint(
        self,
        reply: Reply,
        interaction: Interaction,
        page: HintPage,
        match: Match | None = None,
        *,
        is_detailed: bool = True,
    ) -> None:
        hint = await reply.wait_for_page(
            self._services.analysis.hint(
                page,
                match,
                is_detailed=is_detailed,
                user_id=interaction.user.id,
                interaction_id=interaction.id,
            )
        )
        if isinstance(hint, Refusal):
            return await reply.refuse(hint)
        await reply.show_page(partial(hint_view, hint))

    async def review(self, interaction: Interaction) -> None:
        """Review the channel's last match."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            match = await self._services.matches.last_played(channel_id_of(interaction))
            if match is None:
                return await reply.refuse(Refusal(RefusalReason.NOTHING_TO_REVIEW))
            await self._show_review(reply, interaction, ReviewPage.of(match))

    async def replay(self, interaction: Interaction, code: str) -> None:
        """Review the game that a code encodes."""
        async with self._replies.to(interaction) as reply:
            record = _parse_record(code)
            if record is None:
                return await reply.refuse(Refusal(RefusalReason.NO_SUCH_GAME))
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            await self._show_review(reply, interaction, ReviewPage(record, ply=0))

    async def show_review(self, interaction: Interaction, page: ReviewPage) -> None:
        """Show a page of a review."""
        async with self._replies.to(interaction) as reply:
            await self._show_review(reply, interaction, page)

    async def _show_review(self, reply: Reply, interaction: Interaction, page: ReviewPage) -> None:
        await reply.show_result(
            self._services.analysis.review(
                page, user_id=interaction.user.id, interaction_id=interaction.id
            ),
            review_view,
        )

    async def show_retry(self, interaction: Interaction, page: RetryPage) -> None:
        """Show a mistake to try again."""
        async with self._replies.to(interaction) as reply:
            await reply.show_result(
                self._services.analysis.retry(
                    page, user_id=interaction.user.id, interaction_id=interaction.id
                ),
                retry_view,
            )


def _parse_record(code: str) -> Record | None:
    """The game that a code encodes; None if the code is invalid or the game has no moves.

    The code may be pasted with the name of the option, and in quotation marks.
    """
    _option, _colon, pasted = code.rpartition(":")
    try:
        record = Record.read(_AROUND_CODE.sub("", pasted))
    except ValueError:
        return None
    return record if record.moves else None
