"""What a button says: a press is an address in the database, never the truth itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bot.game.ids import LARGEST_ID
from engine import Cell


class Verb(Enum):
    """What a press asks for; to resign takes two: the second says that the first was meant."""

    PLAY = "play"
    HINT = "hint"
    RESIGN = "resign"
    CONCEDE = "concede"
    REMATCH = "rematch"
    EASIER = "easier"
    HARDER = "harder"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    JOIN = "join"


REMATCHES = (Verb.REMATCH, Verb.EASIER, Verb.HARDER)
_OF_A_CELL = (Verb.PLAY, Verb.HINT)

_CUSTOM_ID = re.compile(
    r"velha:(?P<match_id>[0-9]{1,19}):(?P<version>[0-9]{1,9}):"
    rf"(?P<verb>{'|'.join(verb.value for verb in Verb)})(?::(?P<cell>[0-9]{{1,2}}))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A click on a button: of which match, as drawn at which version, asking for what.

    `str(press)` is the button's custom_id, and `Press.parse` its inverse. A cell comes with
    `Verb.PLAY`, may come with `Verb.HINT`, to know more of it, and comes with nothing else.
    """

    match_id: int
    version: int
    verb: Verb
    cell: Cell | None = None

    def __str__(self) -> str:
        text = f"velha:{self.match_id}:{self.version}:{self.verb.value}"
        return text if self.cell is None else f"{text}:{self.cell}"

    @classmethod
    def parse(cls, custom_id: str) -> Press | None:
        """Read a custom_id; None where it is not one of ours, or not of this release."""
        found = _CUSTOM_ID.fullmatch(custom_id)
        if found is None:
            return None
        verb = Verb(found["verb"])
        cell = None if found["cell"] is None else int(found["cell"])
        match_id = int(found["match_id"])
        has_its_cell = verb is not Verb.PLAY if cell is None else verb in _OF_A_CELL
        if match_id > LARGEST_ID or not has_its_cell:
            return None
        return cls(match_id, int(found["version"]), verb, cell)


@dataclass(frozen=True, slots=True)
class Presser:
    """Who pressed a button, and where; `new_id` is free for a match that follows from it.

    `on_page` says that it was on a lesson, which one person sees, and not on the board; `parent_id`
    is the channel that a thread is part of.
    """

    user_id: int
    channel_id: int
    message_id: int
    new_id: int
    on_page: bool = False
    parent_id: int | None = None
