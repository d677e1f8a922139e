"""Discord's ids (snowflakes): a later one is always greater."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

LARGEST_ID = 2**63 - 1

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""The moment from which ids count milliseconds, in all but their last 22 bits."""

_OTHER_BITS = 22


def first_id_at(moment: datetime) -> int:
    """The least id that Discord gives out at a moment."""
    return (moment - EPOCH) // timedelta(milliseconds=1) << _OTHER_BITS


def moment_of(its_id: int) -> datetime:
    """When Discord gave out an id."""
    return EPOCH + timedelta(milliseconds=its_id >> _OTHER_BITS)
