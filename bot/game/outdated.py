"""Presses on a board that has changed since it was drawn."""

from __future__ import annotations

from bot.game.match import Ending, How, Match
from bot.game.press import Press, Verb
from bot.game.refusal import Refusal


def why_outdated(press: Press, match: Match, user_id: int) -> Refusal | None:
    """Why an outdated press did nothing; None if it had been carried out already.

    The latter happens with a double click, or when two processes receive the same press.
    """
    is_joining = press.verb is Verb.JOIN
    if match.mark_of(user_id) is None:
        return Refusal.SEAT_TAKEN if is_joining else Refusal.NOT_A_PLAYER
    has_joined = is_joining and user_id != match.opened_by
    return None if has_joined or was_done(press, match, user_id) else Refusal.OUTDATED


def has_resigned(match: Match, user_id: int) -> bool:
    mark = match.mark_of(user_id)
    return mark is not None and match.ending == Ending(How.RESIGNED, winner=mark.other)


def was_done(press: Press, match: Match, user_id: int) -> bool:
    """Whether the cell that was pressed already holds the user's mark."""
    mark = match.mark_of(user_id)
    return mark is not None and press.cell is not None and match.board[press.cell] is mark


def is_double_click(press: Press, match: Match, user_id: int) -> bool:
    """Whether a press repeats the user's last move, as the second half of a double click does."""
    return was_done(press, match, user_id) and press.cell in match.moves[-2:]
