"""The rules for changing a match: who may do what, and when.

A function that changes a match returns the changed match; it and the checks raise `Refused` if the
user may not do that. `rematches` has the rules for what follows a match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.ids import DELETED_USER_ID, MAX_ID
from bot.domain.matches import (
    Ending,
    EndReason,
    FirstPlayer,
    Match,
    MatchRequest,
    Player,
)
from bot.domain.pages import Page
from bot.domain.refusals import RefusalReason, Refused
from engine import Cell, Level, Mark, Rules


class MatchAction(Enum):
    """What a press on a board asks for, by its name in custom_ids."""

    PLAY = "play"
    HINT = "hint"
    RESIGN = "resign"  # asks whether to concede
    REMATCH = "rematch"
    EASIER = "easier"  # a rematch at an easier level
    NEXT = "next"  # what is next on the path
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    CHALLENGE = "challenge"  # the same challenge once more, from whoever presses
    JOIN = "join"  # take the bot's seat
    DESCRIBE = "describe"  # the position in words
    REMIND = "remind"  # switch one's reminders on or off


_CUSTOM_ID = re.compile(
    r"velha:(?P<match_id>[0-9]{1,19}):(?P<version>[0-9]{1,9}):"
    rf"(?P<action>{'|'.join(action.value for action in MatchAction)})(?::(?P<cell>[0-9]{{1,2}}))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A click on a button of a board. `str(press)` is the button's custom_id.

    Attributes:
        match_id: The match.
        version: The version of the match that was drawn.
        action: What the button does.
        cell: PLAY has one, and no other action.
    """

    match_id: int
    version: int
    action: MatchAction
    cell: Cell | None = None

    def __str__(self) -> str:
        text = f"velha:{self.match_id}:{self.version}:{self.action.value}"
        return text if self.cell is None else f"{text}:{self.cell}"

    @classmethod
    def parse(cls, custom_id: str) -> Press | None:
        """Parse a custom_id; None if it is not one of ours, or not of this release."""
        fields = _CUSTOM_ID.fullmatch(custom_id)
        if fields is None:
            return None
        match_id = int(fields["match_id"])
        action = MatchAction(fields["action"])
        cell = int(fields["cell"]) if fields["cell"] else None
        if match_id > MAX_ID or (cell is None) is (action is MatchAction.PLAY):
            return None
        return cls(match_id, int(fields["version"]), action, cell)


@dataclass(frozen=True, slots=True)
class HintPage(Page):
    """All about a move in a match at some version; without a cell, about the best one."""

    kind = "hint"
    optional = ("cell",)

    match_id: int
    version: int
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class HintMovePage(Page):
    """The button that plays the move of a hint."""

    kind = "move"

    match_id: int
    version: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class ConcedePage(Page):
    """The button with which a player confirms that they resign, whatever was played meanwhile."""

    kind = "concede"

    match_id: int
    version: int


@dataclass(frozen=True, slots=True)
class RematchPage(Page):
    """The button of a review that opens a rematch against the bot."""

    kind = "rematch"

    match_id: int


@dataclass(frozen=True, slots=True)
class RestartPage(Page):
    """The button with which a person starts a match against the bot.

    It ends the match `match_id`, if there is one. The options are as in `MatchRequest`.
    """

    kind = "restart"

    match_id: int | None
    rules: Rules | None = None
    level: Level | None = None
    first: FirstPlayer | None = None


def play(match: Match, user_id: int, cell: Cell) -> Match:
    check_player(match, user_id)
    if match.mark_of(user_id) is not match.board.to_move:
        raise Refused(RefusalReason.NOT_YOUR_TURN)
    check_free(match, cell)
    return replace(match, moves=(*match.moves, cell))


def resign(match: Match, user_id: int, *, has_opponent_left: bool = False) -> Match:
    """End a match, which the opponent wins, unless they have left the server."""
    check_resign(match, user_id)
    if has_opponent_left:
        return leave(match)
    mark = match.mark_of(user_id)
    assert mark is not None, "everybody but the players is refused above"
    return _end(match, EndReason.RESIGNED, winner=mark.other)


def check_resign(match: Match, user_id: int) -> None:
    """Refuse everybody who may not resign, also before they are asked whether they really do."""
    check_player(match, user_id)


def check_player(match: Match, user_id: int) -> None:
    """Refuse everybody but the players of a match that goes on."""
    if match.mark_of(user_id) is None and match.has_open_seat:
        raise Refused(RefusalReason.MAY_JOIN, match=match)
    if match.mark_of(user_id) is None:
        raise Refused(RefusalReason.NOT_A_PLAYER)
    if not match.is_live:
        raise Refused(RefusalReason.MATCH_OVER)
    if not match.accepted:
        raise Refused(RefusalReason.OPEN_CHALLENGE)


def check_free(match: Match, cell: Cell) -> None:
    if cell not in match.board.actions():
        raise Refused(RefusalReason.CELL_TAKEN)


def check_hint(match: Match, user_id: int) -> None:
    """Refuse a hint to everybody but the player of a match against the bot."""
    check_player(match, user_id)
    if match.is_between_people:
        raise Refused(RefusalReason.HINT_BETWEEN_PEOPLE)


def check_reminder(match: Match, user_id: int) -> None:
    """Refuse reminders to everybody but the players of a match between people."""
    check_player(match, user_id)
    if not match.is_between_people:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)


def accept(match: Match, user_id: int) -> Match:
    _check_answer(match, user_id)
    return replace(match, accepted=True)


def decline(match: Match, user_id: int) -> Match:
    _check_answer(match, user_id)
    return _end(match, EndReason.DECLINED)


def _check_answer(match: Match, user_id: int) -> None:
    if user_id != match.challenged_id:
        raise Refused(RefusalReason.NOT_THE_CHALLENGED)
    _check_open_challenge(match)


def cancel(match: Match, user_id: int) -> Match:
    if user_id != match.opened_by:
        raise Refused(RefusalReason.NOT_THE_CHALLENGER)
    _check_open_challenge(match)
    return _end(match, EndReason.CANCELLED)


def repeated_challenge(match: Match, user_id: int) -> MatchRequest:
    """The request that repeats a challenge, from either side."""
    if match.mark_of(user_id) is None:
        raise Refused(RefusalReason.NOT_A_PLAYER)
    if not can_challenge_again(match):
        raise Refused(RefusalReason.OPEN_CHALLENGE if match.is_live else RefusalReason.MATCH_OVER)
    return request_like(match, user_id)


def request_like(match: Match, user_id: int) -> MatchRequest:
    """The request of a player that opens a match like this one; sides stay."""
    return MatchRequest(
        match.id,
        match.place,
        opener_id=user_id,
        opponent_id=match.opponent_of(user_id) if match.is_between_people else None,
        rules=match.rules,
        level=match.bot_level,
        first=FirstPlayer.OPENER if match.x.user_id == user_id else FirstPlayer.OPPONENT,
    )


def can_challenge_again(match: Match) -> bool:
    """Whether a challenge was declined or not answered, and both people are known."""
    reasons = (EndReason.DECLINED, EndReason.LAPSED)
    is_unanswered = match.ending is not None and match.ending.reason in reasons
    return is_unanswered and match.mark_of(DELETED_USER_ID) is None


def _check_open_challenge(match: Match) -> None:
    if not match.is_live:
        raise Refused(RefusalReason.MATCH_OVER)
    if match.accepted:
        raise Refused(RefusalReason.MATCH_GOING_ON)


def join(match: Match, user_id: int) -> Match:
    """Replace the bot in its seat, with its mark and the move that it may have made.

    The player who left the seat open need not accept.
    """
    if not match.has_open_seat:
        raise Refused(RefusalReason.SEAT_TAKEN)
    if user_id == match.opened_by:
        raise Refused(RefusalReason.SEAT_FOR_OTHERS)
    if match.x.is_bot:
        return replace(match, x=Player(user_id), trail=None)
    return replace(match, o=Player(user_id), trail=None)


def stop(
    match: Match, user_id: int, *, is_moderator: bool, has_opponent_left: bool = False
) -> Match:
    """End a match by command: a player resigns, cancels or declines; a moderator voids it."""
    if not match.is_live:
        raise Refused(RefusalReason.MATCH_OVER)
    if match.mark_of(user_id) is None:
        if not is_moderator:
            raise Refused(RefusalReason.NOT_YOURS_TO_STOP)
        return end_by_moderator(match)
    if match.accepted:
        return resign(match, user_id, has_opponent_left=has_opponent_left)
    if user_id == match.opened_by:
        return cancel(match, user_id)
    return decline(match, user_id)


def end_by_moderator(match: Match) -> Match:
    """End a match without a result, on behalf of a moderator."""
    return _end(match, EndReason.STOPPED)


def leave(match: Match) -> Match:
    """End a match whose player has left the server, or is forgotten; a challenge lapses."""
    reason = EndReason.LEFT if match.accepted else EndReason.LAPSED
    return _end(match, reason)


def abort(match: Match) -> Match:
    """End a match that nobody wins: its time is up, or it makes way; a challenge lapses."""
    reason = EndReason.CALLED_OFF if match.accepted else EndReason.LAPSED
    return _end(match, reason)


def expire(match: Match) -> Match:
    """End a match that ran out of time, as of its deadline.

    Between two people who have both moved, the one who waited wins.
    """
    match = replace(match, ended_at=match.deadline_at)
    have_both_moved = len(match.moves) >= len(Mark)
    if match.accepted and match.is_between_people and have_both_moved:
        return _end(match, EndReason.TIMED_OUT, winner=match.board.to_move.other)
    return abort(match)


def _end(match: Match, reason: EndReason, winner: Mark | None = None) -> Match:
    return replace(match, early_ending=Ending(reason, winner))


def outdated_reason(press: Press, match: Match, user_id: int) -> RefusalReason:
    """Why a press on an outdated board does nothing."""
    if match.mark_of(user_id) is not None:
        return RefusalReason.OUTDATED
    is_joining = press.action is MatchAction.JOIN
    return RefusalReason.SEAT_TAKEN if is_joining else RefusalReason.NOT_A_PLAYER


def is_carried_out(press: Press, match: Match, user_id: int) -> bool:
    """Whether what a press on a board asks for has been done already.

    That happens with a double click, or when two processes receive the same press.
    """
    if match.mark_of(user_id) is None:
        return False
    if press.version == match.version:
        return has_played(match, user_id, press.cell) and press.cell in match.moves[-2:]
    has_joined = press.action is MatchAction.JOIN and user_id != match.opened_by
    return has_joined or has_played(match, user_id, press.cell)


def has_resigned(match: Match, user_id: int) -> bool:
    """Whether a match ended as if the user has resigned, the opponent being there or not."""
    mark = match.mark_of(user_id)
    if mark is None:
        return False
    return match.ending in (Ending(EndReason.RESIGNED, mark.other), Ending(EndReason.LEFT))


def has_played(match: Match, user_id: int, cell: Cell | None) -> bool:
    """Whether a cell already holds the user's mark."""
    mark = match.mark_of(user_id)
    return cell is not None and mark is not None and match.board[cell] is mark
