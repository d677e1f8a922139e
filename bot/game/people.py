"""What is known of a person apart from matches: what they have chosen, and that they are nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

NOWHERE = 0
"""Stands for the channel of a match whose server is forgotten; no channel has this id."""

SOMEBODY = 0
"""Stands in a match for whoever does not want to be remembered; no user of Discord has this id."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody has chosen about themselves."""

    takes_challenges: bool = True


class PrivacyStep(Enum):
    """What a button about privacy asks for; to delete takes two, as to resign does."""

    SHOW = "show"
    DOWNLOAD = "download"
    REFUSE_CHALLENGES = "refuse"
    TAKE_CHALLENGES = "take"
    ASK = "ask"
    DELETE = "delete"
    ASK_FOR_SERVER = "askserver"
    DELETE_SERVER = "deleteserver"


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """What a button about privacy says. It is always about whoever presses it."""

    step: PrivacyStep = PrivacyStep.SHOW

    def __str__(self) -> str:
        return f"privacy:{self.step.value}"

    @classmethod
    def parse(cls, step: str) -> PrivacyPage:
        return cls(PrivacyStep(step))
