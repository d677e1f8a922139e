"""Opening, reposting, stopping, expiring and pruning matches.

`services.match_actions` has what the buttons of a match do.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from bot.domain.ids import EPOCH, time_snowflake
from bot.domain.match_actions import (
    OpponentCheck,
    abort,
    cancel,
    check_for_resignation,
    expire,
    play,
    stop,
)
from bot.domain.matches import (
    FirstPlayer,
    HeadToHead,
    Match,
    MatchOpened,
    MatchRequest,
    MatchStopped,
    Place,
    Player,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.rematches import without_next_match
from bot.domain.settings import GuildSettings
from bot.domain.stats import level_to_beat
from bot.features import choices, moments, puzzles, ranking, settings, stats
from bot.runtime.deadlines import Deadlines
from bot.runtime.executor import Executor, for_answer, in_background
from bot.store.store import Store
from engine import Cell, Level, choose_move

_MAX_ATTEMPTS = 3

_PING_INTERVAL = timedelta(minutes=10)
"""How long a repeated challenge pings nobody."""

_UNCOUNTED_WINDOW = timedelta(minutes=5)
"""How far back matches that ended may be missing from the tallies."""

_KEEP_UNPLAYED = timedelta(days=1)
"""How long matches are kept that ended without a move."""


class MatchOperations:
    """Operations that `MatchService` and `MatchActionService` share.

    They use the database, so call them in threads.
    """

    def __init__(self, store: Store, deadlines: Deadlines, rng: random.Random) -> None:
        self._database = store.database
        self._matches = store.matches
        self._deadlines = deadlines
        self.rng = rng

    def settings_of(self, place: Place) -> GuildSettings:
        with self._database.autocommit() as connection:
            return settings.load(connection, place.guild_id)

    def live_match(self, channel_id: int) -> tuple[Match | None, tuple[Match, ...]]:
        """The channel's live match; or, if that was overdue, None and the match as it was ended."""
        while True:
            match = self._matches.live_in(channel_id)
            if match is None or not self._deadlines.is_overdue(match):
                return match, ()
            if saved := self._matches.save(expire(match)):
                return None, (saved,)

    def with_bot_move(self, match: Match) -> Match:
        """The match after the bot's move, if it is its turn; for boards where that is quick."""
        player = match.to_move
        if player is None or player.level is None:
            return match
        return with_move(match, choose_move(match.board, player.level, self.rng))

    def head_to_head(self, x: Player, o: Player) -> HeadToHead | None:
        """The score between two people; None if one of them is hidden."""
        with self._database.autocommit() as connection:
            if choices.hidden(connection, [x.user_id, o.user_id]):
                return None
            return stats.head_to_head(connection, x.user_id, o.user_id)


def with_move(match: Match, cell: Cell) -> Match:
    """The match after the bot's move."""
    assert match.to_move is not None, "the match goes on"
    changed = play(match, match.to_move.user_id, cell)
    assert isinstance(changed, Match), "the engine's moves are legal"
    return changed


def channel_busy_refusal(
    current: Match, also_changed: tuple[Match, ...], request: MatchRequest | None = None
) -> Refusal:
    """The refusal to open a match in a channel where there is a game, or a challenge, already."""
    reason = RefusalReason.CHANNEL_BUSY if current.accepted else RefusalReason.CHALLENGE_HERE
    return Refusal(reason, current, also_changed=also_changed, request=request)


class MatchService:
    """Everything that happens to matches except presses on their buttons.

    A channel has at most one live match. `bot_id` is the bot's own user id.
    """

    def __init__(
        self,
        store: Store,
        executor: Executor,
        operations: MatchOperations,
        deadlines: Deadlines,
        *,
        bot_id: int,
    ) -> None:
        self.executor = executor
        self._database = store.database
        self._matches = store.matches
        self._operations = operations
        self._deadlines = deadlines
        self._bot_id = bot_id

    @for_answer
    def open(self, request: MatchRequest) -> MatchOpened | Refusal:
        """Open a match in its channel, unless a live one holds it.

        A challenge of the same person's that is still unanswered there is cancelled.
        """
        match = self._match_or_refusal(request)
        return match if isinstance(match, Refusal) else self._open(match, request)

    @for_answer
    def restart(self, match_id: int, request: MatchRequest) -> MatchOpened | Refusal:
        """End the channel's live match as `stop` does if it is this one, and open another.

        Nothing is ended unless the other is opened.
        """
        match = self._match_or_refusal(request)
        if isinstance(match, Refusal):
            return match
        ended: tuple[Match, ...] = ()
        for _ in range(_MAX_ATTEMPTS):
            current, expired = self._operations.live_match(request.place.channel_id)
            ended = (*ended, *expired)
            if current is None or current.id != match_id:
                break
            stopped = stop(current, request.opener_id, is_moderator=False)
            if isinstance(stopped, RefusalReason):
                return Refusal(stopped, also_changed=ended)
            opened = self._operations.with_bot_move(match)
            stopped = self._deadlines.with_deadline(stopped)
            if saved := self._matches.save_with_next_match(stopped, opened):
                return MatchOpened(opened, also_changed=(*ended, saved))
        outcome = self._open(match, request)
        return replace(outcome, also_changed=(*ended, *outcome.also_changed))

    def _match_or_refusal(self, request: MatchRequest) -> Match | Refusal:
        """The match that a request asks for, unless the server or the opponent is against it."""
        settings = self._operations.settings_of(request.place)
        if refusal := settings.channel_refusal(request.place.channel_id, request.parent_id):
            return refusal
        if request.opponent_id and not self._takes_challenges(request.opponent_id):
            return Refusal(RefusalReason.NO_CHALLENGES, person_id=request.opponent_id)
        return self._create_match(request, settings)

    def _takes_challenges(self, user_id: int) -> bool:
        with self._database.autocommit() as connection:
            return choices.load(connection, user_id).takes_challenges

    def _open(self, match: Match, request: MatchRequest) -> MatchOpened | Refusal:
        """Store a new match, unless a live one holds its channel."""
        also_changed: tuple[Match, ...] = ()
        for _ in range(_MAX_ATTEMPTS):
            opened = self._operations.with_bot_move(match)
            if self._matches.add(opened):
                return MatchOpened(opened, self._pinged_user(opened), also_changed)

            # The channel has a live match, or the id is taken.
            current, ended = self._operations.live_match(match.place.channel_id)
            also_changed = (*also_changed, *ended)
            current = current or self._matches.load(match.id)
            if current is None:
                continue
            if current.id == match.id:  # stored by a retry, or by another process
                return MatchOpened(current, self._pinged_user(current), also_changed)
            is_later = current.id > match.id  # this request was late, or came a second time
            if current.accepted or current.opened_by != match.opened_by or is_later:
                return channel_busy_refusal(current, also_changed, request)

            cancelled = cancel(current, current.opened_by)
            assert isinstance(cancelled, Match), "the challenger may cancel it"
            if saved := self._matches.save(self._deadlines.with_deadline(cancelled)):
                also_changed = (*also_changed, saved)
        raise RuntimeError(f"match {match.id} can be neither stored nor found")

    def _create_match(self, request: MatchRequest, settings: GuildSettings) -> Match:
        """The match of a request, with what it leaves open decided."""
        opener = Player(request.opener_id)
        opponent_id = request.opponent_id or self._bot_id
        is_against_bot = opponent_id == self._bot_id
        level = self._bot_level(request, settings) if is_against_bot else None
        opponent = Player(opponent_id, level)

        first = request.first
        if first is FirstPlayer.RANDOM:
            first = self._operations.rng.choice([FirstPlayer.OPENER, FirstPlayer.OPPONENT])
        x, o = (opener, opponent) if first is FirstPlayer.OPENER else (opponent, opener)

        locale = settings.language or request.place.locale
        deadline_at = self._deadlines.deadline(
            accepted=is_against_bot, turn_minutes=settings.turn_minutes
        )
        return Match(
            id=request.id,
            place=replace(request.place, locale=locale),
            x=x,
            o=o,
            opened_by=opener.user_id,
            accepted=is_against_bot,
            deadline_at=deadline_at,
            rules=request.rules or settings.rules,
            head_to_head=None if is_against_bot else self._operations.head_to_head(x, o),
            turn_minutes=settings.turn_minutes,
            is_open=request.leaves_seat_open,
        )

    def _bot_level(self, request: MatchRequest, settings: GuildSettings) -> Level:
        if level := request.level or settings.level:
            return level
        since = self._deadlines.clock.now() - _UNCOUNTED_WINDOW
        with self._database.autocommit() as connection:
            return level_to_beat(stats.passed_levels(connection, request.opener_id, since))

    def _pinged_user(self, match: Match) -> int | None:
        """The user to ping; None for a challenge that was made before and not accepted."""
        if match.accepted:
            return None
        since_id = time_snowflake(self._deadlines.clock.now() - _PING_INTERVAL)
        is_repeated = self._matches.is_repeated_challenge(match, since_id)
        return None if is_repeated else match.challenged_id

    @for_answer
    def repost(self, channel_id: int) -> Match | Refusal:
        """The channel's live match, to be posted again."""
        match, ended = self._operations.live_match(channel_id)
        return match or Refusal(RefusalReason.NO_MATCH_HERE, also_changed=ended)

    @for_answer
    def stop(
        self,
        *,
        channel_id: int,
        user_id: int,
        is_moderator: bool,
        interaction_id: int,
        has_opponent_left: bool | None = False,
    ) -> MatchStopped | OpponentCheck | Refusal:
        """End the channel's live match on behalf of a player or a moderator.

        A match that was opened after the interaction is not meant. `has_opponent_left` is as in
        `PressContext`.
        """
        match, ended = self._operations.live_match(channel_id)
        if match is None or match.id > interaction_id:
            return Refusal(RefusalReason.NO_MATCH_HERE, also_changed=ended)
        while True:
            stopped = stop(
                match,
                user_id,
                is_moderator=is_moderator,
                has_opponent_left=bool(has_opponent_left),
            )
            if isinstance(stopped, RefusalReason):
                return Refusal(stopped)
            check = check_for_resignation(stopped)
            if check is not None and has_opponent_left is None:
                return check
            if saved := self._matches.save(self._deadlines.with_deadline(stopped)):
                return MatchStopped(saved)
            current = self._matches.load(match.id)  # somebody has moved meanwhile
            if current is None or not current.is_live:
                return Refusal(RefusalReason.NO_MATCH_HERE)
            match = current

    @in_background
    def load(self, match_id: int) -> Match | None:
        """The match as stored now; None if there is none."""
        return self._matches.load(match_id)

    @in_background
    def record_shown(self, match: Match, message_id: int) -> bool:
        """Store which message shows a match, unless a newer one does.

        Returns:
            Whether it shows the match as stored; False if that has changed, or is shown elsewhere.
        """
        return self._matches.record_message(match.id, message_id) == match.version

    @in_background
    def abandon(self, match: Match, previous: Match | None = None) -> None:
        """End a match that could not be posted, which frees its channel.

        `previous` is the match whose rematch it was; that one may then have another.
        """
        while True:
            stored = self._matches.load(match.id)
            if stored is None or stored.version != match.version:
                break
            if stored.place.message_id is not None:
                return  # another process showed it
            ended = self._deadlines.with_deadline(abort(stored))
            self._matches.save(ended)  # fails if a hint was counted meanwhile: try again

        if previous is not None:
            self._matches.save(without_next_match(previous))

    @in_background
    def expire(self) -> list[Match]:
        """End some of the matches whose time is up."""
        now = self._deadlines.clock.trusted_now()
        return [] if now is None else self._matches.expire_due(now, expire)

    @in_background
    def prune(self) -> int:
        """Delete some ended matches: those past `keep`, and those over a day old without a move.

        Attempts at puzzles are kept as long as matches, moments go with their matches, and points
        of a month are kept until the puzzle of its last day can no longer be solved.

        Returns:
            How many rows were deleted.
        """
        now = self._deadlines.clock.trusted_now()
        if now is None:
            return 0
        oldest = max(now - self._deadlines.limits.keep, EPOCH)
        oldest_id = time_snowflake(oldest)
        deleted = self._matches.prune_unplayed(time_snowflake(now - _KEEP_UNPLAYED))
        with self._database.write() as connection:
            deleted += puzzles.prune(connection, oldest.date())
        deleted += self._matches.prune(oldest, oldest_id)
        with self._database.write() as connection:
            deleted += moments.prune(connection, oldest_id)
            deleted += ranking.prune_months(connection, (now - timedelta(days=1)).date())
        return deleted
