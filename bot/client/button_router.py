"""Dispatch of presses on buttons and selects, by their custom_ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.domain.analysis import RetryPage, ReviewPage
from bot.domain.checks import CheckPage
from bot.domain.match_actions import MatchAction, Press, RestartPage
from bot.domain.moments import MomentGuess, MomentPage
from bot.domain.pages import INERT_PREFIX, Page, Shortcut, ShortcutPage
from bot.domain.practice import MistakePage
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.puzzles import PracticePage, PuzzlePage, PuzzleWordsPage, SharePage
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.domain.tutorial import TutorialPage
from bot.features import (
    analysis,
    checks,
    matches,
    moments,
    practice,
    privacy,
    puzzles,
    ranking,
    reminders,
    settings,
    stats,
    tutorial,
)
from bot.messaging.interactions import check_board, check_post
from bot.messaging.reply import Answer
from bot.runtime.context import Context
from bot.runtime.frame import Route

PAGES: Sequence[type[Page]] = (
    ReviewPage,
    RetryPage,
    MistakePage,
    TutorialPage,
    PuzzlePage,
    PracticePage,
    PuzzleWordsPage,
    MomentPage,
    MomentGuess,
    SharePage,
    PrivacyPage,
    StatsPage,
    RankingPage,
    SettingsPage,
    CheckPage,
    RestartPage,
    ShortcutPage,
)
"""All pages that buttons lead to. There is a route for each."""

_PAGES_BY_KIND = {page_class.kind: page_class for page_class in PAGES}

START = Route(matches.start, Answer.POST, has_cooldown=True, check_place=check_board)

_PRESS = Route(matches.press, Answer.BOARD)
_REMATCH = Route(matches.rematch, Answer.POST, has_cooldown=True, check_place=check_post)
_HINT = Route(matches.hint)

BOARD_ROUTES: Mapping[MatchAction, Route] = {
    MatchAction.PLAY: _PRESS,
    MatchAction.ACCEPT: _PRESS,
    MatchAction.DECLINE: _PRESS,
    MatchAction.CANCEL: _PRESS,
    MatchAction.JOIN: _PRESS,
    MatchAction.REMATCH: _REMATCH,
    MatchAction.EASIER: _REMATCH,
    MatchAction.HARDER: _REMATCH,
    MatchAction.RESIGN: Route(matches.ask_to_resign),
    MatchAction.HINT: _HINT,
    MatchAction.DESCRIBE: Route(matches.describe),
    MatchAction.REMIND: Route(reminders.toggle),
}
"""What answers a press on a button of a board."""

PAGE_ROUTES: Mapping[MatchAction, Route] = {
    MatchAction.PLAY: Route(matches.play_from_hint),
    MatchAction.HINT: _HINT,
    MatchAction.WHY: _HINT,
    MatchAction.CONCEDE: Route(matches.concede),
    MatchAction.REMATCH: _REMATCH,
}
"""What answers a press on a button of a match on a page: a hint, a review, or a question."""

ROUTES: Mapping[type[Page] | Page, Route] = {
    ReviewPage: Route(analysis.show_review, newest_only=True),
    RetryPage: Route(analysis.show_retry, newest_only=True),
    MistakePage: Route(practice.practise, newest_only=True),
    TutorialPage: Route(tutorial.show_page, newest_only=True),
    SettingsPage: Route(settings.press),
    CheckPage: Route(checks.check, has_cooldown=True, newest_only=True),
    MomentPage: Route(moments.ask, Answer.POST, has_cooldown=True, check_place=check_board),
    MomentGuess: Route(moments.guess, newest_only=True),
    PuzzlePage: Route(puzzles.show, newest_only=True),
    PracticePage: Route(puzzles.show, newest_only=True),
    PuzzleWordsPage: Route(puzzles.describe),
    SharePage: Route(puzzles.share, Answer.POST, has_cooldown=True, check_place=check_board),
    PrivacyPage: Route(privacy.press),
    PrivacyPage(PrivacyAction.DOWNLOAD): Route(privacy.download, has_cooldown=True),
    StatsPage: Route(stats.post, Answer.POST, has_cooldown=True, check_place=check_board),
    RankingPage: Route(ranking.ranking),
    RestartPage: Route(matches.restart, Answer.POST, has_cooldown=True, check_place=check_board),
    ShortcutPage(Shortcut.START): START,
    ShortcutPage(Shortcut.LAST_MATCHES): Route(stats.last_matches),
    ShortcutPage(Shortcut.STATS): Route(stats.own_stats),
}
"""What answers a press on a button or a select that leads to a page: to one, whose function needs
not be told which, or to any of a class."""

_CUSTOM_ID = re.compile(r"velha:(?P<kind>[a-z]+):(?P<fields>.*):[0-9]{1,2}")


def find_route(
    custom_id: str, *, on_page: bool = False
) -> tuple[Route, tuple[Press | Page | str, ...]]:
    """Find what answers a press on a button or a select, of a board or a page.

    Returns:
        A route, and what its function is told beside the context.
    """
    if press := Press.parse(custom_id):
        routes = PAGE_ROUTES if on_page else BOARD_ROUTES
        route = routes.get(press.action)
        return (route, (press,)) if route else (Route(_refuse), (custom_id,))
    page = parse_page(custom_id)
    if page is None:
        return Route(_refuse), (custom_id,)
    if route := ROUTES.get(page):
        return route, ()
    return ROUTES[type(page)], (page,)


def parse_page(custom_id: str) -> Page | None:
    """The page to which a custom_id leads; None if it has none, or none in this release."""
    match = _CUSTOM_ID.fullmatch(custom_id)
    if match is None or match["kind"] not in _PAGES_BY_KIND:
        return None
    try:
        return _PAGES_BY_KIND[match["kind"]].parse(match["fields"].split(":"))
    except ValueError:
        return None


async def _refuse(_context: Context, custom_id: str) -> None:
    """Say why a press leads nowhere."""
    if custom_id.startswith(INERT_PREFIX):
        raise Refused(RefusalReason.ONLY_TO_LOOK_AT)
    raise Refused(RefusalReason.UNKNOWN_BUTTON)
