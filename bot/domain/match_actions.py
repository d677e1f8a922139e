"""The rules for changing a match: who may do what, and when.

Functions that change a match return the changed match, or a `RefusalReason` if nothing may change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.ids import DELETED_USER_ID, MAX_ID
from bot.domain.matches import (
    Ending,
    EndReason,
    FirstPlayer,
    Match,
    MatchOpened,
    MatchStopped,
    Player,
    head_to_head_after,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import BOARDS_BY_NAME, GuildSettings
from bot.domain.stats import UNBEATABLE
from engine import TIC_TAC_TOE, Cell, Level, Mark, Rules


class MatchAction(Enum):
    """What a press asks for.

    Resigning takes two presses: RESIGN, then CONCEDE to confirm it. HINT asks for a short hint, or
    for all about a cell, and WHY for all about the best one. DESCRIBE gives the position in words.
    REMIND switches reminders of one's turn on or off.
    """

    PLAY = "play"
    HINT = "hint"
    WHY = "why"
    RESIGN = "resign"
    CONCEDE = "concede"
    REMATCH = "rematch"
    EASIER = "easier"
    HARDER = "harder"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    JOIN = "join"
    DESCRIBE = "describe"
    REMIND = "remind"


REMATCHES = (MatchAction.REMATCH, MatchAction.EASIER, MatchAction.HARDER)

_CELL_ACTIONS = (MatchAction.PLAY, MatchAction.HINT)

_CUSTOM_ID = re.compile(
    r"velha:(?P<match_id>[0-9]{1,19}):(?P<version>[0-9]{1,9}):"
    rf"(?P<action>{'|'.join(action.value for action in MatchAction)})(?::(?P<cell>[0-9]{{1,2}}))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A click on a button: its match, the version that was drawn, and the action.

    `str(press)` is the button's custom_id, and `Press.parse` the inverse. PLAY needs a cell, HINT
    may have one, whose move it then explains, and no other action has any.
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
class RestartPage:
    """The button with which a player ends a match and starts another against the bot.

    The options are as in `MatchRequest`.
    """

    match_id: int
    rules: Rules | None = None
    level: Level | None = None
    first: FirstPlayer = FirstPlayer.OPENER

    def __str__(self) -> str:
        rules = self.rules.name if self.rules else ""
        level = self.level.name if self.level else ""
        return f"restart:{self.match_id}:{rules}:{level}:{self.first.value}"

    @classmethod
    def parse(cls, match_id: str, rules: str, level: str, first: str) -> RestartPage:
        """Raise ValueError or KeyError if a field is malformed."""
        return cls(
            int(match_id),
            BOARDS_BY_NAME[rules] if rules else None,
            Level[level] if level else None,
            FirstPlayer(first),
        )


@dataclass(frozen=True, slots=True)
class PressContext:
    """Who pressed a button, and where.

    `interaction_id` is also the id of the rematch that the press may open. `is_ephemeral` says that
    the button was on an ephemeral message, not on the board. `parent_id` is the channel of a
    thread.
    """

    user_id: int
    channel_id: int
    message_id: int
    interaction_id: int
    is_ephemeral: bool = False
    parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """The message that was pressed is to be redrawn; `reason` says why nothing else happened."""

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


def play(match: Match, user_id: int, cell: Cell) -> Match | RefusalReason:
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    if match.mark_of(user_id) is not match.board.to_move:
        return RefusalReason.NOT_YOUR_TURN
    if cell not in match.board.actions():
        return RefusalReason.CELL_TAKEN
    return replace(match, moves=(*match.moves, cell))


def resign(match: Match, user_id: int) -> Match | RefusalReason:
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    mark = match.mark_of(user_id)
    assert mark is not None, "_play_refusal_reason refuses everybody but the players"
    return _end(match, EndReason.RESIGNED, winner=mark.other)


def hint_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    """Why a user gets no hint; None if they are in a match against the bot."""
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    return RefusalReason.HINT_BETWEEN_PEOPLE if match.is_between_people else None


def reminder_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    """Why a user gets no reminders; None if they are in a match with another person."""
    if refusal := _play_refusal_reason(match, user_id):
        return refusal
    return None if match.is_between_people else RefusalReason.UNKNOWN_BUTTON


def _play_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    if match.mark_of(user_id) is None:
        return RefusalReason.MAY_JOIN if match.has_open_seat else RefusalReason.NOT_A_PLAYER
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    return None if match.accepted else RefusalReason.OPEN_CHALLENGE


def accept(match: Match, user_id: int) -> Match | RefusalReason:
    return _answer_refusal_reason(match, user_id) or replace(match, accepted=True)


def decline(match: Match, user_id: int) -> Match | RefusalReason:
    return _answer_refusal_reason(match, user_id) or _end(match, EndReason.DECLINED)


def _answer_refusal_reason(match: Match, user_id: int) -> RefusalReason | None:
    if user_id != match.challenged_id:
        return RefusalReason.NOT_THE_CHALLENGED
    return _challenge_refusal_reason(match)


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


def cancel(match: Match, user_id: int) -> Match | RefusalReason:
    if user_id != match.opened_by:
        return RefusalReason.NOT_THE_CHALLENGER
    return _challenge_refusal_reason(match) or _end(match, EndReason.CANCELLED)


def _challenge_refusal_reason(match: Match) -> RefusalReason | None:
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    return RefusalReason.MATCH_GOING_ON if match.accepted else None


def stop(match: Match, user_id: int, *, is_moderator: bool) -> Match | RefusalReason:
    """End a match by command: a player resigns, cancels or declines; a moderator voids it."""
    if not match.is_live:
        return RefusalReason.MATCH_OVER
    if match.mark_of(user_id) is None:
        return end_by_moderator(match) if is_moderator else RefusalReason.NOT_YOURS_TO_STOP
    if match.accepted:
        return resign(match, user_id)
    if user_id == match.opened_by:
        return cancel(match, user_id)
    return decline(match, user_id)


def end_by_moderator(match: Match) -> Match:
    """End a match without a result, on behalf of a moderator."""
    return _end(match, EndReason.STOPPED)


def leave(match: Match) -> Match:
    """End a match because the data of one of its players is deleted; a challenge lapses."""
    return _end(match, EndReason.LEFT if match.accepted else EndReason.LAPSED)


def abort(match: Match) -> Match:
    """End a match that could not be shown to anybody; a challenge lapses."""
    return _end(match, EndReason.CALLED_OFF if match.accepted else EndReason.LAPSED)


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


def ask_for_rematch(match: Match, user_id: int, next_id: int) -> Match | RefusalReason:
    """Ask for another match: the bot agrees at once, a person by asking too.

    Returns:
        This match, waiting for the other player or, once both agreed, followed by `next_id`.
    """
    if match.mark_of(user_id) is None:
        return RefusalReason.NOT_A_PLAYER
    if not can_have_rematch(match):
        return RefusalReason.MATCH_GOING_ON if match.is_live else RefusalReason.MATCH_OVER
    if match.rematch_asked_by == user_id:
        return RefusalReason.REMATCH_ASKED
    if match.is_between_people and match.rematch_asked_by is None:
        return replace(match, rematch_asked_by=user_id)
    return replace(match, rematch_asked_by=user_id, next_id=next_id)


def can_have_rematch(match: Match) -> bool:
    """Whether a rematch may follow: an accepted match has ended, and both players are known.

    None follows a match that a moderator ended, or that has one already.
    """
    has_ended = match.ending is not None and match.ending.reason is not EndReason.STOPPED
    is_player_deleted = match.mark_of(DELETED_USER_ID) is not None
    return has_ended and match.accepted and match.next_id is None and not is_player_deleted


def easier_level(match: Match) -> Level | None:
    """The level to suggest below this match's; None at the lowest, or if the bot was beaten.

    From the highest, two levels are skipped: they are as good as unbeatable, too.
    """
    level = match.bot_level
    if level is None or level is Level.CHILD or _was_bot_beaten(match):
        return None
    return Level.HARD if level is Level.IMPOSSIBLE else _shift_level(level, -1)


def harder_level(match: Match) -> Level | None:
    """The level to suggest above this match's; None at the highest, or if it was not passed."""
    level = match.bot_level
    if level is None or level is Level.IMPOSSIBLE or not _was_passed(match, level):
        return None
    return next_level(level)


def next_level(level: Level) -> Level:
    """The level above one that is not the highest."""
    return _shift_level(level, +1)


def _was_passed(match: Match, level: Level) -> bool:
    """Whether the bot was beaten, or drawn with where nothing better is possible."""
    is_drawn = match.ending is not None and match.ending.reason is EndReason.DRAWN
    is_best = is_drawn and level in UNBEATABLE and match.rules == TIC_TAC_TOE
    return is_best or _was_bot_beaten(match)


def _was_bot_beaten(match: Match) -> bool:
    winner = match.ending.winner if match.ending else None
    return winner is not None and not match.players[winner].is_bot


def has_bot_won(match: Match) -> bool:
    """Whether the bot has won a match against a person."""
    winner = match.ending.winner if match.ending else None
    return winner is not None and match.players[winner].is_bot


def _shift_level(level: Level, offset: int) -> Level:
    """The level so many steps above another, or below if `offset` is negative."""
    levels = list(Level)
    return levels[levels.index(level) + offset]


def without_next_match(match: Match) -> Match:
    """Undo the agreement on a rematch that failed to open: the first to ask is asking again."""
    second_to_ask = match.rematch_asked_by
    first_to_ask = None
    if second_to_ask and match.is_between_people:
        first_to_ask = match.opponent_of(second_to_ask)
    return replace(match, next_id=None, rematch_asked_by=first_to_ask)


def next_match(
    match: Match, deadline_at: datetime, settings: GuildSettings, level: Level | None = None
) -> Match:
    """The rematch with the id `match.next_id`: the same players with their sides swapped.

    The rules stay, and so does the bot's level unless `level` is given; the language and the turn
    length are those that the server has set by now.
    """
    assert match.next_id is not None, "a rematch opens only when both players have agreed"
    score = head_to_head_after(match)
    locale = settings.language or match.place.locale
    return Match(
        id=match.next_id,
        place=replace(match.place, message_id=None, locale=locale),
        x=_with_level(match.o, level),
        o=_with_level(match.x, level),
        opened_by=match.opened_by,
        accepted=True,
        deadline_at=deadline_at,
        rules=match.rules,
        head_to_head=score.reversed_sides if score else None,
        turn_minutes=settings.turn_minutes,
    )


def _with_level(player: Player, level: Level | None) -> Player:
    """The bot at a level, if one is given; people unchanged."""
    return replace(player, level=level) if player.is_bot and level else player


def outdated_refusal_reason(press: Press, match: Match, user_id: int) -> RefusalReason | None:
    """Why a press on an outdated board did nothing; None if its action was already carried out.

    That happens with a double click, or when two processes receive the same press.
    """
    is_joining = press.action is MatchAction.JOIN
    if match.mark_of(user_id) is None:
        return RefusalReason.SEAT_TAKEN if is_joining else RefusalReason.NOT_A_PLAYER
    has_joined = is_joining and user_id != match.opened_by
    if has_joined or is_already_played(press, match, user_id):
        return None
    return RefusalReason.OUTDATED


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
