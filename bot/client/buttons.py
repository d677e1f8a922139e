"""Dispatch of presses on buttons and selects."""

from __future__ import annotations

from bot.domain.analysis import HintPage
from bot.domain.ids import INERT_PREFIX, CommandButton
from bot.domain.match_actions import REMATCHES, MatchAction, Press
from bot.domain.pages import Page, parse_page
from bot.domain.privacy import PrivacyPage
from bot.domain.puzzles import SharePage
from bot.domain.refusals import Refusal, Refused
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.handlers.analysis import Learn
from bot.handlers.matches import Play
from bot.handlers.people import People
from bot.handlers.settings import Server
from bot.messaging.interactions import Interaction, post_refusal, press_context, selected_values
from bot.messaging.reply import Reply


class ButtonRouter(People, Server, Learn, Play):
    """Answers every press on a button or a select.

    discord.py registers the commands of the base classes from the last one to the first, and
    Discord lists them in that order.
    """

    async def press(self, interaction: Interaction, custom_id: str) -> None:
        """Answer a press on any button or select, also on one of an older release."""
        async with self._replies.to(interaction) as reply:
            if press := Press.parse(custom_id):
                await self._press_match(reply, interaction, press)
            elif page := parse_page(custom_id):
                await self._show_page(reply, interaction, page)
            elif custom_id.startswith(INERT_PREFIX):
                await reply.give(Refused(Refusal.ONLY_TO_LOOK_AT))
            else:
                await reply.give(Refused(Refusal.UNKNOWN_BUTTON))
        await self._counting.count_if_due()

    async def _show_page(self, reply: Reply, interaction: Interaction, page: Page) -> None:
        match page:
            case PrivacyPage():
                await self._answer_privacy(reply, interaction, page)
            case StatsPage():
                await self._post_stats(reply, interaction, page)
            case RankingPage():
                await self._rank(reply, interaction, page)
            case SettingsPage():
                names = [page.chosen] if page.chosen else selected_values(interaction, page.setting)
                await self._answer_settings(reply, interaction, page, names)
            case SharePage():
                await self._share(reply, interaction, page)
            case CommandButton.START:
                await self._start(reply, interaction)
            case CommandButton.MY_MATCH:
                await self._learn(reply, interaction, as_hint=True)
            case _:
                await self._teach(reply, interaction, page)

    async def _press_match(self, reply: Reply, interaction: Interaction, press: Press) -> None:
        if press.action in REMATCHES and (
            refused := self._check_cooldown(interaction) or post_refusal(interaction)
        ):
            return await reply.give(refused)
        pressed = self.services.presses.press(press, press_context(interaction))
        if press.action is MatchAction.PLAY:  # only then may the bot think for long
            outcome = await reply.wait(pressed, in_place=True)
        else:
            outcome = await pressed
        if isinstance(outcome, HintPage):
            return await self._teach(reply, interaction, outcome)
        await reply.give(outcome)
        self._counting.note(outcome)
