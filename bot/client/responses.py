"""What Discord's responses tell beside their contents: its time, refusals, and who sent them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import aiohttp
from discord.http import Route

from bot.runtime.clock import Clock

INVALID_STATUSES = (401, 403, 429)
"""Discord bans an address for 10,000 responses of these within ten minutes."""


class NotDiscordError(aiohttp.ClientError):
    """Something else has answered in Discord's place, such as a network's login page."""


def http_trace(clock: Clock, invalid_responses: Counter[int]) -> aiohttp.TraceConfig:
    """Set a clock by the Date header of each of Discord's responses, and count invalid ones.

    A successful request raises a `NotDiscordError` if its response is not in JSON: discord.py would
    take a page for data.
    """

    async def observe(_session: Any, _context: Any, ended: aiohttp.TraceRequestEndParams) -> None:
        response = ended.response
        is_page = response.status == HTTPStatus.OK and response.content_type != "application/json"
        if is_page and _asked(response).startswith(Route.BASE):
            response.close()
            raise NotDiscordError(f"{response.url.host} sent {response.content_type}")
        is_shared = response.headers.get("X-RateLimit-Scope") == "shared"
        if response.status in INVALID_STATUSES and not is_shared:  # Discord does not count these
            invalid_responses[response.status] += 1
        with suppress(KeyError, ValueError):
            clock.observe(parsedate_to_datetime(response.headers["Date"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(observe)
    return trace


def _asked(response: aiohttp.ClientResponse) -> str:
    """The URL that was asked for; others may have been on the way to the response."""
    first, *_ = (*response.history, response)
    return str(first.url)
