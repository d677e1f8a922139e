"""How two people stand against each other."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Result(Enum):
    """What a match came to for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class Duel(NamedTuple):
    """The matches of two people with a result, as the first of them sees it."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return sum(self)

    @property
    def turned(self) -> Duel:
        """As the second of them sees it."""
        return Duel(self.lost, self.drawn, self.won)

    def after(self, result: Result) -> Duel:
        """Once the first of them has one more."""
        return Duel(*(n + (result is one) for n, one in zip(self, Result, strict=True)))

    def __str__(self) -> str:
        return "-".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Duel:
        """Raises ValueError where a text is no duel's."""
        won, drawn, lost = map(int, text.split("-"))
        return cls(won, drawn, lost)
