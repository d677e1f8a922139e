"""Moments: the position where a match turned, shown to everybody to find the better move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.domain.matches import MAX_BOARD_SIZE, Match, Place
from bot.domain.pages import Page
from engine import Board, Cell, Record


@dataclass(frozen=True, slots=True)
class MomentPage(Page):
    """A request to show where a game turned; its match is looked up when the button is pressed."""

    kind = "moment"

    record: Record


@dataclass(frozen=True, slots=True)
class MomentTry(Page):
    """A try at the better move in the moment of a match."""

    kind = "find"

    match_id: int
    cell: Cell

    def check(self) -> None:
        if self.cell not in range(MAX_BOARD_SIZE**2):
            raise ValueError(f"no board has this cell: {self.cell}")


class TryCount(NamedTuple):
    """How many people have tried, and how many of them were right at the first try."""

    total: int = 0
    correct: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """The position of a match before its decisive mistake.

    Attributes:
        match: The match.
        ply: The ply at which the mistake was made.
        message_id: The message that shows the position; None until it is posted.
        count: How many people have tried.
    """

    match: Match
    ply: int
    message_id: int | None = None
    count: TryCount = TryCount()

    @property
    def board(self) -> Board:
        return self.match.record.boards[self.ply - 1]

    @property
    def place(self) -> Place:
        """The channel, with the message that shows the moment."""
        return replace(self.match.place, message_id=self.message_id)
