"""The rules of the house: what may be done to a match, and by whom.

Every change returns the next match, or a `Refusal` that says why nothing happened.
"""

from __future__ import annotations

from dataclasses import replace

from bot.game.match import Ending, How, Match, Player
from bot.game.refusal import Refusal
from engine import Cell, Mark


def play(match: Match, user_id: int, cell: Cell) -> Match | Refusal:
    if refusal := _refuse_to_play(match, user_id):
        return refusal
    if match.mark_of(user_id) is not match.board.to_move:
        return Refusal.NOT_YOUR_TURN
    if cell not in match.board.actions():
        return Refusal.CELL_TAKEN
    return replace(match, moves=(*match.moves, cell))


def resign(match: Match, user_id: int) -> Match | Refusal:
    if refusal := _refuse_to_play(match, user_id):
        return refusal
    mark = match.mark_of(user_id)
    assert mark is not None, "only a player is allowed this far"
    return _end(match, How.RESIGNED, winner=mark.other)


def refuse_hint(match: Match, user_id: int) -> Refusal | None:
    """Why a user gets no hint; None if they are playing the bot."""
    if refusal := _refuse_to_play(match, user_id):
        return refusal
    return Refusal.HINT_BETWEEN_PEOPLE if match.is_between_people else None


def _refuse_to_play(match: Match, user_id: int) -> Refusal | None:
    if match.mark_of(user_id) is None:
        return Refusal.MAY_JOIN if match.has_open_seat else Refusal.NOT_A_PLAYER
    if not match.is_live:
        return Refusal.MATCH_OVER
    return None if match.accepted else Refusal.OPEN_CHALLENGE


def accept(match: Match, user_id: int) -> Match | Refusal:
    return _refuse_to_answer(match, user_id) or replace(match, accepted=True)


def decline(match: Match, user_id: int) -> Match | Refusal:
    return _refuse_to_answer(match, user_id) or _end(match, How.DECLINED)


def _refuse_to_answer(match: Match, user_id: int) -> Refusal | None:
    if user_id != match.challenged:
        return Refusal.NOT_THE_CHALLENGED
    return _refuse_as_challenge(match)


def join(match: Match, user_id: int) -> Match | Refusal:
    """Take over the bot's seat: its mark, and its move if it has made one.

    Nobody has to accept: one player left the seat open, and the other takes it.
    """
    if not match.has_open_seat:
        return Refusal.SEAT_TAKEN
    if user_id == match.opened_by:
        return Refusal.SEAT_FOR_OTHERS
    x, o = (Player(user_id) if player.is_bot else player for player in (match.x, match.o))
    return replace(match, x=x, o=o)


def cancel(match: Match, user_id: int) -> Match | Refusal:
    if user_id != match.opened_by:
        return Refusal.NOT_THE_CHALLENGER
    return _refuse_as_challenge(match) or _end(match, How.CANCELLED)


def _refuse_as_challenge(match: Match) -> Refusal | None:
    if not match.is_live:
        return Refusal.MATCH_OVER
    return Refusal.MATCH_GOING_ON if match.accepted else None


def stop(match: Match, user_id: int, *, is_moderator: bool) -> Match | Refusal:
    """End a match by command: a player resigns, cancels or declines; a moderator voids it."""
    if not match.is_live:
        return Refusal.MATCH_OVER
    if match.mark_of(user_id) is None:
        return end_by_moderator(match) if is_moderator else Refusal.NOT_YOURS_TO_STOP
    if match.accepted:
        return resign(match, user_id)
    return cancel(match, user_id) if user_id == match.opened_by else decline(match, user_id)


def end_by_moderator(match: Match) -> Match:
    """End a match without a result, on behalf of those who run the server."""
    return _end(match, How.STOPPED)


def leave(match: Match) -> Match:
    """End a match because one of its players is being forgotten; a challenge lapses."""
    return _end(match, How.LEFT if match.accepted else How.LAPSED)


def call_off(match: Match) -> Match:
    """End a match that could not be shown to anybody; a challenge lapses."""
    return _end(match, How.CALLED_OFF if match.accepted else How.LAPSED)


def expire(match: Match) -> Match:
    """End a match that ran out of time, as of its deadline.

    Between two people the one who waited wins, provided both have moved.
    """
    match = replace(match, ended_at=match.deadline_at)
    if match.accepted and match.is_between_people and len(match.moves) >= len(Mark):
        return _end(match, How.TIMED_OUT, winner=match.board.to_move.other)
    return call_off(match)


def _end(match: Match, how: How, winner: Mark | None = None) -> Match:
    return replace(match, early_ending=Ending(how, winner))
