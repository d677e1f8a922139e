"""Why something did not happen: reasons that `views.refusals` turns into sentences."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from bot.domain.matches import Match, MatchRequest


class RefusalReason(Enum):
    """Why a press or a command did nothing."""

    # Presses on a match's buttons
    NOT_A_PLAYER = "not a player"
    MAY_JOIN = "may join"
    NOT_YOUR_TURN = "not your turn"
    CELL_TAKEN = "cell taken"
    MATCH_OVER = "match over"
    MATCH_GOING_ON = "match going on"
    OPEN_CHALLENGE = "open challenge"
    NOT_THE_CHALLENGED = "not the challenged"
    NOT_THE_CHALLENGER = "not the challenger"
    SEAT_FOR_OTHERS = "seat for others"
    SEAT_TAKEN = "seat taken"
    REMATCH_ASKED = "rematch asked"
    OUTDATED = "outdated"
    HINT_BETWEEN_PEOPLE = "hint between people"
    HINT_OLD = "hint old"
    BOARD_MOVED = "board moved"
    BOARD_GONE = "board gone"
    TIME_IS_UP = "time is up"
    UNKNOWN_MATCH = "unknown match"

    # Puzzles, moments, and buttons that do nothing
    SHARED_ALREADY = "shared already"
    SHOWN_ALREADY = "shown already"
    MOMENT_ELSEWHERE = "moment elsewhere"
    UNKNOWN_BUTTON = "unknown button"
    ONLY_TO_LOOK_AT = "only to look at"
    PUZZLE_TO_COME = "puzzle to come"
    NO_PUZZLE_YET = "no puzzle yet"

    # Commands
    CHANNEL_BUSY = "channel busy"
    CHALLENGE_HERE = "challenge here"
    BOARDS_ELSEWHERE = "boards elsewhere"
    UNKNOWN_OPTION = "unknown option"
    NO_MATCH_HERE = "no match here"
    NOTHING_TO_REVIEW = "nothing to review"
    NO_SUCH_GAME = "no such game"
    NO_SERVER_HERE = "no server here"
    NO_RANKING_HERE = "no ranking here"
    RANKING_IN_SERVERS = "ranking in servers"
    NOT_YOURS_TO_SET = "not yours to set"
    NOT_YOURS_TO_STOP = "not yours to stop"
    OPPONENT_IS_YOU = "opponent is you"
    OPPONENT_IS_A_BOT = "opponent is a bot"
    NO_CHALLENGES = "no challenges"
    STATS_HIDDEN = "stats hidden"
    STATS_OF_A_BOT = "stats of a bot"
    OPPONENT_ABSENT = "opponent absent"
    TOO_FAST = "too fast"
    UNKNOWN_CHANNEL = "unknown channel"

    # Permissions that the bot or the person needs
    NEEDS_VIEW_CHANNEL = "needs view channel"
    NEEDS_CHECK = "needs check"
    NEEDS_SEND_MESSAGES = "needs send messages"
    NEEDS_SEND_IN_THREADS = "needs send in threads"
    NEEDS_EXTERNAL_APPS = "needs external apps"

    # Nobody's fault
    SUPERSEDED = "superseded"
    TOO_BUSY = "too busy"
    STORE_UNAVAILABLE = "store unavailable"
    BROKEN = "broken"


class UnavailableError(Exception):
    """The bot cannot do what was asked just now, whoever asks; `reason` says why."""

    reason = RefusalReason.BROKEN


class DatabaseTimeoutError(UnavailableError):
    """The database does not answer in time, has failed, or has too many waiting for it."""

    reason = RefusalReason.STORE_UNAVAILABLE


class ShuttingDownError(UnavailableError):
    """The bot is shutting down: another process may take over in a moment."""

    reason = RefusalReason.STORE_UNAVAILABLE


class UnknownChannelError(UnavailableError):
    """The channel is of a kind that discord.py does not know: it does not even tell its id."""

    reason = RefusalReason.UNKNOWN_CHANNEL


class OverloadedError(UnavailableError):
    """The engine is overloaded: too many wait for it, or something took too long."""

    reason = RefusalReason.TOO_BUSY


class Refused(Exception):  # noqa: N818 - no error: it says why nothing happened
    """Raised wherever something is refused; the frame answers with a sentence.

    A transaction that raises it is committed: nothing is written before but the end of matches that
    were in the way, and the withdrawal of a challenge of the person's own.

    Attributes:
        reason: Why.
        match: The match that is in the way.
        person_id: The person who is in the way.
        until: Of puzzles, when there was the first one, or will be the next.
        channels: The channels where boards may be opened.
        request: The match that was asked for.
        unopened: That match as it was to be opened.
        gives_way: Whether the match in the way stands still, and may be ended for that.
        pressed: The match of the board that was pressed, if that is to be redrawn.
        also_changed: Other matches, whose boards are to be redrawn.
    """

    def __init__(  # noqa: PLR0913 - what the sentences of all reasons name
        self,
        reason: RefusalReason,
        *,
        match: Match | None = None,
        person_id: int | None = None,
        until: datetime | None = None,
        channels: tuple[int, ...] = (),
        request: MatchRequest | None = None,
        unopened: Match | None = None,
        gives_way: bool = False,
        pressed: Match | None = None,
        also_changed: tuple[Match, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.match = match
        self.person_id = person_id
        self.until = until
        self.channels = channels
        self.request = request
        self.unopened = unopened
        self.gives_way = gives_way
        self.pressed = pressed
        self.also_changed = also_changed
