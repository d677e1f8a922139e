"""Dispatch of presses on buttons and selects, by their custom_ids."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.ids import INERT_PREFIX, POSTED_PREFIX, CommandButton
from bot.domain.match_actions import MatchAction, Press, RestartPage
from bot.domain.moments import MomentGuess, MomentPage
from bot.domain.privacy import PrivacyPage
from bot.domain.puzzles import PuzzlePage, SharePage
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.domain.tutorial import TutorialPage
from bot.handlers.handlers import Handlers
from bot.messaging.interactions import Interaction
from bot.messaging.replies import Replies

PAGE_PARSERS: Mapping[str, Callable[..., object]] = {
    "hint": HintPage.parse,
    "review": ReviewPage.parse,
    "retry": RetryPage.parse,
    "learn": TutorialPage.parse,
    "puzzle": PuzzlePage.parse,
    "practice": PuzzlePage.practice,
    "moment": MomentPage.parse,
    "find": MomentGuess.parse,
    "share": SharePage.parse,
    "privacy": PrivacyPage.parse,
    "stats": StatsPage.parse,
    "ranking": RankingPage.parse,
    "settings": SettingsPage.parse,
    "restart": RestartPage.parse,
    "shortcut": CommandButton.parse,
}
"""By the kind that follows `velha:` in a custom_id; a match's buttons have its id there.

Kinds are stored in messages for years, so they never change. `ButtonRouter` has a callback for
each of the classes that are parsed.
"""

_CUSTOM_ID = re.compile(r"velha:(?P<page>(?P<kind>[a-z]+):(?P<fields>.*)):[0-9]{1,2}")


class ButtonRouter:
    """Answers every press on a button or a select, also on one of an older release."""

    def __init__(self, handlers: Handlers, replies: Replies) -> None:
        self._handlers = handlers
        self._replies = replies
        self._page_callbacks: dict[type, Callable[[Interaction, Any], Awaitable[None]]] = {
            HintPage: handlers.analysis.show_hint,
            ReviewPage: handlers.analysis.show_review,
            RetryPage: handlers.analysis.show_retry,
            TutorialPage: handlers.tutorial.show_page,
            PuzzlePage: handlers.puzzles.submit,
            MomentPage: handlers.moments.post,
            MomentGuess: handlers.moments.submit,
            SharePage: handlers.puzzles.share,
            PrivacyPage: handlers.privacy.press,
            StatsPage: handlers.stats.post_stats,
            RankingPage: handlers.stats.show_ranking,
            SettingsPage: handlers.settings.press,
            RestartPage: handlers.matches.restart,
            CommandButton: self._press_command,
        }

    async def press(self, interaction: Interaction, custom_id: str) -> None:
        """Have a press answered by the handler of its kind.

        Hints are pressed on the board of a match, but answered on a page of their own.
        """
        match Press.parse(custom_id):
            case Press(action=MatchAction.HINT | MatchAction.WHY) as press:
                await self._handlers.analysis.press_hint(interaction, press)
            case Press(action=MatchAction.DESCRIBE) as press:
                await self._handlers.matches.describe(interaction, press)
            case Press(action=MatchAction.REMIND) as press:
                await self._handlers.reminders.toggle(interaction, press)
            case Press() as press:
                await self._handlers.matches.press(interaction, press)
            case None:
                await self._press_page(interaction, custom_id)

    async def _press_page(self, interaction: Interaction, custom_id: str) -> None:
        page = parse_page(custom_id)
        if page is not None:
            return await self._page_callbacks[type(page)](interaction, page)
        async with self._replies.to(interaction) as reply:
            await reply.refuse(Refusal(_refusal_reason(custom_id)))

    async def _press_command(self, interaction: Interaction, button: CommandButton) -> None:
        match button:
            case CommandButton.START:
                await self._handlers.matches.start(interaction)
            case CommandButton.MY_MATCH:
                await self._handlers.tutorial.learn_from_own_match(interaction)
            case CommandButton.LAST_MATCHES:
                await self._handlers.stats.last_matches(interaction)


def parse_page(custom_id: str) -> object | None:
    """The page to which a custom_id leads; None if it has none, or none in this release."""
    match = _CUSTOM_ID.fullmatch(custom_id)
    if match is None or match["kind"] not in PAGE_PARSERS:
        return None
    parse = PAGE_PARSERS[match["kind"]]
    try:
        page = parse(*match["fields"].split(":"))
    except (KeyError, TypeError, ValueError):  # too many fields, too few, or malformed ones
        return None
    is_ours = str(page) == match["page"]  # no other spelling of a page is ever sent
    return page if is_ours else None


def _refusal_reason(custom_id: str) -> RefusalReason:
    """Why a press leads nowhere."""
    if custom_id.startswith(POSTED_PREFIX):
        return RefusalReason.POSTED_PUZZLE
    if custom_id.startswith(INERT_PREFIX):
        return RefusalReason.ONLY_TO_LOOK_AT
    return RefusalReason.UNKNOWN_BUTTON
