"""All pages that buttons lead to, and all outcomes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.analysis import Hint, HintPage, Retry, RetryPage, Review, ReviewPage
from bot.domain.ids import CommandButton
from bot.domain.match_actions import BoardChanged, HintPlayed, ResignConfirmation
from bot.domain.matches import MatchOpened, MatchReposted, MatchStopped
from bot.domain.privacy import (
    DataDeleted,
    DataExport,
    DeletionConfirmation,
    PrivacyPage,
    PrivacySummary,
)
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, SharePage
from bot.domain.refusals import Refused
from bot.domain.settings import SettingsForm, SettingsPage
from bot.domain.stats import RankingPage, Standings, Stats, StatsPage
from bot.domain.tutorial import HintConfirmation, TutorialContent, TutorialPage

LessonPage = HintPage | ReviewPage | RetryPage | TutorialPage | PuzzlePage
"""The pages of lessons, which the engine has to think about."""

Page = LessonPage | SharePage | PrivacyPage | StatsPage | RankingPage | SettingsPage | CommandButton

_CUSTOM_ID = re.compile(r"velha:(?P<page>(?P<kind>[a-z]+):(?P<fields>.*)):[0-9]{1,2}")

_PARSERS: dict[str, Callable[..., Page]] = {
    "hint": HintPage.parse,
    "review": ReviewPage.parse,
    "retry": RetryPage.parse,
    "learn": TutorialPage.parse,
    "puzzle": PuzzlePage.parse,
    "practice": PuzzlePage.practice,
    "share": SharePage.parse,
    "privacy": PrivacyPage.parse,
    "stats": StatsPage.parse,
    "ranking": RankingPage.parse,
    "settings": SettingsPage.parse,
    "shortcut": CommandButton.parse,
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


Personal = (
    PrivacySummary
    | Stats
    | Standings
    | SettingsForm
    | DeletionConfirmation
    | DataExport
    | DataDeleted
    | Help
)
"""What only the person who asked is shown."""

Asked = ResignConfirmation | HintConfirmation
"""Questions before something that cannot be undone."""

Showable = (
    Refused
    | BoardChanged
    | MatchOpened
    | MatchReposted
    | MatchStopped
    | HintPlayed
    | Asked
    | Personal
)

Outcome = Showable | HintPage
"""A hint is an outcome too: it is then computed like any lesson, and counted once it is ready."""

Lesson = Hint | Review | Retry | DailyPuzzle | TutorialContent
