"""Logging, with tokens and passwords masked, whichever library logs them."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from urllib.parse import quote, quote_plus

import discord
from pythonjsonlogger.json import JsonFormatter

_SECRETS = (
    r"(://[^/\s:@]*:)[^\s@]+(?=@)",  # a password in a URL
    r"(password=\\*['\"]?)[^\s&'\"\\]+",
    r"((?:interactions|webhooks)/\d+/)[^/?\s'\"]+",  # in a URL
    r"(\\*['\"]token\\*['\"]: ?\\*['\"])[^'\"\\]+",  # in a gateway event, as JSON or a Python repr
    r"aW50ZXJhY3Rpb246[\w-]+",  # anywhere: all begin with "interaction:" in base64
)
"""Passwords, and tokens of interactions, where they are known by what stands around them."""

_MIN_SECRET_LENGTH = 9
"""A shorter secret is only masked where it is known by what stands around it: it may be a word."""


def set_up(level: int, log_format: str, secrets: Iterable[str]) -> None:
    """Log to standard error from `level` up, as `text` or `json`, with `secrets` masked."""
    handler = logging.StreamHandler()
    discord.utils.setup_logging(handler=handler, level=level)
    formatter = handler.formatter
    if log_format == "json":
        formatter = JsonLinesFormatter()
    elif formatter is None or not handler.stream.isatty():
        # discord.py's own formatter writes colours, also in Docker, where nobody sees them.
        layout = "[{asctime}] [{levelname:<8}] {name}: {message}"
        formatter = logging.Formatter(layout, "%Y-%m-%d %H:%M:%S", style="{")
    handler.setFormatter(MaskingFormatter(formatter, secrets))
    # At every start, discord.py warns that voice and intents are missing: the bot needs neither.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    logging.getLogger("discord.state").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("discord.shard").addFilter(_shorten_connection_error)


def _shorten_connection_error(record: logging.LogRecord) -> bool:
    """Have discord.py log a failed connection without a traceback.

    What it logs of each attempt to connect is dropped: `bot.client.reconnect` logs the first.
    """
    if record.exc_info:
        error = record.exc_info[1]
        record.msg = f"{record.getMessage()} {error or type(error).__name__}"
        record.args = record.exc_info = None
    return not record.msg.startswith(("Attempting a reconnect", "Failed to connect for shard_id"))


class JsonLinesFormatter(JsonFormatter):
    """Writes one JSON object per line; times are UTC."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        names = {"asctime": "time", "levelname": "level", "name": "logger", "exc_info": "error"}
        super().__init__(["asctime", "levelname", "name", "message"], rename_fields=names)
        self.converter = time.gmtime


class MaskingFormatter(logging.Formatter):
    """Masks secrets in the output of another formatter."""

    def __init__(self, formatter: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._formatter = formatter
        self._mask = masker(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return self._mask(self._formatter.format(record))


def masker(secrets: Iterable[str]) -> Callable[[str], str]:
    """Make a function that masks secrets in a text: those given, and the patterns above.

    discord.py logs URLs and whole events, and errors may quote both.
    """
    long_ones = [secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH]
    encoded = {text for secret in long_ones for text in _encodings(secret)}
    longest_first = sorted(encoded, key=len, reverse=True)
    patterns = [*_SECRETS, *map(re.escape, longest_first)]
    return partial(re.compile("|".join(patterns)).sub, _mask)


def _mask(secret: re.Match[str]) -> str:
    """Replace a secret by asterisks; text that its pattern has in a group is kept."""
    prefix = next((group for group in secret.groups() if group is not None), "")
    return f"{prefix}***"


def _encodings(secret: str) -> tuple[str, ...]:
    """Write a secret as it is, as in the path or query of a URL, and as in JSON."""
    return secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]
