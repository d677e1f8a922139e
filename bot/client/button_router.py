"""Dispatch of presses on buttons and selects, by their custom_ids."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.ids import INERT_PREFIX, POSTED_PREFIX, CommandButton
from bot.domain.match_actions import MatchAction, Press, RestartPage
from bot.domain.moments import MomentPage, MomentTry
from bot.domain.privacy import PrivacyPage
from bot.domain.puzzles import PuzzlePage, SharePage
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.domain.tutorial import TutorialPage
from bot.handlers.handlers import Handlers
from bot.messaging.interactions import Interaction
from bot.messaging.replies import Replies

Callback = Callable[[Interaction, Any], Awaitable[None]]


class Route(NamedTuple):
    """How a kind of custom_id is parsed, and which handler's method answers its presses."""

    parse: Callable[..., object]
    callback: Callable[[Handlers], Callback]


ROUTES: Mapping[str, Route] = {
    "hint": Route(HintPage.parse, lambda handlers: handlers.analysis.show_hint),
    "review": Route(ReviewPage.parse, lambda handlers: handlers.analysis.show_review),
    "retry": Route(RetryPage.parse, lambda handlers: handlers.analysis.show_retry),
    "learn": Route(TutorialPage.parse, lambda handlers: handlers.tutorial.show_page),
    "puzzle": Route(PuzzlePage.parse, lambda handlers: handlers.puzzles.submit),
    "practice": Route(PuzzlePage.practice, lambda handlers: handlers.puzzles.submit),
    "moment": Route(MomentPage.parse, lambda handlers: handlers.moments.post),
    "find": Route(MomentTry.parse, lambda handlers: handlers.moments.submit),
    "share": Route(SharePage.parse, lambda handlers: handlers.puzzles.share),
    "privacy": Route(PrivacyPage.parse, lambda handlers: handlers.privacy.press),
    "stats": Route(StatsPage.parse, lambda handlers: handlers.stats.post_stats),
    "ranking": Route(RankingPage.parse, lambda handlers: handlers.stats.show_ranking),
    "settings": Route(SettingsPage.parse, lambda handlers: handlers.settings.press),
    "restart": Route(RestartPage.parse, lambda handlers: handlers.matches.restart),
    "shortcut": Route(CommandButton.parse, lambda handlers: partial(_press_command, handlers)),
}
"""By the kind that follows `velha:` in a custom_id; a match's buttons have its id there."""

_CUSTOM_ID = re.compile(r"velha:(?P<page>(?P<kind>[a-z]+):(?P<fields>.*)):[0-9]{1,2}")


def parse_page(custom_id: str) -> tuple[Route, object] | None:
    """The route and the page of a custom_id; None if it has none, or none in this release."""
    match = _CUSTOM_ID.fullmatch(custom_id)
    if match is None or match["kind"] not in ROUTES:
        return None
    route = ROUTES[match["kind"]]
    try:
        page = route.parse(*match["fields"].split(":"))
    except (KeyError, TypeError, ValueError):  # too many fields, too few, or malformed ones
        return None
    return (route, page) if str(page) == match["page"] else None


class ButtonRouter:
    """Answers every press on a button or a select, also on one of an older release."""

    def __init__(self, handlers: Handlers, replies: Replies) -> None:
        self._handlers = handlers
        self._replies = replies

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
        if parsed := parse_page(custom_id):
            route, page = parsed
            return await route.callback(self._handlers)(interaction, page)
        async with self._replies.to(interaction) as reply:
            await reply.refuse(Refusal(_refusal_reason(custom_id)))


def _refusal_reason(custom_id: str) -> RefusalReason:
    """Why a press leads nowhere."""
    if custom_id.startswith(POSTED_PREFIX):
        return RefusalReason.POSTED_PUZZLE
    if custom_id.startswith(INERT_PREFIX):
        return RefusalReason.ONLY_TO_LOOK_AT
    return RefusalReason.UNKNOWN_BUTTON


async def _press_command(
    handlers: Handlers, interaction: Interaction, button: CommandButton
) -> None:
    match button:
        case CommandButton.START:
            await handlers.matches.start(interaction)
        case CommandButton.MY_MATCH:
            await handlers.tutorial.learn_from_own_match(interaction)
        case CommandButton.LAST_MATCHES:
            await handlers.stats.last_matches(interaction)
