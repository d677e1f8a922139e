"""What is known of a person apart from matches: what they have chosen, and that they are nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.game.ids import LARGEST_ID

NOWHERE = 0
"""Stands for the channel of a match whose server is forgotten; no channel has this id."""

SOMEBODY = 0
"""Stands in a match for whoever does not want to be remembered; no user of Discord has this id."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody has chosen about themselves.

    Whoever is hidden is in no list, and nobody else sees their results.
    """

    takes_challenges: bool = True
    is_hidden: bool = False


class PrivacyStep(Enum):
    """What a button about privacy asks for; to delete takes two, as to resign does."""

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
"""What the buttons choose: the fields of `Choices`."""


@dataclass(frozen=True, slots=True)
class StatsPage:
    """What a button says that shows everybody in the channel somebody's results."""

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
    """What a button about privacy says. It is always about whoever presses it."""

    step: PrivacyStep = PrivacyStep.SHOW

    def __str__(self) -> str:
        return f"privacy:{self.step.value}"

    @classmethod
    def parse(cls, step: str) -> PrivacyPage:
        return cls(PrivacyStep(step))
