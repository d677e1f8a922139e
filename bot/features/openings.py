"""Opening matches, of which a channel has one at a time.

The functions of a connection run in a transaction, and lock the live match that they find.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlalchemy import Connection

from bot.domain.ids import time_snowflake
from bot.domain.match_actions import (
    abort,
    cancel,
    expire,
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
from bot.domain.path import chosen_setup, usual_setup
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings
from bot.features import choices, path, settings, stats
from bot.features.bot_moves import NotStored, open_with_bot, waits_for_bot, with_bot_move
from bot.features.counting import save_match
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.matches import (
    add,
    end_unreadable_in,
    is_repeated_challenge,
    live_in,
    load_match,
)
from engine import Mark

_MAX_ATTEMPTS = 3
"""On PostgreSQL another process may open or end a match between two statements."""

_PING_INTERVAL = timedelta(minutes=10)
"""How long a repeated challenge pings nobody."""


@dataclass(frozen=True, slots=True)
class Restart:
    """The match that is to make way for another, if it is the person's own or stands idle.

    `has_opponent_left` says whether the opponent, who would win, has left the server.
    """

    match_id: int
    has_opponent_left: bool


async def open_match(
    context: Context, request: MatchRequest, restart: Restart | None = None
) -> MatchOpened:
    """Open a match in its channel, unless a live one holds it.

    A challenge of the same person's that is still unanswered there is cancelled.

    Raises:
        Refused: The channel has a match, the server allows no boards in it, or the opponent takes
            no challenges.
        UnavailableError: The database or the engine did not answer in time.
    """
    return await open_with_bot(context, _open, request, restart)


def _open(
    connection: Connection,
    context: Context,
    request: MatchRequest,
    restart: Restart | None,
    moved: Match | None,
) -> MatchOpened | NotStored:
    """Store a match; with the bot's move as `moved`, if it had to think first."""
    match = moved or _new_match(connection, context, request)
    if waits_for_bot(match):
        return NotStored(match)
    ended = _end_for(connection, context.runtime, request, restart) if restart else ()
    return store_new(connection, context.runtime, match, request, ended)


def _end_for(
    connection: Connection, runtime: Runtime, request: MatchRequest, restart: Restart
) -> tuple[Match, ...]:
    """End the match that is to make way, if it is the channel's and does; return what ended."""
    match, ended = live_match(connection, runtime, request.place.channel_id)
    if match is None or match.id != restart.match_id:
        return ended
    if match.mark_of(request.opener_id) is not None:
        has_left = restart.has_opponent_left
        over = stop(match, request.opener_id, is_moderator=False, has_opponent_left=has_left)
    elif runtime.deadlines.gives_way(match):
        over = abort(match)
    else:
        return ()
    return (save_match(connection, match, runtime.deadlines.with_deadline(over)),)


def live_match(
    connection: Connection, runtime: Runtime, channel_id: int
) -> tuple[Match | None, tuple[Match, ...]]:
    """The channel's live match, locked; or, if it was overdue, None and the match as it ended."""
    match = live_in(connection, channel_id, for_update=True)
    if match is None or not runtime.deadlines.is_overdue(match):
        return match, ()
    return None, (save_match(connection, match, expire(match)),)


def channel_busy(
    runtime: Runtime,
    current: Match,
    also_changed: tuple[Match, ...],
    request: MatchRequest,
    unopened: Match,
) -> Refused:
    """Why no match is opened in a channel where there is a game, or a challenge, already."""
    return Refused(
        RefusalReason.CHANNEL_BUSY if current.accepted else RefusalReason.CHALLENGE_HERE,
        match=current,
        also_changed=also_changed,
        request=request,
        unopened=unopened,
        gives_way=runtime.deadlines.gives_way(current),
    )


def head_to_head(connection: Connection, x: Player, o: Player) -> HeadToHead | None:
    """The score between two people; None if one of them is hidden."""
    if choices.hidden(connection, [x.user_id, o.user_id]):
        return None
    return stats.head_to_head(connection, x.user_id, o.user_id)


def _new_match(connection: Connection, context: Context, request: MatchRequest) -> Match:
    """The match of a request, with what it leaves open decided; the bot moves if that is quick.

    Raises:
        Refused: The server or the opponent is against it.
    """
    guild_settings = settings.load(connection, request.place.guild_id)
    if request.opponent_id not in (None, context.bot_id):
        return _challenge(connection, context, request, guild_settings)
    walked = path.load(connection, request.opener_id)
    rules = request.rules or guild_settings.rules
    setup = usual_setup(walked, rules)
    if level := request.level or guild_settings.level:
        setup = chosen_setup(walked, rules, level)
    is_first = setup.mark is not Mark.O
    if request.first is not None:
        is_first = _is_opener_first(request.first, context.runtime.rng)
    person, bot = Player(request.opener_id), Player(context.bot_id, setup.level)
    players = (person, bot) if is_first else (bot, person)
    match = _match_of(context, request, guild_settings, players)
    guild_settings.check_channel(match.place.channel_id, request.parent_id, match)
    match = replace(match, trail=path.trail_of(connection, match, walked))
    return with_bot_move(match, context.runtime.rng)


def _challenge(
    connection: Connection, context: Context, request: MatchRequest, guild_settings: GuildSettings
) -> Match:
    assert request.opponent_id is not None, "it is between people"
    opener, opponent = Player(request.opener_id), Player(request.opponent_id)
    is_first = _is_opener_first(request.first, context.runtime.rng)
    players = (opener, opponent) if is_first else (opponent, opener)
    match = _match_of(context, request, guild_settings, players)
    guild_settings.check_channel(match.place.channel_id, request.parent_id, match)
    if not choices.load(connection, request.opponent_id).takes_challenges:
        raise Refused(RefusalReason.NO_CHALLENGES, person_id=request.opponent_id)
    return replace(match, head_to_head=head_to_head(connection, *players))


def _is_opener_first(first: FirstPlayer | None, rng: random.Random) -> bool:
    if first is FirstPlayer.RANDOM:
        first = rng.choice([FirstPlayer.OPENER, FirstPlayer.OPPONENT])
    return first is not FirstPlayer.OPPONENT


def _match_of(
    context: Context,
    request: MatchRequest,
    guild_settings: GuildSettings,
    players: tuple[Player, Player],
) -> Match:
    """The match of a request between its players, X and O."""
    is_against_bot = any(player.is_bot for player in players)
    deadline_at = context.runtime.deadlines.deadline(
        accepted=is_against_bot, turn_minutes=guild_settings.turn_minutes
    )
    return Match(
        id=request.id,
        place=replace(request.place, locale=guild_settings.language or request.place.locale),
        x=players[0],
        o=players[1],
        opened_by=request.opener_id,
        accepted=is_against_bot,
        deadline_at=deadline_at,
        rules=request.rules or guild_settings.rules,
        turn_minutes=guild_settings.turn_minutes,
        is_open=request.leaves_seat_open,
    )


def store_new(
    connection: Connection,
    runtime: Runtime,
    match: Match,
    request: MatchRequest,
    also_changed: tuple[Match, ...] = (),
) -> MatchOpened:
    """Store the new match of a request, unless a live one holds its channel."""
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
        if current.accepted or current.opened_by != request.opener_id or is_later:
            raise channel_busy(runtime, current, also_changed, request, match)

        cancelled = runtime.deadlines.with_deadline(cancel(current, request.opener_id))
        also_changed = (*also_changed, save_match(connection, current, cancelled))
    raise RuntimeError(f"match {match.id} can be neither stored nor found")


def _pinged_user(connection: Connection, runtime: Runtime, match: Match) -> int | None:
    """The user to ping; None for a challenge that was made before and not accepted."""
    if match.accepted:
        return None
    since_id = time_snowflake(runtime.clock.now() - _PING_INTERVAL)
    is_repeated = is_repeated_challenge(connection, match, since_id)
    return None if is_repeated else match.challenged_id
