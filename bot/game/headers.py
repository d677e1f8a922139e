"""What the moves of a match do not say, in a text short enough for a custom_id."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.match import Ending, How, Match
from engine import Mark

_LONGEST_ID = 19
"""Digits of a Discord id, at most."""

EARLY_ENDINGS = {
    "": None,
    "rx": Ending(How.RESIGNED, winner=Mark.X),
    "ro": Ending(How.RESIGNED, winner=Mark.O),
    "tx": Ending(How.TIMED_OUT, winner=Mark.X),
    "to": Ending(How.TIMED_OUT, winner=Mark.O),
    "c": Ending(How.CALLED_OFF),
    "s": Ending(How.STOPPED),
    "l": Ending(How.LEFT),
}
"""The endings that a board does not show, by their names in custom_ids."""


@dataclass(frozen=True, slots=True)
class Headers:
    """What the moves of a match do not say: who played it, and what broke it off.

    Chess libraries call them so; PGN has them as tag pairs (Edwards, 1994, section 8.1).
    """

    x: int
    o: int
    early_ending: Ending | None = None

    @classmethod
    def of(cls, match: Match) -> Headers:
        return cls(match.x.user_id, match.o.user_id, match.early_ending)

    @property
    def loser(self) -> int | None:
        """Who resigned, or whose time ran out."""
        if self.early_ending is None or self.early_ending.winner is None:
            return None
        return self.o if self.early_ending.winner is Mark.X else self.x

    def __str__(self) -> str:
        names = {ending: name for name, ending in EARLY_ENDINGS.items()}
        return f"{names.get(self.early_ending, '')}-{self.x}-{self.o}"

    @classmethod
    def parse(cls, text: str) -> Headers:
        early_ending, x, o = text.split("-")
        if early_ending not in EARLY_ENDINGS or len(x) > _LONGEST_ID or len(o) > _LONGEST_ID:
            raise ValueError(f"no match ended like that, or was played by such: {text}")
        return cls(int(x), int(o), EARLY_ENDINGS[early_ending])
