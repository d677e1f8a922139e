"""What people choose about themselves, and what they can see, download and delete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.domain.matches import Match


@dataclass(frozen=True, slots=True)
class PrivacyChoices:
    """What somebody has chosen about themselves.

    Hidden people appear in no list, and nobody else sees their results.
    """

    takes_challenges: bool = True
    is_hidden: bool = False


class PrivacyAction(Enum):
    """What a button about privacy asks for. Deleting takes two presses: ASK, then DELETE."""

    SHOW = "show"
    DOWNLOAD = "download"
    REFUSE_CHALLENGES = "refuse"
    TAKE_CHALLENGES = "take"
    HIDE = "hide"
    SHOW_ME = "unhide"
    ASK = "ask"
    DELETE = "delete"
    ASK_FOR_SERVER = "askserver"
    DELETE_SERVER = "deleteserver"


CHOICES_BY_ACTION: Mapping[PrivacyAction, Mapping[str, bool]] = {
    PrivacyAction.REFUSE_CHALLENGES: {"takes_challenges": False},
    PrivacyAction.TAKE_CHALLENGES: {"takes_challenges": True},
    PrivacyAction.HIDE: {"is_hidden": True},
    PrivacyAction.SHOW_ME: {"is_hidden": False},
}
"""The fields of `PrivacyChoices` that each button sets."""


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """The page of a button about privacy: always the privacy of the person who presses it."""

    step: PrivacyAction = PrivacyAction.SHOW

    def __str__(self) -> str:
        return f"privacy:{self.step.value}"

    @classmethod
    def parse(cls, step: str) -> PrivacyPage:
        return cls(PrivacyAction(step))


@dataclass(frozen=True, slots=True)
class PrivacySummary:
    """Somebody asks what is kept about them.

    Those who run the server that they are in may also have the server forgotten.
    """

    choices: PrivacyChoices
    runs_server: bool = False


@dataclass(frozen=True, slots=True)
class DeletionConfirmation:
    """Somebody wants themselves or the server forgotten, and is asked whether they mean it."""

    of_server: bool


@dataclass(frozen=True, slots=True)
class DataExport:
    """All that is kept about somebody, as JSON; packed with gzip where it is large."""

    content: bytes
    is_packed: bool


@dataclass(frozen=True, slots=True)
class DataDeleted:
    """Somebody, or a server, is forgotten; `also` are the live matches that this ended."""

    also: tuple[Match, ...]
