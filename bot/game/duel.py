"""The results of two people against each other."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Result(Enum):
    """The result of a match for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class Duel(NamedTuple):
    """How many matches the first of two people has won, drawn and lost against the second."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return sum(self)

    @property
    def turned(self) -> Duel:
        """The same duel from the second person's side."""
        return Duel(self.lost, self.drawn, self.won)

    def after(self, result: Result) -> Duel:
        """The duel with one more result of the first person's."""
        return Duel(*(n + (result is one) for n, one in zip(self, Result, strict=True)))

    def __str__(self) -> str:
        return "-".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Duel:
        """Raises ValueError where the text is malformed."""
        won, drawn, lost = map(int, text.split("-"))
        return cls(won, drawn, lost)
