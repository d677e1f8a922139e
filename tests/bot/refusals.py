"""Refusals as values, to be compared."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from bot.domain.matches import Match, MatchRequest
from bot.domain.refusals import RefusalReason, Refused

Result = TypeVar("Result")


@dataclass(frozen=True)
class Refusal:
    """What `Refused` says; see there."""

    reason: RefusalReason
    match: Match | None = None
    person_id: int | None = None
    until: datetime | None = None
    channels: tuple[int, ...] = ()
    request: MatchRequest | None = None
    unopened: Match | None = field(default=None, compare=False)
    gives_way: bool = False
    pressed: Match | None = None
    also_changed: tuple[Match, ...] = ()


def refusal_of(refused: Refused) -> Refusal:
    return Refusal(**vars(refused))


async def outcome_of(work: Awaitable[Result]) -> Result | Refusal:
    """What some work returns, or why it is refused."""
    try:
        return await work
    except Refused as refused:
        return refusal_of(refused)
