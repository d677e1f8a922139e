"""Dispatch of presses on buttons and selects, by their custom_ids."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.match_actions import MatchAction, Press, RestartPage
from bot.domain.moments import MomentGuess, MomentPage
from bot.domain.pages import INERT_PREFIX, POSTED_PREFIX, Page, Shortcut, ShortcutPage
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.puzzles import PracticePage, PuzzlePage, SharePage
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.domain.tutorial import TutorialPage
from bot.features import (
    analysis,
    moments,
    privacy,
    puzzles,
    ranking,
    reminders,
    settings,
    stats,
    tutorial,
)
from bot.handlers.handlers import Handlers
from bot.messaging.interactions import Interaction, board_refusal
from bot.messaging.replies import Replies
from bot.runtime.frame import Frame, Route

PAGES: Sequence[type[Page]] = (
    HintPage,
    ReviewPage,
    RetryPage,
    TutorialPage,
    PuzzlePage,
    PracticePage,
    MomentPage,
    MomentGuess,
    SharePage,
    PrivacyPage,
    StatsPage,
    RankingPage,
    SettingsPage,
    RestartPage,
    ShortcutPage,
)
"""All pages that buttons lead to. There is a route or a callback for each."""

_PAGES_BY_KIND = {page_class.kind: page_class for page_class in PAGES}

ROUTES: Mapping[type[Page] | Page, Route] = {
    HintPage: Route(analysis.show_hint, newest_only=True),
    ReviewPage: Route(analysis.show_review, newest_only=True),
    RetryPage: Route(analysis.show_retry, newest_only=True),
    TutorialPage: Route(tutorial.show_page, newest_only=True),
    SettingsPage: Route(settings.press),
    MomentPage: Route(moments.ask, has_cooldown=True, check_place=board_refusal),
    MomentGuess: Route(moments.guess, newest_only=True),
    PuzzlePage: Route(puzzles.show, newest_only=True),
    PracticePage: Route(puzzles.show, newest_only=True),
    SharePage: Route(puzzles.share, has_cooldown=True, check_place=board_refusal),
    PrivacyPage: Route(privacy.press),
    PrivacyPage(PrivacyAction.DOWNLOAD): Route(privacy.download, has_cooldown=True),
    StatsPage: Route(stats.post, has_cooldown=True, check_place=board_refusal),
    RankingPage: Route(ranking.ranking),
}
"""What answers a press on a button or a select that leads to a page: to that one, or any of its
class."""

PageCallback = Callable[[Interaction, Any], Awaitable[None]]

_CUSTOM_ID = re.compile(r"velha:(?P<kind>[a-z]+):(?P<fields>.*):[0-9]{1,2}")


class ButtonRouter:
    """Answers every press on a button or a select, also on one of an older release."""

    def __init__(self, frame: Frame, handlers: Handlers, replies: Replies) -> None:
        self._frame = frame
        self._handlers = handlers
        self._replies = replies
        self._page_callbacks: dict[type[Page], PageCallback] = {
            RestartPage: handlers.matches.restart,
            ShortcutPage: self._press_shortcut,
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
                await self._frame.run(interaction, Route(reminders.toggle), press)
            case Press() as press:
                await self._handlers.matches.press(interaction, press)
            case None:
                await self._press_page(interaction, custom_id)

    async def _press_page(self, interaction: Interaction, custom_id: str) -> None:
        page = parse_page(custom_id)
        if page is None:
            async with self._replies.to(interaction) as reply:
                return await reply.refuse(Refusal(_refusal_reason(custom_id)))
        if route := ROUTES.get(page) or ROUTES.get(type(page)):
            return await self._frame.run(interaction, route, page)
        await self._page_callbacks[type(page)](interaction, page)

    async def _press_shortcut(self, interaction: Interaction, page: ShortcutPage) -> None:
        match page.command:
            case Shortcut.START:
                await self._handlers.matches.start(interaction)
            case Shortcut.MY_MATCH:
                await self._frame.run(interaction, Route(tutorial.learn_from_own_match))
            case Shortcut.LAST_MATCHES:
                await self._frame.run(interaction, Route(stats.last_matches))


def parse_page(custom_id: str) -> Page | None:
    """The page to which a custom_id leads; None if it has none, or none in this release."""
    match = _CUSTOM_ID.fullmatch(custom_id)
    if match is None or match["kind"] not in _PAGES_BY_KIND:
        return None
    try:
        return _PAGES_BY_KIND[match["kind"]].parse(match["fields"].split(":"))
    except ValueError:
        return None


def _refusal_reason(custom_id: str) -> RefusalReason:
    """Why a press leads nowhere."""
    if custom_id.startswith(POSTED_PREFIX):
        return RefusalReason.POSTED_PUZZLE
    if custom_id.startswith(INERT_PREFIX):
        return RefusalReason.ONLY_TO_LOOK_AT
    return RefusalReason.UNKNOWN_BUTTON
