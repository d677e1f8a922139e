"""All pages that buttons lead to, and all outcomes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.analysis import Hint, HintPage, Retry, RetryPage, Review, ReviewPage
from bot.domain.ids import Shortcut
from bot.domain.match_actions import Followed, Questioned, Shown
from bot.domain.matches import BroughtDown, Opened, Stopped
from bot.domain.privacy import DeletionQuestioned, Download, Forgotten, Kept, PrivacyPage
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, SharePage
from bot.domain.refusals import Refused
from bot.domain.settings import ServerSettings, SettingsPage
from bot.domain.stats import Ranked, RankingPage, Stats, StatsPage
from bot.domain.tutorial import LearnPage, LessonQuestioned, Minimax

LessonPage = HintPage | ReviewPage | RetryPage | LearnPage | PuzzlePage
"""The pages of lessons, which the engine has to think about."""

Page = LessonPage | SharePage | PrivacyPage | StatsPage | RankingPage | SettingsPage | Shortcut

_CUSTOM_ID = re.compile(r"velha:(?P<page>(?P<kind>[a-z]+):(?P<fields>.*)):[0-9]{1,2}")

_PARSERS: dict[str, Callable[..., Page]] = {
    "hint": HintPage.parse,
    "review": ReviewPage.parse,
    "retry": RetryPage.parse,
    "learn": LearnPage.parse,
    "puzzle": PuzzlePage.parse,
    "practice": PuzzlePage.practice,
    "share": SharePage.parse,
    "privacy": PrivacyPage.parse,
    "stats": StatsPage.parse,
    "ranking": RankingPage.parse,
    "settings": SettingsPage.parse,
    "shortcut": Shortcut.parse,
}


def parse_page(custom_id: str) -> Page | None:
    """The page that a custom_id leads to; None where it is no page's, or not of this release."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    parse = found and _PARSERS.get(found["kind"])
    if found is None or parse is None:
        return None
    try:
        page = parse(*found["fields"].split(":"))
    except (TypeError, ValueError):  # too many fields, too few, or malformed ones
        return None
    return page if str(page) == found["page"] else None


@dataclass(frozen=True, slots=True)
class Help:
    """Somebody asks for help.

    `locale` is the language of boards here, `command_id` Discord's id of `/velha` where it is
    known; the URLs are those that the host has given Discord.
    """

    locale: str
    command_id: int | None = None
    privacy_url: str | None = None
    terms_url: str | None = None


Personal = Kept | Stats | Ranked | ServerSettings | DeletionQuestioned | Download | Forgotten | Help
"""What only the person who asked is shown."""

Asked = Questioned | LessonQuestioned
"""Questions before something that cannot be undone."""

Showable = Refused | Shown | Opened | BroughtDown | Stopped | Followed | Asked | Personal

Outcome = Showable | HintPage
"""A hint is an outcome too: it is then computed like any lesson, and counted once it is ready."""

Lesson = Hint | Review | Retry | DailyPuzzle | Minimax
