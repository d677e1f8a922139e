"""The puzzle of a day as a server finds it in its channel, with what came of yesterday's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.game.match import Place

MOST_FAILURES = 3
"""After so many in a row the bot stops; to choose the channel again begins anew."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Somebody's attempt of yesterday: how many tries it took, if it was solved, and the streak."""

    user_id: int
    tries: int | None
    streak: int


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A post that is to be made, and where; its nonce is the same whoever makes it."""

    place: Place
    day: date
    yesterday: tuple[Solved, ...] = ()

    @property
    def nonce(self) -> str:
        return f"{self.place.guild_id}{self.day.toordinal()}"
