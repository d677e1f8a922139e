"""Reminders: a mention of a person whose turn it has been for a while, if they asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.matches import Match

REMIND_AFTER = timedelta(minutes=1)
"""How long people have for a move before they are reminded."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder for the player to move, at this version of the match.

    `nonce` is the same in every process, so that Discord accepts the message only once.
    """

    match: Match

    @property
    def user_id(self) -> int:
        assert self.match.to_move is not None, "a reminder is for somebody's turn"
        return self.match.to_move.user_id

    @property
    def nonce(self) -> str:
        return f"{self.match.id}.{self.match.version}"


@dataclass(frozen=True, slots=True)
class OutdatedReminder:
    """A reminder whose match has changed or ended; its ids are None if there is no message."""

    match_id: int
    version: int
    channel_id: int | None
    message_id: int | None
