"""Privacy: people's choices, and seeing, downloading and deleting what is stored about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from bot.domain.pages import Page

COPIES_KEPT_FOR = timedelta(days=28)
"""How long copies of the database are kept, and records of deletions to repeat on them."""


@dataclass(frozen=True, slots=True)
class PrivacyChoices:
    """A person's choices. Hidden people are on no leaderboard, and only they see their results.

    `wants_reminders` applies to all matches with people.
    """

    takes_challenges: bool = True
    is_hidden: bool = False
    wants_reminders: bool = False


class PrivacyAction(Enum):
    """What a privacy button does. Deleting takes two presses: ASK_TO_DELETE, then DELETE."""

    SHOW = "show"
    DOWNLOAD = "download"
    REFUSE_CHALLENGES = "refuse"
    TAKE_CHALLENGES = "take"
    HIDE = "hide"
    UNHIDE = "unhide"
    REMIND = "remind"
    REMIND_NO_MORE = "unremind"
    ASK_TO_DELETE = "ask"
    DELETE = "delete"
    ASK_TO_DELETE_SERVER = "askserver"
    DELETE_SERVER = "deleteserver"


CHOICES_BY_ACTION: Mapping[PrivacyAction, Mapping[str, bool]] = {
    PrivacyAction.REFUSE_CHALLENGES: {"takes_challenges": False},
    PrivacyAction.TAKE_CHALLENGES: {"takes_challenges": True},
    PrivacyAction.HIDE: {"is_hidden": True},
    PrivacyAction.UNHIDE: {"is_hidden": False},
    PrivacyAction.REMIND: {"wants_reminders": True},
    PrivacyAction.REMIND_NO_MORE: {"wants_reminders": False},
}
"""The fields of `PrivacyChoices` that each button sets."""


@dataclass(frozen=True, slots=True)
class PrivacyPage(Page):
    """The page of a privacy button, which is about the person who presses it."""

    kind = "privacy"

    action: PrivacyAction = PrivacyAction.SHOW


@dataclass(frozen=True, slots=True)
class PrivacySummary:
    """A person's choices, with what they can do about their data.

    Matches are kept for `keep_days`. `runs_server` says that they may also delete the data of the
    server that they are in; `policy_url` is the one that the host has given Discord.
    """

    choices: PrivacyChoices
    keep_days: int
    runs_server: bool = False
    policy_url: str | None = None
