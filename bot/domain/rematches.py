"""Rematches: who may ask for one, what changes in it, and the levels to suggest for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import EndReason, Match, Player, head_to_head_after
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings
from engine import Level


def ask_for_rematch(match: Match, user_id: int, next_id: int) -> Match:
    """Ask for another match: the bot agrees at once, a person by asking too.

    Returns:
        This match, waiting for the other player or, once both agreed, followed by `next_id`.
    """
    if match.mark_of(user_id) is None:
        raise Refused(RefusalReason.NOT_A_PLAYER)
    if not can_have_rematch(match):
        raise Refused(RefusalReason.MATCH_GOING_ON if match.is_live else RefusalReason.MATCH_OVER)
    if match.rematch_asked_by == user_id:
        raise Refused(RefusalReason.REMATCH_ASKED)
    if match.is_between_people and match.rematch_asked_by is None:
        return replace(match, rematch_asked_by=user_id)
    return replace(match, rematch_asked_by=user_id, next_id=next_id)


def can_have_rematch(match: Match) -> bool:
    """Whether a rematch may follow: an accepted match has ended, and both players are known.

    None follows a match that a moderator ended or a player left, or that has one already.
    """
    if match.ending is None or match.ending.reason in (EndReason.STOPPED, EndReason.LEFT):
        return False
    if not match.accepted or match.next_id is not None:
        return False
    return match.mark_of(DELETED_USER_ID) is None


def next_match(
    match: Match, deadline_at: datetime, settings: GuildSettings, level: Level | None = None
) -> Match:
    """The rematch of a match, with the id `match.next_id`.

    The players swap sides, but at a higher level the person begins. The rules stay, and so does the
    bot's level unless `level` is given. The language and the turn length are those that the server
    has set by now.
    """
    assert match.next_id is not None, "a rematch opens only when both players have agreed"
    score = head_to_head_after(match)
    next_score = score.reversed_sides if score else None
    locale = settings.language or match.place.locale
    x, o = _with_level(match.o, level), _with_level(match.x, level)
    if x.is_bot and level is not None and level is harder_level(match):
        x, o = o, x
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None, locale=locale),
        x=x,
        o=o,
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=match.rules,
        head_to_head=next_score,
        turn_minutes=settings.turn_minutes,
    )


def _with_level(player: Player, level: Level | None) -> Player:
    """The bot at a level, if one is given; people unchanged."""
    if level is None or not player.is_bot:
        return player
    return replace(player, level=level)


def without_next_match(match: Match) -> Match:
    """Undo the agreement on a rematch that failed to open: the first to ask is asking again."""
    second_to_ask = match.rematch_asked_by
    first_to_ask = None
    if second_to_ask and match.is_between_people:
        first_to_ask = match.opponent_of(second_to_ask)
    return replace(match, next_id=None, rematch_asked_by=first_to_ask)


def easier_level(match: Match) -> Level | None:
    """The level to suggest below this match's; None at the lowest, or if the bot was beaten."""
    level = match.bot_level
    if level is None or level is Level.CHILD or _was_bot_beaten(match):
        return None
    return _shift_level(level, -1)


def harder_level(match: Match) -> Level | None:
    """The level to suggest above this match's, once that was passed; None at the highest.

    A win without hints passes it, or a draw that was found to pass a rung when it was counted.
    """
    level = match.bot_level
    if level is None or level is Level.IMPOSSIBLE or match.hints:
        return None
    is_passed = _was_bot_beaten(match) or (match.is_first and _was_drawn(match))
    return next_level(level) if is_passed else None


def next_level(level: Level) -> Level:
    """The level above one that is not the highest."""
    return _shift_level(level, +1)


def has_bot_won(match: Match) -> bool:
    """Whether the bot has won a match against a person."""
    return match.winner is not None and match.winner.is_bot


def _was_bot_beaten(match: Match) -> bool:
    return match.winner is not None and not match.winner.is_bot


def _was_drawn(match: Match) -> bool:
    return match.ending is not None and match.ending.reason is EndReason.DRAWN


def _shift_level(level: Level, offset: int) -> Level:
    """The level `offset` steps above another, or below it if `offset` is negative."""
    levels = list(Level)
    return levels[levels.index(level) + offset]
