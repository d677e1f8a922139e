"""A rematch: asked for by one player, agreed to by the other, with the sides swapped."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.game.match import How, Match
from bot.game.refusal import Refusal


def ask_for_rematch(match: Match, user_id: int, next_id: int) -> Match | Refusal:
    """Ask for another match: the bot agrees at once, a person by asking too.

    Returns:
        This match, waiting for the other player or, once both agreed, followed by `next_id`.
    """
    if match.mark_of(user_id) is None:
        return Refusal.NOT_A_PLAYER
    if not can_have_rematch(match):
        return Refusal.MATCH_GOING_ON if match.is_live else Refusal.MATCH_OVER
    if match.asks_rematch == user_id:
        return Refusal.REMATCH_ASKED
    if match.is_between_people and match.asks_rematch is None:
        return replace(match, asks_rematch=user_id)
    return replace(match, asks_rematch=user_id, next_id=next_id)


def can_have_rematch(match: Match) -> bool:
    """Whether it was played to some end of the players' own, and nothing followed it yet."""
    ended = match.ending is not None and match.ending.how is not How.STOPPED
    return ended and bool(match.moves) and match.next_id is None


def successor(match: Match, deadline_at: datetime) -> Match:
    """The match that `next_id` names: the same players with their sides swapped."""
    assert match.next_id is not None, "only an agreed rematch has a successor"
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None),
        x=match.o,
        o=match.x,
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=match.rules,
    )
