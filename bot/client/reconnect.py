"""Connecting for the first time, and again after an outage of Discord, within a minute of its end.

discord.py's own pauses grow to 17 minutes, and while it waits for one shard, no other connects. If
the gateway closes a connection before HELLO, discord.py tries again without a pause, or gives up.
At the first connection it logs an error every five seconds, with a traceback.
"""

from __future__ import annotations

import asyncio
import logging
import math
import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import aiohttp
from discord import ConnectionClosed, DiscordException, GatewayNotFound, LoginFailure, RateLimited
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard
from yarl import URL

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
_CONNECTION_ERRORS = (GatewayNotFound, aiohttp.ClientError, OSError)

_FINAL_CODES = {4004, 4010, 4011, 4012, 4013, 4014}
"""With which Discord closes a connection that it would close again."""

_CONNECTING = {EventType.reconnect, EventType.resume, EventType.identify}

_log = logging.getLogger(__name__)


class TooFewSessionsError(ConnectionError):
    """Few session starts are left today; Discord resets the token of a bot that starts more."""

    status = HTTPStatus.TOO_MANY_REQUESTS


class ReconnectingBot(commands.AutoShardedBot):
    """A bot whose shards connect by themselves, however long Discord is away."""

    _launched_shard: int | None = None
    _schedules: Mapping[int, _ConnectionSchedule] = {}

    async def launch_shards(self) -> None:
        pauses = _Pauses("The bot")
        while self.shard_count is None and not self.is_closed():
            try:
                self.shard_count, _url, _sessions = await self.fetch_gateway()
            except _CONNECTION_ERRORS as error:
                await pauses.wait_after(error)
        await super().launch_shards()
        self._schedules = {
            shard_id: _ConnectionSchedule(info._parent)  # noqa: SLF001 - the only way to the shard
            for shard_id, info in self.shards.items()
        }

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard for the first time; try until it can.

        Raises:
            DiscordException: No other attempt would do better.
        """
        if shard_id == self._launched_shard and (failed := sys.exception()):
            raise failed  # discord.py would go on by calling this once more
        pauses = _Pauses(f"Shard {shard_id}")
        while not self.is_closed():
            try:
                await self._check_sessions(reserved=0)
                self._launched_shard = shard_id
                return await super().launch_shard(gateway, shard_id, initial=initial)
            except Exception as error:
                is_final = isinstance(error, ConnectionClosed) and error.code in _FINAL_CODES
                if is_final or isinstance(error, LoginFailure):
                    raise
                await pauses.wait_after(error)
            finally:
                self._launched_shard = None

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Leave enough sessions for a restart, once the shard has been connected.

        Raises:
            ConnectionError: No more than that are left.
            GatewayNotFound: Discord does not say how many are left.
            LoginFailure: The token was reset, which ends the bot.
        """
        if shard_id in self.shards:
            await self._check_sessions(reserved=len(self.shards))
        await super().before_identify_hook(shard_id, initial=initial)

    async def on_shard_connect(self, shard_id: int) -> None:
        if shard_id in self._schedules:
            self._schedules[shard_id].is_connected = True

    async def on_shard_resumed(self, shard_id: int) -> None:
        await self.on_shard_connect(shard_id)

    async def _check_sessions(self, *, reserved: int) -> None:
        _shards, _url, sessions = await self.fetch_gateway()
        if sessions["remaining"] <= reserved:
            raise TooFewSessionsError(f"{sessions['remaining']} sessions may be started")

    async def fetch_gateway(self) -> tuple[int, str, Mapping[str, Any]]:
        """Ask how many shards Discord advises, where they connect, and how many sessions may start.

        Raises:
            LoginFailure: The token was reset.
            GatewayNotFound, ConnectionError, TimeoutError: Discord does not say.
        """
        try:
            request = self.http.get_bot_gateway()
            shards, url, sessions = await wait_for_discord(request, _ATTEMPT_SECONDS)
        except GatewayNotFound as error:
            if getattr(error.__cause__, "status", None) == HTTPStatus.UNAUTHORIZED:
                raise LoginFailure("the token was reset") from error
            raise
        except RateLimited as error:  # which is not among the errors that discord.py expects
            raise ConnectionError(str(error)) from error
        return shards, url, sessions


class _Pauses:
    """The pauses between attempts to connect, which grow; the first failure is logged."""

    def __init__(self, who: str) -> None:
        self._who = who
        self._seconds = _FIRST_PAUSE_SECONDS
        self._is_logged = False

    def next_after(self, error: Exception | None) -> float:
        """The seconds to wait after a failure, or from a loss of the connection, which has none."""
        longest, first = _MAX_PAUSE_SECONDS, 0
        if must_slow_down(error):
            longest, first = MAX_REFUSED_SECONDS, _FIRST_REFUSED_SECONDS
        self._seconds = min(max(2 * self._seconds, first), longest)
        return self._seconds

    def log_once(self, error: Exception | None) -> None:
        if not self._is_logged:
            self._is_logged = True
            reason = str(error) or type(error).__name__
            if isinstance(error, ReconnectWebSocket):
                reason = "Discord ends each connection"
            _log.warning("%s cannot connect: %s. It tries until it can.", self._who, reason)

    async def wait_after(self, error: Exception) -> None:
        """Log a failure, and wait until the next attempt is due."""
        self.log_once(error)
        await asyncio.sleep(self.next_after(error))


class _ConnectionSchedule:
    """When a shard connects: at once after a quiet time, then after growing pauses.

    It takes the shard's events before discord.py does, which connects the shard or ends the bot,
    and replaces the pauses between attempts, for which discord.py has no setting.
    """

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._pass_on = shard._queue_put  # noqa: SLF001 - there is no public hook
        shard._queue_put = self.handle_event  # noqa: SLF001 - as above
        shard._backoff = ExponentialBackoff(base=0)  # noqa: SLF001 - nor a setting
        self.is_connected = True
        self._pauses = _Pauses(f"Shard {shard.id}")
        self._lost_at = -math.inf
        self._attempt_at = -math.inf

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
            self._pauses = _Pauses(f"Shard {self._shard.id}")
        elif not self.is_connected:
            self._pauses.log_once(error)
        self.is_connected = False
        self._attempt_at = max(now, self._attempt_at + self._pauses.next_after(error))
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
    causes = (error, error.__cause__) if error else ()
    return any(
        isinstance(cause, RateLimited) or getattr(cause, "status", None) in _REFUSAL_STATUSES
        for cause in causes
    )
