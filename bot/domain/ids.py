"""Ids: Discord's snowflakes, and the custom_ids of buttons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum

from engine import Cell

MAX_ID = 2**63 - 1

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""Snowflakes count milliseconds from here, in all but their last 22 bits."""

_TIMESTAMP_SHIFT = 22

DELETED_CHANNEL_ID = 0
"""The channel id of a match whose server's data is deleted; no channel has this id."""

DELETED_USER_ID = 0
"""The user id of a player whose data is deleted; no user has this id."""

INERT_PREFIX = "velha:still:"
"""Prefix of the custom_ids of cells that do nothing. They are not disabled, because Discord would
dim them."""

POSTED_PREFIX = f"{INERT_PREFIX}posted:"
"""The same for the cells of a puzzle that is posted in a channel."""

_CELL_LETTERS = "abcdefghijklmnopqrstuvwxy"


def time_snowflake(time: datetime) -> int:
    """The least snowflake that Discord can create at a time."""
    return (time - EPOCH) // timedelta(milliseconds=1) << _TIMESTAMP_SHIFT


def snowflake_time(snowflake: int) -> datetime:
    """When Discord created a snowflake."""
    return EPOCH + timedelta(milliseconds=snowflake >> _TIMESTAMP_SHIFT)


def custom_id(page: object, button: int) -> str:
    """The custom_id of a button that leads to a page; `parse_page` is the inverse.

    Discord wants the custom_ids in a message to differ, also where buttons lead to the same page:
    each gets a `button` number of its own.
    """
    return f"velha:{page}:{button}"


def encode_cells(cells: Sequence[Cell]) -> str:
    """One letter per cell."""
    return "".join(_CELL_LETTERS[cell] for cell in cells)


def decode_cells(text: str) -> tuple[Cell, ...]:
    """The inverse of `encode_cells`. Raises ValueError if a character stands for no cell."""
    return tuple(map(_CELL_LETTERS.index, text))


class CommandButton(Enum):
    """A button that does what a command does: start a match, or learn from one's own match.

    `MY_MATCH` counts as a hint in that match. `LAST_MATCHES` shows those of the user who presses.
    """

    START = "start"
    MY_MATCH = "mymatch"
    LAST_MATCHES = "lastmatches"

    def __str__(self) -> str:
        return f"shortcut:{self.value}"

    @classmethod
    def parse(cls, value: str) -> CommandButton:
        return cls(value)
