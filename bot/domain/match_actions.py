"""What may be done to a match, by whom, and what follows it.

Every change returns the next match, or a `Refusal` that says why nothing happened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.ids import DELETED_USER_ID, MAX_ID
from bot.domain.matches import Ending, EndReason, Match, Player, head_to_head_after
from bot.domain.refusals import Refusal
from bot.domain.settings import GuildSettings
from engine import Cell, Level, Mark


class MatchAction(Enum):
    """What a press asks for. Resigning takes two presses: RESIGN, then CONCEDE to confirm it."""

    PLAY = "play"
    HINT = "hint"
    RESIGN = "resign"
    CONCEDE = "concede"
    REMATCH = "rematch"
    EASIER = "easier"
    HARDER = "harder"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    JOIN = "join"


REMATCHES = (MatchAction.REMATCH, MatchAction.EASIER, MatchAction.HARDER)

_CELL_ACTIONS = (MatchAction.PLAY, MatchAction.HINT)

_CUSTOM_ID = re.compile(
    r"velha:(?P<match_id>[0-9]{1,19}):(?P<version>[0-9]{1,9}):"
    rf"(?P<verb>{'|'.join(action.value for action in MatchAction)})(?::(?P<cell>[0-9]{{1,2}}))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A click on a button: of which match, drawn at which version, asking for what.

    `str(press)` is the button's custom_id, and `Press.parse` its inverse. `MatchAction.PLAY` needs
    a cell, `MatchAction.HINT` may have one, to explain that move, and no other action has any.
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
        """Read a custom_id; None where it is not one of ours, or not of this release."""
        found = _CUSTOM_ID.fullmatch(custom_id)
        if found is None:
            return None
        action = MatchAction(found["verb"])
        cell = None if found["cell"] is None else int(found["cell"])
        match_id = int(found["match_id"])
        has_its_cell = action is not MatchAction.PLAY if cell is None else action in _CELL_ACTIONS
        if match_id > MAX_ID or not has_its_cell:
            return None
        return cls(match_id, int(found["version"]), action, cell)


@dataclass(frozen=True, slots=True)
class PressContext:
    """Who pressed a button, and where; `new_id` is the id for a rematch that the press opens.

    `is_ephemeral` says that the button was not on the board but on an ephemeral message;
    `parent_id` is the channel of a thread.
    """

    user_id: int
    channel_id: int
    message_id: int
    new_id: int
    is_ephemeral: bool = False
    parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """The message that was pressed is to be redrawn; `refusal` says why nothing else happened."""

    match: Match
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class HintPlayed:
    """Somebody played a move from a hint's page: say so there, and redraw the board's message."""

    match: Match
    cell: Cell


@dataclass(frozen=True, slots=True)
class ResignConfirmation:
    """Somebody wants to resign, and is asked whether they mean it."""

    match: Match


def play(match: Match, user_id: int, cell: Cell) -> Match | Refusal:
    if refusal := _play_refusal(match, user_id):
        return refusal
    if match.mark_of(user_id) is not match.board.to_move:
        return Refusal.NOT_YOUR_TURN
    if cell not in match.board.actions():
        return Refusal.CELL_TAKEN
    return replace(match, moves=(*match.moves, cell))


def resign(match: Match, user_id: int) -> Match | Refusal:
    if refusal := _play_refusal(match, user_id):
        return refusal
    mark = match.mark_of(user_id)
    assert mark is not None, "only a player is allowed this far"
    return _end(match, EndReason.RESIGNED, winner=mark.other)


def hint_refusal(match: Match, user_id: int) -> Refusal | None:
    """Why a user gets no hint; None if they are playing the bot."""
    if refusal := _play_refusal(match, user_id):
        return refusal
    return Refusal.HINT_BETWEEN_PEOPLE if match.is_between_people else None


def _play_refusal(match: Match, user_id: int) -> Refusal | None:
    if match.mark_of(user_id) is None:
        return Refusal.MAY_JOIN if match.has_open_seat else Refusal.NOT_A_PLAYER
    if not match.is_live:
        return Refusal.MATCH_OVER
    return None if match.accepted else Refusal.OPEN_CHALLENGE


def accept(match: Match, user_id: int) -> Match | Refusal:
    return _answer_refusal(match, user_id) or replace(match, accepted=True)


def decline(match: Match, user_id: int) -> Match | Refusal:
    return _answer_refusal(match, user_id) or _end(match, EndReason.DECLINED)


def _answer_refusal(match: Match, user_id: int) -> Refusal | None:
    if user_id != match.challenged:
        return Refusal.NOT_THE_CHALLENGED
    return _challenge_refusal(match)


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
    return _challenge_refusal(match) or _end(match, EndReason.CANCELLED)


def _challenge_refusal(match: Match) -> Refusal | None:
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
    return _end(match, EndReason.STOPPED)


def leave(match: Match) -> Match:
    """End a match because one of its players is being forgotten; a challenge lapses."""
    return _end(match, EndReason.LEFT if match.accepted else EndReason.LAPSED)


def abort(match: Match) -> Match:
    """End a match that could not be shown to anybody; a challenge lapses."""
    return _end(match, EndReason.CALLED_OFF if match.accepted else EndReason.LAPSED)


def expire(match: Match) -> Match:
    """End a match that ran out of time, as of its deadline.

    Between two people the one who waited wins, provided both have moved.
    """
    match = replace(match, ended_at=match.deadline_at)
    if match.accepted and match.is_between_people and len(match.moves) >= len(Mark):
        return _end(match, EndReason.TIMED_OUT, winner=match.board.to_move.other)
    return abort(match)


def _end(match: Match, reason: EndReason, winner: Mark | None = None) -> Match:
    return replace(match, early_ending=Ending(reason, winner))


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
    ended = match.ending is not None and match.ending.reason is not EndReason.STOPPED
    are_known = match.mark_of(DELETED_USER_ID) is None
    return ended and are_known and match.accepted and match.next_id is None


def without_next_match(match: Match) -> Match:
    """Undo the agreement on a rematch that failed to open: the first to ask is asking again."""
    agreed = match.rematch_asked_by if match.is_between_people else None
    asked = (player.user_id for player in (match.x, match.o) if player.user_id != agreed)
    return replace(match, next_id=None, rematch_asked_by=next(asked) if agreed else None)


def next_match(
    match: Match, deadline_at: datetime, choices: GuildSettings, level: Level | None = None
) -> Match:
    """The match that `next_id` names: the same players with their sides swapped.

    The rules stay, and so does the bot's level unless `level` is another; language and turn length
    are what the server has chosen by now.
    """
    assert match.next_id is not None, "only an agreed rematch has a successor"
    x, o = (replace(p, level=level) if p.is_bot and level else p for p in (match.o, match.x))
    before = head_to_head_after(match)
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None, locale=choices.language or match.place.locale),
        x=x,
        o=o,
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=match.rules,
        head_to_head=before.reversed_sides if before else None,
        turn_minutes=choices.turn_minutes,
    )


def outdated_refusal(press: Press, match: Match, user_id: int) -> Refusal | None:
    """Why an outdated press did nothing; None if it had been carried out already.

    The latter happens with a double click, or when two processes receive the same press.
    """
    is_joining = press.action is MatchAction.JOIN
    if match.mark_of(user_id) is None:
        return Refusal.SEAT_TAKEN if is_joining else Refusal.NOT_A_PLAYER
    has_joined = is_joining and user_id != match.opened_by
    return None if has_joined or is_already_played(press, match, user_id) else Refusal.OUTDATED


def has_resigned(match: Match, user_id: int) -> bool:
    mark = match.mark_of(user_id)
    return mark is not None and match.ending == Ending(EndReason.RESIGNED, winner=mark.other)


def is_already_played(press: Press, match: Match, user_id: int) -> bool:
    """Whether the cell that was pressed already holds the user's mark."""
    mark = match.mark_of(user_id)
    return mark is not None and press.cell is not None and match.board[press.cell] is mark


def is_double_click(press: Press, match: Match, user_id: int) -> bool:
    """Whether a press repeats the user's last move, as the second half of a double click does."""
    return is_already_played(press, match, user_id) and press.cell in match.moves[-2:]
