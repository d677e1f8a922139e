"""Reminders: messages that mention the player whose turn it is, if they asked for it."""

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
    """A reminder whose match has changed or ended.

    Attributes:
        match_id: The match.
        version: The version of the match that the reminder was for.
        channel_id: The channel of the message; None if the channel was forgotten.
        message_id: The message; None if it was not posted.
    """

    match_id: int
    version: int
    channel_id: int | None
    message_id: int | None
