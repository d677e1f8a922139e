"""What people choose about themselves, and the ids that stand for what is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.game.ids import LARGEST_ID

NOWHERE = 0
"""The channel id of a match whose server is forgotten; no channel has this id."""

SOMEBODY = 0
"""The user id of a forgotten person in a match; no user of Discord has this id."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody has chosen about themselves.

    Hidden people appear in no list, and nobody else sees their results.
    """

    takes_challenges: bool = True
    is_hidden: bool = False


class PrivacyStep(Enum):
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


CHOICES: Mapping[PrivacyStep, Mapping[str, bool]] = {
    PrivacyStep.REFUSE_CHALLENGES: {"takes_challenges": False},
    PrivacyStep.TAKE_CHALLENGES: {"takes_challenges": True},
    PrivacyStep.HIDE: {"is_hidden": True},
    PrivacyStep.SHOW_ME: {"is_hidden": False},
}
"""The fields of `Choices` that each button sets."""


@dataclass(frozen=True, slots=True)
class StatsPage:
    """The page of a button that shows somebody's results to everybody in the channel."""

    of: int

    def __str__(self) -> str:
        return f"stats:{self.of}"

    @classmethod
    def parse(cls, of: str) -> StatsPage:
        page = cls(int(of))
        if not 0 <= page.of <= LARGEST_ID:
            raise ValueError(f"no user of Discord has this id: {of}")
        return page


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """The page of a button about privacy: always the privacy of the person who presses it."""

    step: PrivacyStep = PrivacyStep.SHOW

    def __str__(self) -> str:
        return f"privacy:{self.step.value}"

    @classmethod
    def parse(cls, step: str) -> PrivacyPage:
        return cls(PrivacyStep(step))
