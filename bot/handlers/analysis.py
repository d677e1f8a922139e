"""Hints in matches."""

from __future__ import annotations

from functools import partial

from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import Match
from bot.domain.refusals import Refusal
from bot.features import analysis
from bot.handlers.base import Handler, HandlerDependencies
from bot.handlers.matches import MatchHandler
from bot.messaging.interactions import Interaction, press_context
from bot.runtime.context import Context


class AnalysisHandler(Handler):
    """Presses that ask for a hint in a match."""

    def __init__(self, dependencies: HandlerDependencies, matches: MatchHandler) -> None:
        super().__init__(dependencies)
        self._matches = matches

    async def press_hint(self, interaction: Interaction, press: Press) -> None:
        """Answer a press that asks for a hint in a match."""
        async with self._replies.to(interaction) as reply:
            match_or_outcome = await reply.wait(
                self._services.match_actions.match_for_hint(press, press_context(interaction)),
                show_late=self._matches.show_late,
            )
            if not isinstance(match_or_outcome, Match):
                return await self._matches.show(reply, match_or_outcome)
            job = partial(
                analysis.show_hint_in_match,
                Context(self._runtime, interaction, reply),
                match_or_outcome,
                press.cell,
                is_detailed=press.action is MatchAction.WHY or press.cell is not None,
            )
            draw = await reply.wait_for_page(
                self._runtime.latest_jobs.run(
                    job, user_id=interaction.user.id, interaction_id=interaction.id
                )
            )
            if isinstance(draw, Refusal):
                return await reply.refuse(draw)
            await reply.show_page(draw)
