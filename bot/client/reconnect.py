"""Connecting again after an outage of Discord, within a minute of its end.

discord.py's own pauses grow to 17 minutes, and while it waits for one shard, no other connects. If
the gateway closes a connection before HELLO, discord.py tries again without a pause, or gives up.
"""

from __future__ import annotations

import asyncio
import logging
import math
from http import HTTPStatus

from discord import DiscordException
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard

from bot.client.unreadable_events import log_unreadable
from bot.messaging.waiting import wait_for_discord

_FIRST_PAUSE_SECONDS = 1.0

_MAX_PAUSE_SECONDS = 45
"""Between two attempts; discord.py waits five more before it identifies."""

_FIRST_REFUSED_SECONDS = 60
"""The first pause after a refusal by Discord, or by Cloudflare in front of it."""

MAX_REFUSED_SECONDS = 15 * 60
"""The longest pause after a refusal."""

_ATTEMPT_SECONDS = 60
"""discord.py gives an attempt up by then: a later request means that the shard was connected."""

_RESUME_SECONDS = 30
"""For how long to try to resume a session: its part of the gateway may be gone for good."""

_REFUSAL_STATUSES = {HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
_CONNECTING = {EventType.reconnect, EventType.resume, EventType.identify}

_log = logging.getLogger(__name__)


class TooFewSessionsError(ConnectionError):
    """Few session starts are left today; Discord resets the token of a bot that starts more."""

    status = HTTPStatus.TOO_MANY_REQUESTS


class ReconnectingBot(commands.AutoShardedBot):
    """A bot whose shards connect again by themselves, however long Discord was away."""

    async def launch_shards(self) -> None:
        await super().launch_shards()
        for info in self.shards.values():
            _ConnectionSchedule(info._parent)  # noqa: SLF001 - the only way to the shard itself

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Leave enough sessions for a restart.

        Raises:
            TooFewSessionsError: No more than that are left.
            GatewayNotFound: Discord does not say how many are left.
        """
        if shard_id in self.shards:
            limits = await wait_for_discord(self.fetch_session_start_limits(), _ATTEMPT_SECONDS)
            if limits.remaining <= len(self.shards):
                raise TooFewSessionsError(f"{limits.remaining} sessions may be started")
        await super().before_identify_hook(shard_id, initial=initial)


class _ConnectionSchedule:
    """When a shard connects: at once after a quiet time, then after growing pauses.

    It takes the shard's events before discord.py does, which connects the shard or ends the bot,
    and replaces the pauses between attempts, for which discord.py has no setting.
    """

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._pass_on = shard._queue_put  # noqa: SLF001
        shard._queue_put = self.handle_event  # noqa: SLF001
        shard._backoff = ExponentialBackoff(base=0)  # noqa: SLF001
        self._pause_seconds = _FIRST_PAUSE_SECONDS
        self._lost_at = -math.inf
        self._attempt_at = -math.inf
        self._is_outage_logged = False

    def handle_event(self, event: EventItem) -> None:
        """Have discord.py handle an event; one that connects the shard, only when that is due.

        An error that is not discord.py's own is about a message that it cannot read; the shard then
        goes on listening.
        """
        error = event.error
        if event.type == EventType.terminate and not isinstance(error, DiscordException | None):
            log_unreadable("of the connection", error)
            self._shard.launch()
            return
        if event.type not in _CONNECTING:
            self._pass_on(event)
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        has_failed = event.type == EventType.reconnect or now - self._attempt_at <= _ATTEMPT_SECONDS
        if not has_failed:  # a connection was lost
            self._lost_at = now
            self._pause_seconds = _FIRST_PAUSE_SECONDS
            self._is_outage_logged = False
        elif not self._is_outage_logged:
            self._is_outage_logged = True
            reason = str(error) or type(error).__name__
            _log.warning(
                "Shard %d cannot connect: %s. It tries until it can.", self._shard.id, reason
            )
        longest, first = _MAX_PAUSE_SECONDS, 0
        if must_slow_down(error):
            longest, first = MAX_REFUSED_SECONDS, _FIRST_REFUSED_SECONDS
        self._pause_seconds = min(max(2 * self._pause_seconds, first), longest)
        self._attempt_at = max(now, self._attempt_at + self._pause_seconds)
        _log.debug("Shard %d connects in %.0f seconds.", self._shard.id, self._attempt_at - now)
        loop.call_at(self._attempt_at, self._pass_on, self._connection_event(event))

    def _connection_event(self, event: EventItem) -> EventItem:
        """Resume the session if it may still be there, else start another.

        Never as EventType.reconnect: that ends the bot if the gateway hangs up.
        """
        is_recent = self._attempt_at - self._lost_at < _RESUME_SECONDS
        has_session = event.type != EventType.identify and self._shard.ws.session_id is not None
        resume = is_recent and has_session
        event_type = EventType.resume if resume else EventType.identify
        return EventItem(event_type, self._shard, ReconnectWebSocket(self._shard.id, resume=resume))


def must_slow_down(error: Exception | None) -> bool:
    """Whether an error is, or was caused by, a response that says that the bot asks too much."""
    if error is None:
        return False
    statuses = {getattr(cause, "status", None) for cause in (error, error.__cause__)}
    return not statuses.isdisjoint(_REFUSAL_STATUSES)
