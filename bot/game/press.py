"""The custom_ids of a match's buttons: they say which stored match to change, not its state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bot.game.ids import LARGEST_ID
from engine import Cell


class Verb(Enum):
    """What a press asks for. Resigning takes two presses: RESIGN, then CONCEDE to confirm it."""

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
    """A click on a button: of which match, drawn at which version, asking for what.

    `str(press)` is the button's custom_id, and `Press.parse` its inverse. `Verb.PLAY` needs a cell,
    `Verb.HINT` may have one, to explain that move, and no other verb has any.
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
    """Who pressed a button, and where; `new_id` is the id for a rematch that the press opens.

    `on_page` says that the button was not on the board but on an ephemeral message; `parent_id` is
    the channel of a thread.
    """

    user_id: int
    channel_id: int
    message_id: int
    new_id: int
    on_page: bool = False
    parent_id: int | None = None
