"""Rematches: who may ask for one, what changes in it, and what to suggest for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import MatchAction
from bot.domain.matches import EndReason, Match, Player, Setup, head_to_head_after
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings
from engine import Level, Mark


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
    match: Match, deadline_at: datetime, settings: GuildSettings, setup: Setup | None = None
) -> Match:
    """The match that follows another, with the id `match.next_id`.

    Against the bot it is as `setup` says; else the players swap sides, and the rules stay. The
    language and the turn length are those that the server has set by now.
    """
    assert match.next_id is not None, "it opens only when both players have agreed"
    score = head_to_head_after(match)
    next_score = score.reversed_sides if score else None
    locale = settings.language or match.place.locale
    x, o = match.o, match.x
    if setup is not None:
        x, o = _players_in(match, setup)
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None, locale=locale),
        x=x,
        o=o,
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=setup.rules if setup else match.rules,
        head_to_head=next_score,
        turn_minutes=settings.turn_minutes,
    )


def _players_in(match: Match, setup: Setup) -> tuple[Player, Player]:
    """The players of a match against the bot on the sides, and at the level, of another."""
    bot, person = (match.x, match.o) if match.x.is_bot else (match.o, match.x)
    bot = replace(bot, level=setup.level)
    return (bot, person) if setup.mark is Mark.O else (person, bot)


def following_setup(match: Match, action: MatchAction) -> Setup | None:
    """What a button under a match against the bot leads to; None if it leads nowhere.

    In a rematch the person has the other side, unless they have tried for a goal that names theirs.
    """
    if match.bot_level is None:
        return None
    if action is MatchAction.NEXT:
        return match.trail and match.trail.following
    is_first = match.x.is_bot
    if action is MatchAction.EASIER:
        level = easier_level(match)
        return level and Setup(match.rules, level, Mark.X if is_first else Mark.O)
    if match.trail and match.trail.goal and match.trail.goal.mark and not match.trail.is_passed:
        is_first = not is_first
    return Setup(match.rules, match.bot_level, Mark.X if is_first else Mark.O)


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
    levels = list(Level)
    return levels[levels.index(level) - 1]


def has_bot_won(match: Match) -> bool:
    """Whether the bot has won a match against a person."""
    return match.winner is not None and match.winner.is_bot


def _was_bot_beaten(match: Match) -> bool:
    return match.winner is not None and not match.winner.is_bot
