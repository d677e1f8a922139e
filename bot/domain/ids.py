"""Ids: Discord's snowflakes, and cells as letters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from engine import Cell

MAX_ID = 2**63 - 1

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""Snowflakes count milliseconds from here, in all but their last 22 bits."""

_TIMESTAMP_SHIFT = 22

DELETED_CHANNEL_ID = 0
"""The channel id of a match whose server's data is deleted; no channel has this id."""

DELETED_USER_ID = 0
"""The user id of a player whose data is deleted; no user has this id."""

_CELL_LETTERS = "abcdefghijklmnopqrstuvwxy"


def time_snowflake(time: datetime) -> int:
    """The least snowflake that Discord can create at a time."""
    return (time - EPOCH) // timedelta(milliseconds=1) << _TIMESTAMP_SHIFT


def snowflake_time(snowflake: int) -> datetime:
    """When Discord created a snowflake."""
    return EPOCH + timedelta(milliseconds=snowflake >> _TIMESTAMP_SHIFT)


def encode_cells(cells: Sequence[Cell]) -> str:
    """One letter per cell."""
    return "".join(_CELL_LETTERS[cell] for cell in cells)


def decode_cells(text: str) -> tuple[Cell, ...]:
    """The inverse of `encode_cells`. Raises ValueError if a character stands for no cell."""
    return tuple(map(_CELL_LETTERS.index, text))
