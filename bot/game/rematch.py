"""A rematch: asked for by one player, agreed to by the other, with the sides swapped.

Against the bot it may be at another level: a higher one if it was beaten, else a lower one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.game.match import How, Match
from bot.game.people import SOMEBODY
from bot.game.refusal import Refusal
from bot.game.server import ServerChoices
from bot.game.tally import duel_after
from engine import Level


def ask_for_rematch(match: Match, user_id: int, next_id: int) -> Match | Refusal:
    """Ask for another match: the bot agrees at once, a person by asking too.

    Returns:
        This match, waiting for the other player or, once both agreed, followed by `next_id`.
    """
    if match.mark_of(user_id) is None:
        return Refusal.NOT_A_PLAYER
    if not can_have_rematch(match):
        return Refusal.MATCH_GOING_ON if match.is_live else Refusal.MATCH_OVER
    if match.rematch_asked_by == user_id:
        return Refusal.REMATCH_ASKED
    if match.is_between_people and match.rematch_asked_by is None:
        return replace(match, rematch_asked_by=user_id)
    return replace(match, rematch_asked_by=user_id, next_id=next_id)


def easier(match: Match) -> Level | None:
    """The level below, unless the bot was beaten; None where there is none.

    From the highest, two levels are skipped: they are as good as unbeatable, too.
    """
    if match.bot_level in (None, Level.CHILD) or _was_bot_beaten(match):
        return None
    return Level.HARD if match.bot_level is Level.IMPOSSIBLE else _beside(match, -1)


def harder(match: Match) -> Level | None:
    """The level above, if the bot was beaten; None where there is none."""
    if match.bot_level in (None, Level.IMPOSSIBLE) or not _was_bot_beaten(match):
        return None
    return _beside(match, +1)


def _was_bot_beaten(match: Match) -> bool:
    winner = match.ending.winner if match.ending else None
    return winner is not None and not match.players[winner].is_bot


def _beside(match: Match, step: int) -> Level:
    assert match.bot_level is not None, "the bot plays"
    levels = list(Level)
    return levels[levels.index(match.bot_level) + step]


def can_have_rematch(match: Match) -> bool:
    """Whether it was accepted, is over but not stopped, has no rematch, and nobody is forgotten."""
    ended = match.ending is not None and match.ending.how is not How.STOPPED
    are_known = match.mark_of(SOMEBODY) is None
    return ended and are_known and match.accepted and match.next_id is None


def without_successor(match: Match) -> Match:
    """Undo the agreement on a rematch that failed to open: the first to ask is asking again."""
    agreed = match.rematch_asked_by if match.is_between_people else None
    asked = (player.user_id for player in (match.x, match.o) if player.user_id != agreed)
    return replace(match, next_id=None, rematch_asked_by=next(asked) if agreed else None)


def successor(
    match: Match, deadline_at: datetime, choices: ServerChoices, level: Level | None = None
) -> Match:
    """The match that `next_id` names: the same players with their sides swapped.

    The rules stay, and so does the bot's level unless `level` is another; language and turn length
    are what the server has chosen by now.
    """
    assert match.next_id is not None, "only an agreed rematch has a successor"
    x, o = (replace(p, level=level) if p.is_bot and level else p for p in (match.o, match.x))
    before = duel_after(match)
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None, locale=choices.language or match.place.locale),
        x=x,
        o=o,
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=match.rules,
        duel=before.turned if before else None,
        turn_minutes=choices.turn_minutes,
    )
