"""Errors of requests to Discord and of background work."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import aiohttp
import discord

from bot.domain.refusals import DatabaseTimeoutError, ShuttingDownError, UnavailableError

DISCORD_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""What a request to Discord may raise; OSError covers the TimeoutError of our own time limits."""

UNKNOWN_MEMBER = 10007
_ALREADY_ACKNOWLEDGED = 40060
_REFUSED_CONTENT = (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN)


def error_summary(error: Exception) -> str:
    """An error's message on one line; its type if it has no message."""
    return " ".join(str(error).split()) or type(error).__name__


def is_already_answered(error: Exception) -> bool:
    """Whether Discord has an answer already: from another process, or from an earlier attempt."""
    return isinstance(error, discord.HTTPException) and error.code == _ALREADY_ACKNOWLEDGED


def is_refusal(error: Exception) -> bool:
    """Whether Discord has refused a request for good, so that it is not to be sent again."""
    return isinstance(error, discord.HTTPException) and 400 <= error.status < 500


def is_refused_content(error: Exception) -> bool:
    """Whether Discord has refused what a message would show, and takes another answer.

    AutoMod does so, and a permission that is missing.
    """
    return isinstance(error, discord.HTTPException) and error.status in _REFUSED_CONTENT


_log = logging.getLogger(__name__)


@contextmanager
def log_errors(summary: str) -> Iterator[None]:
    """Log and suppress errors in background work; each message starts with `summary`."""
    try:
        yield
    except (ShuttingDownError, DatabaseTimeoutError):
        pass  # logged when the database goes away, and when it is back
    except UnavailableError as error:
        _log.error("%s: %s", summary, error)
    except DISCORD_ERRORS as error:
        _log.warning("%s: %s", summary, error_summary(error))
    except Exception:  # noqa: BLE001 - it would be lost otherwise
        _log.exception("%s.", summary)
