"""Opening matches, of which a channel has one at a time.

The functions of a connection run in a transaction, and lock the live match that they find.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from sqlalchemy import Connection

from bot.domain.ids import time_snowflake
from bot.domain.ladder import level_to_pass
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
    Player,
)
from bot.domain.refusals import OverloadedError, Refusal, RefusalReason
from bot.domain.settings import GuildSettings
from bot.features import choices, settings, stats
from bot.runtime.engine_pool import is_move_quick
from bot.runtime.runtime import Runtime
from bot.store.matches import (
    add,
    compare_and_set,
    end_unreadable_in,
    is_repeated_challenge,
    live_in,
    load_match,
)
from engine import Cell, Level, choose_move

_MAX_ATTEMPTS = 3
"""On PostgreSQL another process may open or end a match between two statements."""

_PING_INTERVAL = timedelta(minutes=10)
"""How long a repeated challenge pings nobody."""

_UNCOUNTED_WINDOW = timedelta(minutes=5)
"""How far back matches that ended may be missing from the tallies."""


@dataclass(frozen=True, slots=True)
class BotMovePending:
    """A match in which the bot is to move next, which takes time; nothing is stored yet."""

    match: Match


@dataclass(frozen=True, slots=True)
class _InTheWay:
    """The match that is to make way for another; `has_opponent_left` is as in `PressOrigin`."""

    match_id: int
    has_opponent_left: bool | None


_Outcome = MatchOpened | Refusal | BotMovePending

_Store = Callable[[Connection, Runtime, MatchRequest, Match | None], _Outcome | OpponentCheck]
"""Stores the match of a request, in a transaction; it is given once its first move is chosen."""


async def open_match(runtime: Runtime, request: MatchRequest) -> MatchOpened | Refusal:
    """Open a match in its channel, unless a live one holds it.

    A challenge of the same person's that is still unanswered there is cancelled.

    Raises:
        UnavailableError: The database or the engine did not answer in time.
    """
    outcome = await _store_when_moved(runtime, request, _open)
    assert not isinstance(outcome, OpponentCheck), "no match is ended"
    return outcome


async def restart(
    runtime: Runtime, match_id: int, request: MatchRequest, *, has_opponent_left: bool | None
) -> MatchOpened | Refusal | OpponentCheck:
    """End the channel's live match, if it is this one and makes way, and open another.

    `has_opponent_left` is as in `PressOrigin`.

    Raises:
        UnavailableError: The database or the engine did not answer in time.
    """
    store = partial(_restart, in_the_way=_InTheWay(match_id, has_opponent_left))
    return await _store_when_moved(runtime, request, store)


async def _store_when_moved(
    runtime: Runtime, request: MatchRequest, store: _Store
) -> MatchOpened | Refusal | OpponentCheck:
    """Store a match, after the bot's first move if it begins."""
    outcome = await runtime.database.transact(store, runtime, request, None)
    while isinstance(outcome, BotMovePending):
        match = await with_chosen_move(runtime, outcome.match, runtime.database.seconds)
        outcome = await runtime.database.transact(store, runtime, request, match)
    return outcome


def _open(
    connection: Connection, runtime: Runtime, request: MatchRequest, moved: Match | None
) -> _Outcome:
    match = moved or _match_or_refusal(connection, runtime, request)
    return _store(connection, runtime, match, request) if isinstance(match, Match) else match


def _restart(
    connection: Connection,
    runtime: Runtime,
    request: MatchRequest,
    moved: Match | None,
    in_the_way: _InTheWay,
) -> _Outcome | OpponentCheck:
    match = moved or _match_or_refusal(connection, runtime, request)
    if not isinstance(match, Match):
        return match
    current, ended = live_match(connection, runtime, request.place.channel_id)
    if current is not None and current.id == in_the_way.match_id:
        stopped = _make_way(runtime, current, request.opener_id, in_the_way)
        if isinstance(stopped, RefusalReason):
            return Refusal(stopped, also_changed=ended)
        if isinstance(stopped, OpponentCheck):
            return stopped
        if stopped is not None:
            saved = compare_and_set(connection, runtime.deadlines.with_deadline(stopped))
            assert saved is not None, "it is locked"
            ended = (*ended, saved)
    outcome = _store(connection, runtime, match, request)
    return replace(outcome, also_changed=(*ended, *outcome.also_changed))


def _make_way(
    runtime: Runtime, match: Match, user_id: int, in_the_way: _InTheWay
) -> Match | RefusalReason | OpponentCheck | None:
    """A live match as it ends for another of the user's; None if it does not."""
    if match.mark_of(user_id) is None:
        return abort(match) if runtime.deadlines.gives_way(match) else None
    has_left = in_the_way.has_opponent_left
    stopped = stop(match, user_id, is_moderator=False, has_opponent_left=bool(has_left))
    if has_left is None and isinstance(stopped, Match):
        return check_for_resignation(stopped) or stopped
    return stopped


def live_match(
    connection: Connection, runtime: Runtime, channel_id: int
) -> tuple[Match | None, tuple[Match, ...]]:
    """The channel's live match, locked; or, if it was overdue, None and the match as it ended."""
    match = live_in(connection, channel_id, for_update=True)
    if match is None or not runtime.deadlines.is_overdue(match):
        return match, ()
    saved = compare_and_set(connection, expire(match))
    assert saved is not None, "it is locked"
    return None, (saved,)


def channel_busy_refusal(
    runtime: Runtime,
    current: Match,
    also_changed: tuple[Match, ...],
    request: MatchRequest | None = None,
) -> Refusal:
    """The refusal to open a match in a channel where there is a game, or a challenge, already."""
    return Refusal(
        RefusalReason.CHANNEL_BUSY if current.accepted else RefusalReason.CHALLENGE_HERE,
        current,
        also_changed=also_changed,
        request=request,
        gives_way=runtime.deadlines.gives_way(current),
    )


def with_bot_move(match: Match, rng: random.Random) -> Match | BotMovePending:
    """The match after the bot's move, if it is its turn, and if choosing one is quick."""
    player = match.to_move
    if player is None or player.level is None:
        return match
    if not is_move_quick(match.board):
        return BotMovePending(match)
    return with_move(match, choose_move(match.board, player.level, rng))


async def with_chosen_move(runtime: Runtime, match: Match, seconds: float | None = None) -> Match:
    """The match after the bot's move, which is chosen in the process for moves.

    Raises:
        UnavailableError: There was none in time, where the time is limited.
    """
    player = match.to_move
    assert player is not None, "the match goes on"
    assert player.level is not None, "it is the bot's turn"
    try:
        async with asyncio.timeout(seconds):
            cell = await runtime.engine.choose(match.board, player.level)
    except TimeoutError:
        raise OverloadedError(f"no move within {seconds} seconds") from None
    return with_move(match, cell)


def with_move(match: Match, cell: Cell) -> Match:
    """The match after the bot's move."""
    assert match.to_move is not None, "the match goes on"
    changed = play(match, match.to_move.user_id, cell)
    assert isinstance(changed, Match), "the engine's moves are legal"
    return changed


def head_to_head(connection: Connection, x: Player, o: Player) -> HeadToHead | None:
    """The score between two people; None if one of them is hidden."""
    if choices.hidden(connection, [x.user_id, o.user_id]):
        return None
    return stats.head_to_head(connection, x.user_id, o.user_id)


def _match_or_refusal(
    connection: Connection, runtime: Runtime, request: MatchRequest
) -> Match | BotMovePending | Refusal:
    """The match that a request asks for, unless the server or the opponent is against it."""
    guild_settings = settings.load(connection, request.place.guild_id)
    if refusal := guild_settings.channel_refusal(request.place.channel_id, request.parent_id):
        return refusal
    if request.opponent_id and not choices.load(connection, request.opponent_id).takes_challenges:
        return Refusal(RefusalReason.NO_CHALLENGES, person_id=request.opponent_id)
    return _create_match(connection, runtime, request, guild_settings)


def _create_match(
    connection: Connection, runtime: Runtime, request: MatchRequest, guild_settings: GuildSettings
) -> Match | BotMovePending:
    """The match of a request, with what it leaves open decided; the bot moves if it begins."""
    opener = Player(request.opener_id)
    opponent_id = request.opponent_id or runtime.bot_id
    is_against_bot = opponent_id == runtime.bot_id
    level = None
    if is_against_bot:
        level = request.level or usual_level(connection, runtime, opener.user_id, guild_settings)
    opponent = Player(opponent_id, level)

    first = request.first
    if first is FirstPlayer.RANDOM:
        first = runtime.rng.choice([FirstPlayer.OPENER, FirstPlayer.OPPONENT])
    x, o = (opener, opponent) if first is FirstPlayer.OPENER else (opponent, opener)

    match = Match(
        id=request.id,
        place=replace(request.place, locale=guild_settings.language or request.place.locale),
        x=x,
        o=o,
        opened_by=opener.user_id,
        accepted=is_against_bot,
        deadline_at=runtime.deadlines.deadline(
            accepted=is_against_bot, turn_minutes=guild_settings.turn_minutes
        ),
        rules=request.rules or guild_settings.rules,
        head_to_head=None if is_against_bot else head_to_head(connection, x, o),
        turn_minutes=guild_settings.turn_minutes,
        is_open=request.leaves_seat_open,
    )
    return with_bot_move(match, runtime.rng)


def usual_level(
    connection: Connection, runtime: Runtime, user_id: int, guild_settings: GuildSettings
) -> Level:
    """The bot's level in a match for which a person names none."""
    if guild_settings.level is not None:
        return guild_settings.level
    since = runtime.clock.now() - _UNCOUNTED_WINDOW
    return level_to_pass(stats.ladder_of(connection, user_id, since))


def _store(
    connection: Connection, runtime: Runtime, match: Match, request: MatchRequest
) -> MatchOpened | Refusal:
    """Store a new match, unless a live one holds its channel."""
    also_changed: tuple[Match, ...] = ()
    for _ in range(_MAX_ATTEMPTS):
        if add(connection, match):
            return MatchOpened(match, _pinged_user(connection, runtime, match), also_changed)

        # The channel has a live match, or the id is taken.
        current, ended = live_match(connection, runtime, match.place.channel_id)
        also_changed = (*also_changed, *ended)
        current = current or load_match(connection, match.id)
        if current is None:
            end_unreadable_in(connection, match.place.channel_id)
            continue
        if current.id == match.id:  # stored by a retry, or by another process
            return MatchOpened(current, _pinged_user(connection, runtime, current), also_changed)
        is_later = current.id > match.id  # this request was late, or came a second time
        if current.accepted or current.opened_by != match.opened_by or is_later:
            return channel_busy_refusal(runtime, current, also_changed, request)

        cancelled = cancel(current, current.opened_by)
        assert isinstance(cancelled, Match), "the challenger may cancel it"
        saved = compare_and_set(connection, runtime.deadlines.with_deadline(cancelled))
        assert saved is not None, "it is locked"
        also_changed = (*also_changed, saved)
    raise RuntimeError(f"match {match.id} can be neither stored nor found")


def _pinged_user(connection: Connection, runtime: Runtime, match: Match) -> int | None:
    """The user to ping; None for a challenge that was made before and not accepted."""
    if match.accepted:
        return None
    since_id = time_snowflake(runtime.clock.now() - _PING_INTERVAL)
    is_repeated = is_repeated_challenge(connection, match, since_id)
    return None if is_repeated else match.challenged_id
