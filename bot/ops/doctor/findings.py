"""What a check finds, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import URL

from bot.exits import exit_because_of


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has found: all is well, or what to do.

    Attributes:
        check: What was checked, in a word.
        sentence: What was found.
        needs_you: Whether there is something to do.
        exit_code: With what a start would end because of it; 0 if it would go on.
    """

    check: str
    sentence: str
    needs_you: bool = False
    exit_code: int = 0

    @property
    def state(self) -> str:
        if self.exit_code:
            return "wrong"
        return "look" if self.needs_you else "well"


def look(check: str, sentence: str) -> Finding:
    return Finding(check, sentence, needs_you=True)


def wrong(check: str, sentence: str, exit_code: int) -> Finding:
    return Finding(check, sentence, needs_you=True, exit_code=exit_code)


def because_of(check: str, error: Exception, database: URL) -> Finding:
    """What a start says of an error, and how it ends."""
    ending = exit_because_of(error, database)
    return wrong(check, ending.sentence, ending.code)


def length_of(time: timedelta) -> str:
    hours = time // timedelta(hours=1)
    return f"{hours} hours" if hours < 72 else f"{hours // 24} days"
