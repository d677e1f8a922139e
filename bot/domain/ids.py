"""Discord's ids, and the addresses of buttons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum

from engine import Cell

MAX_ID = 2**63 - 1

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""The moment from which ids count milliseconds, in all but their last 22 bits."""

_OTHER_BITS = 22


def time_snowflake(moment: datetime) -> int:
    """The least id that Discord gives out at a moment."""
    return (moment - EPOCH) // timedelta(milliseconds=1) << _OTHER_BITS


def snowflake_time(its_id: int) -> datetime:
    """When Discord gave out an id."""
    return EPOCH + timedelta(milliseconds=its_id >> _OTHER_BITS)


_LETTERS = "abcdefghijklmnopqrstuvwxy"


def decode_cells(text: str) -> tuple[Cell, ...]:
    """Raises ValueError where a letter names no cell."""
    return tuple(map(_LETTERS.index, text))


def encode_cells(cells: Sequence[Cell]) -> str:
    return "".join(_LETTERS[cell] for cell in cells)


class CommandButton(Enum):
    """What a button does; `MY_MATCH` teaches from one's own match, which counts as a hint."""

    START = "start"
    MY_MATCH = "mymatch"

    def __str__(self) -> str:
        return f"shortcut:{self.value}"

    @classmethod
    def parse(cls, value: str) -> CommandButton:
        return cls(value)


DELETED_CHANNEL_ID = 0
"""The channel id of a match whose server is forgotten; no channel has this id."""

DELETED_USER_ID = 0
"""The user id of a forgotten person in a match; no user of Discord has this id."""

INERT_PREFIX = "velha:still:"
"""Prefix of the custom_ids of cells that are only to be looked at. They are not disabled, because
Discord would dim them."""


def custom_id(page: object, button: int) -> str:
    """The custom_id of a button that leads to a page; `parse_page` is the inverse.

    Several buttons of a message may lead to the same page, but Discord wants their custom_ids to
    differ: `button` is a number that no other of them has.
    """
    return f"velha:{page}:{button}"
