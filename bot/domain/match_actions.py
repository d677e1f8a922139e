"""The rules for changing a match: who may do what, and when.

A function that changes a match returns the changed match, or a `RefusalReason` if the user may not
change it. `rematches` has the rules for what follows a match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.ids import MAX_ID
from bot.domain.matches import (
    Ending,
    EndReason,
    FirstPlayer,
    Match,
    MatchOpened,
    MatchStopped,
    Player,
)
from bot.domain.pages import Page
from bot.domain.refusals import Refusal, RefusalReason
from engine import Cell, Level, Mark, Rules


class MatchAction(Enum):
    """What a press asks for, by its name in custom_ids."""

    PLAY = "play"
    HINT = "hint"  # a short hint or, with a cell, all about that move
    WHY = "why"  # all about the best move
    RESIGN = "resign"  # asks for CONCEDE
    CONCEDE = "concede"
    REMATCH = "rematch"
    EASIER = "easier"  # a rematch at an easier level
    HARDER = "harder"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    JOIN = "join"  # take the bot's seat
    DESCRIBE = "describe"  # the position in words
    REMIND = "remind"  # switch reminders of one's turn on or off


REMATCH_ACTIONS = (MatchAction.REMATCH, MatchAction.EASIER, MatchAction.HARDER)

_CELL_ACTIONS = (MatchAction.PLAY, MatchAction.HINT)

_CUSTOM_ID = re.compile(
    r"velha:(?P<match_id>[0-9]{1,19}):(?P<version>[0-9]{1,9}):"
    rf"(?P<action>{'|'.join(action.value for action in MatchAction)})(?::(?P<cell>[0-9]{{1,2}}))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A click on a match's button. `str(press)` is the button's custom_id.

    Attributes:
        match_id: The match.
        version: The version of the match that was drawn.
        action: What the button does.
        cell: PLAY needs one, HINT may have one, and no other action has any.
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
        if match_id > MAX_ID or not _is_cell_valid(action, cell):
            return None
        return cls(match_id, int(fields["version"]), action, cell)


def _is_cell_valid(action: MatchAction, cell: Cell | None) -> bool:
    """Whether the action has a cell if it needs one, and none if it takes none."""
    if cell is None:
        return action is not MatchAction.PLAY
    return action in _CELL_ACTIONS


@dataclass(frozen=True, slots=True)
class RestartPage(Page):
    """The button with which a player ends a match and starts another against the bot.

    The options are as in `MatchRequest`.
    """

    kind = "restart"

    match_id: int
    rules: Rules | None = None
    level: Level | None = None
    first: FirstPlayer = FirstPlayer.OPENER


@dataclass(frozen=True, slots=True)
class PressOrigin:
    """Who pressed a button, and where.

    Attributes:
        user_id: Who pressed it.
        channel_id: The channel, or the thread.
        message_id: The message with the button.
        interaction_id: The id of the press, and of the rematch that it may open.
        is_ephemeral: Whether the button was on an ephemeral message, not on the board.
        parent_id: The channel of a thread.
        has_opponent_left: Whether the opponent has left the server; with None, an `OpponentCheck`
            says that this is to be found out first.
    """

    user_id: int
    channel_id: int
    message_id: int
    interaction_id: int
    is_ephemeral: bool = False
    parent_id: int | None = None
    has_opponent_left: bool | None = False


@dataclass(frozen=True, slots=True)
class StopRequest:
    """Who wants to end the match of a channel."""

    user_id: int
    channel_id: int
    interaction_id: int
    is_moderator: bool = False


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """The board's message must be redrawn; `reason` says why the press did nothing else."""

    match: Match
    reason: RefusalReason | None = None


@dataclass(frozen=True, slots=True)
class HintPlayed:
    """A move was played from a hint: say so there, and redraw the board's message."""

    match: Match
    cell: Cell


@dataclass(frozen=True, slots=True)
class ResignConfirmation:
    """A player is asked to confirm that they resign."""

    match: Match


MatchOutcome = Refusal | BoardChanged | MatchOpened | MatchStopped | HintPlayed | ResignConfirmation
"""What became of a press on one of a match's buttons."""


@dataclass(frozen=True, slots=True)
class OpponentCheck:
    """Nothing has happened yet: first find out whether the opponent, a person, has left the server.

    They would win otherwise.
    """

    opponent_id: int


def play(match: Match, user_id: int, cell: Cell) -> Match | RefusalReason:
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    if match.mark_of(user_id) is not match.board.to_move:
        return RefusalReason.NOT_YOUR_TURN
    if cell not in match.board.actions():
        return RefusalReason.CELL_TAKEN
    return replace(match, moves=(*match.moves, cell))


def resign(match: Match, user_id: int, *, has_opponent_left: bool = False) -> Match | RefusalReason:
    """End a match, which the opponent wins, unless they have left the server."""
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    if has_opponent_left:
        return leave(match)
    mark = match.mark_of(user_id)
    assert mark is not None, "everybody but the players is refused above"
    return _end(match, EndReason.RESIGNED, winner=mark.other)


def check_for_resignation(resigned: Match) -> OpponentCheck | None:
    """What to find out before a match ends as resigned; None if no person would win it."""
    winner = resigned.winner
    return None if winner is None or winner.is_bot else OpponentCheck(winner.user_id)


def hint_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    """Why a user gets no hint; None if they are in a match against the bot."""
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    if match.is_between_people:
        return RefusalReason.HINT_BETWEEN_PEOPLE
    return None


def reminder_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    """Why a user gets no reminders; None if they are in a match with another person."""
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    if not match.is_between_people:
        return RefusalReason.UNKNOWN_BUTTON
    return None


def _play_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    if match.mark_of(user_id) is None:
        return RefusalReason.MAY_JOIN if match.has_open_seat else RefusalReason.NOT_A_PLAYER
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    if not match.accepted:
        return RefusalReason.OPEN_CHALLENGE
    return None


def accept(match: Match, user_id: int) -> Match | RefusalReason:
    if refusal := _answer_refusal_reason(match, user_id):
        return refusal
    return replace(match, accepted=True)


def decline(match: Match, user_id: int) -> Match | RefusalReason:
    if refusal := _answer_refusal_reason(match, user_id):
        return refusal
    return _end(match, EndReason.DECLINED)


def _answer_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    if user_id != match.challenged_id:
        return RefusalReason.NOT_THE_CHALLENGED
    return _challenge_refusal_reason(match)


def cancel(match: Match, user_id: int) -> Match | RefusalReason:
    if user_id != match.opened_by:
        return RefusalReason.NOT_THE_CHALLENGER
    if refusal := _challenge_refusal_reason(match):
        return refusal
    return _end(match, EndReason.CANCELLED)


def _challenge_refusal_reason(match: Match) -> RefusalReason | None:
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    if match.accepted:
        return RefusalReason.MATCH_GOING_ON
    return None


def join(match: Match, user_id: int) -> Match | RefusalReason:
    """Replace the bot in its seat, with its mark and the move that it may have made.

    The player who left the seat open need not accept.
    """
    if not match.has_open_seat:
        return RefusalReason.SEAT_TAKEN
    if user_id == match.opened_by:
        return RefusalReason.SEAT_FOR_OTHERS
    if match.x.is_bot:
        return replace(match, x=Player(user_id))
    return replace(match, o=Player(user_id))


def stop(
    match: Match, user_id: int, *, is_moderator: bool, has_opponent_left: bool = False
) -> Match | RefusalReason:
    """End a match by command: a player resigns, cancels or declines; a moderator voids it."""
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    if match.mark_of(user_id) is None:
        return end_by_moderator(match) if is_moderator else RefusalReason.NOT_YOURS_TO_STOP
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
    """End a match that could not be shown to anybody; a challenge lapses."""
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


def outdated_refusal_reason(press: Press, match: Match, user_id: int) -> RefusalReason | None:
    """Why a press on an outdated board did nothing; None if its action was already carried out.

    That happens with a double click, or when two processes receive the same press.
    """
    is_joining = press.action is MatchAction.JOIN
    if match.mark_of(user_id) is None:
        return RefusalReason.SEAT_TAKEN if is_joining else RefusalReason.NOT_A_PLAYER
    if is_joining and user_id != match.opened_by:
        return None
    if is_already_played(press, match, user_id):
        return None
    return RefusalReason.OUTDATED


def has_resigned(match: Match, user_id: int) -> bool:
    """Whether a match ended as if the user has resigned, the opponent being there or not."""
    mark = match.mark_of(user_id)
    if mark is None:
        return False
    return match.ending in (Ending(EndReason.RESIGNED, mark.other), Ending(EndReason.LEFT))


def is_already_played(press: Press, match: Match, user_id: int) -> bool:
    """Whether the cell that was pressed already holds the user's mark."""
    if press.cell is None:
        return False
    mark = match.mark_of(user_id)
    return mark is not None and match.board[press.cell] is mark


def is_double_click(press: Press, match: Match, user_id: int) -> bool:
    """Whether a press repeats the user's last move, as the second half of a double click does."""
    return is_already_played(press, match, user_id) and press.cell in match.moves[-2:]
