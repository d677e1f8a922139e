"""What answers each command, and each press on a button or a select, by its custom_id."""

from __future__ import annotations

import re
from collections.abc import Mapping

from discord.app_commands import (
    AppCommandError,
    CommandNotFound,
    CommandSignatureMismatch,
    TransformerError,
)

from bot.domain.analysis import ReviewPage
from bot.domain.checks import CheckPage
from bot.domain.match_actions import (
    ConcedePage,
    HintMovePage,
    HintPage,
    MatchAction,
    Press,
    RematchPage,
    RestartPage,
)
from bot.domain.mistakes import MistakePage
from bot.domain.moments import MomentPage, MomentTry
from bot.domain.pages import INERT_PREFIX, Page, Shortcut, ShortcutPage
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.private import PrivatePage
from bot.domain.puzzles import (
    AnotherPage,
    PracticePage,
    PuzzlePage,
    PuzzleWordsPage,
    SharePage,
    WarmUpPage,
)
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import SettingsPage
from bot.domain.stats import RankingPage, StatsPage
from bot.domain.tutorial import TutorialPage
from bot.features import (
    analysis,
    checks,
    matches,
    mistakes,
    moments,
    privacy,
    private,
    puzzles,
    ranking,
    reminders,
    settings,
    stats,
    tutorial,
)
from bot.features.help import show_help
from bot.messaging.interactions import check_board, check_post
from bot.messaging.reply import Answer
from bot.runtime.context import Context
from bot.runtime.frame import Route


async def _refuse_button(_context: Context, custom_id: str) -> None:
    """Say why a press leads nowhere."""
    if custom_id.startswith(INERT_PREFIX):
        raise Refused(RefusalReason.ONLY_TO_LOOK_AT)
    raise Refused(RefusalReason.UNKNOWN_BUTTON)


async def _refuse_command(_context: Context, error: AppCommandError) -> None:
    """Refuse a command of another release, or an option of the wrong type."""
    if not isinstance(error, CommandNotFound | CommandSignatureMismatch | TransformerError):
        raise error
    raise Refused(RefusalReason.UNKNOWN_OPTION)


_START = Route("start", matches.start, Answer.POST, has_cooldown=True, check_place=check_board)
_STATS = Route("stats", stats.show)
_RANKING = Route("ranking", ranking.show)
_ANSWER = Route("answer", matches.press, Answer.BOARD)
_REMATCH = Route("rematch", matches.rematch, Answer.POST, has_cooldown=True, check_place=check_post)

ROUTES: Mapping[str | MatchAction | type[Page] | Page, Route] = {
    # Commands, and what discord.py or `find_route` does not know
    "start": _START,
    "board": Route("board", matches.repost, Answer.POST, has_cooldown=True, check_place=check_post),
    "stop": Route("stop", matches.stop_here),
    "review": Route("review", analysis.review, has_cooldown=True, newest_only=True),
    "replay": Route("replay", analysis.replay, has_cooldown=True, newest_only=True),
    "puzzle": Route("puzzle", puzzles.show_day, has_cooldown=True, newest_only=True),
    "learn": Route("learn", tutorial.learn, has_cooldown=True, newest_only=True),
    "settings": Route("settings", settings.show),
    "help": Route("help", show_help),
    "privacy": Route("privacy", privacy.show),
    "stats": _STATS,
    "ranking": _RANKING,
    "unknown command": Route("unknown_command", _refuse_command),
    "unknown button": Route("unknown_button", _refuse_button),
    # Buttons of boards
    MatchAction.PLAY: Route("play", matches.press, Answer.BOARD),
    MatchAction.ACCEPT: _ANSWER,
    MatchAction.DECLINE: _ANSWER,
    MatchAction.CANCEL: _ANSWER,
    MatchAction.JOIN: Route("join", matches.press, Answer.BOARD),
    MatchAction.REMATCH: _REMATCH,
    MatchAction.EASIER: _REMATCH,
    MatchAction.NEXT: _REMATCH,
    MatchAction.CHALLENGE: Route(
        "challenge_again",
        matches.challenge_again,
        Answer.POST,
        has_cooldown=True,
        check_place=check_board,
    ),
    MatchAction.RESIGN: Route("resign", matches.ask_to_resign),
    MatchAction.HINT: Route("hint", matches.hint),
    MatchAction.DESCRIBE: Route("describe", matches.describe),
    MatchAction.REMIND: Route("remind", reminders.toggle),
    # Pages
    HintPage: Route("explain_hint", matches.explain_hint),
    HintMovePage: Route("play_from_hint", matches.play_from_hint),
    ConcedePage: Route("concede", matches.concede),
    RematchPage: Route(
        "rematch_from_review",
        matches.rematch_from_review,
        Answer.POST,
        has_cooldown=True,
        check_place=check_post,
    ),
    ReviewPage: Route("review_page", analysis.show_review, newest_only=True),
    MistakePage: Route("mistakes", mistakes.show, newest_only=True),
    PrivatePage: Route("private", private.show, newest_only=True),
    TutorialPage: Route("learn_page", tutorial.show_page, newest_only=True),
    SettingsPage: Route("settings_page", settings.press),
    CheckPage: Route("check", checks.check, has_cooldown=True, newest_only=True),
    MomentPage: Route(
        "moment", moments.ask, Answer.POST, has_cooldown=True, check_place=check_board
    ),
    MomentTry: Route("moment_try", moments.try_cell, newest_only=True),
    PuzzlePage: Route("puzzle_page", puzzles.show, newest_only=True),
    PracticePage: Route("practice", puzzles.show, newest_only=True),
    WarmUpPage: Route("warm_up", puzzles.show, newest_only=True),
    AnotherPage: Route("another_puzzle", puzzles.show_another, newest_only=True),
    PuzzleWordsPage: Route("describe_puzzle", puzzles.describe),
    SharePage: Route(
        "share_puzzle", puzzles.share, Answer.POST, has_cooldown=True, check_place=check_board
    ),
    PrivacyPage: Route("privacy_page", privacy.press),
    PrivacyPage(PrivacyAction.DOWNLOAD): Route("download", privacy.download, has_cooldown=True),
    StatsPage: Route(
        "share_stats", stats.post, Answer.POST, has_cooldown=True, check_place=check_board
    ),
    RankingPage: _RANKING,
    RestartPage: Route(
        "restart", matches.restart, Answer.POST, has_cooldown=True, check_place=check_board
    ),
    ShortcutPage(Shortcut.START): _START,
    ShortcutPage(Shortcut.LAST_MATCHES): Route("last_matches", stats.show_last_matches),
    ShortcutPage(Shortcut.STATS): _STATS,
    ShortcutPage(Shortcut.PUZZLE): Route("puzzle_of_day", puzzles.show_day, newest_only=True),
}
"""By a command's name, a board's button, a class of pages, or a single page.

The function of a class of pages is told which page it is.
"""

PAGES = {
    key if isinstance(key, type) else type(key)
    for key in ROUTES
    if not isinstance(key, str | MatchAction)
}
"""All that buttons lead to."""

_PAGES_BY_KIND = {page_class.kind: page_class for page_class in PAGES}

ROUTE_NAMES = sorted({route.name for route in ROUTES.values()})

_CUSTOM_ID = re.compile(r"velha:(?P<kind>[a-z]+):(?P<fields>.*):[0-9]{1,2}")


def find_route(custom_id: str) -> tuple[Route, tuple[Press | Page | str, ...]]:
    """Find what answers a press on a button or a select, of a board or a page.

    Returns:
        A route, and what its function is told beside the context.
    """
    if press := Press.parse(custom_id):
        return ROUTES[press.action], (press,)
    page = parse_page(custom_id)
    if page is None:
        return ROUTES["unknown button"], (custom_id,)
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
