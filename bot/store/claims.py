"""Claims of messages to be posted: which process posts, and when another may try again.

The row of a post that a timer makes has the message's id, NULL until it is posted; when it was last
claimed, in Unix seconds; and how often. An answer to a press is claimed anew by the next press.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, and_

REFUSED_MESSAGE_ID = 0
"""What is stored as the id of a message that Discord refused."""

_CLAIM_SECONDS = 20
"""For how long a claim keeps other processes from posting."""

NONCE_SECONDS = 60
"""For how long after a claim others may repeat it.

Discord remembers a nonce for a few minutes, and drops a second message with the same one.
"""

_MAX_CLAIMS = 3


def is_abandoned(claimed_at: Column[Any], *, now_seconds: int) -> ColumnElement[bool]:
    """Whether a claim has run out; never where no time is stored."""
    return claimed_at <= now_seconds - _CLAIM_SECONDS


def may_claim_again(
    message_id: Column[Any], take: Column[Any], claimed_at: Column[Any], *, now_seconds: int
) -> ColumnElement[bool]:
    """Whether the process that claimed a message did not post it in time, so another may."""
    return and_(
        message_id.is_(None),
        take < _MAX_CLAIMS,
        claimed_at.between(now_seconds - NONCE_SECONDS, now_seconds - _CLAIM_SECONDS),
    )
