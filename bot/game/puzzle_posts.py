"""The daily puzzle as it is posted in a server's channel, with yesterday's results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.game.match import Place

MOST_FAILURES = 3
"""After this many days in a row the bot gives up, until the server chooses a channel again."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Somebody's attempt of yesterday: its tries (None if unsolved), and the streak."""

    user_id: int
    tries: int | None
    streak: int


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A post that is to be made, and where; `nonce` is the same in every process that makes it."""

    place: Place
    day: date
    yesterday: tuple[Finished, ...] = ()

    @property
    def nonce(self) -> str:
        return f"{self.place.guild_id}{self.day.toordinal()}"
