"""What is logged, and what never is: tokens and passwords, whoever logs them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

import discord

_INTERACTION_TOKENS = (
    r"((?:interactions|webhooks)/\d+/)[^/?\s'\"]+",  # in a URL
    r"(['\"]token['\"]: ?['\"])[^'\"]+",  # in what the gateway says
    r"aW50ZXJhY3Rpb246[\w-]+",  # anywhere: all begin with "interaction:", in base64
)


def set_up(level: int, secrets: Iterable[str]) -> None:
    """Log to standard error from this level on; `secrets` are those of this bot."""
    handler = logging.StreamHandler()
    discord.utils.setup_logging(handler=handler, level=level)
    handler.setFormatter(Discreet(handler.formatter or logging.Formatter(), secrets))
    # What these warn of at every start is meant: no voice, and no intents.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    logging.getLogger("discord.state").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.WARNING)


class Discreet(logging.Formatter):
    """Writes what another formatter writes, without interaction tokens and the secrets given.

    discord.py logs URLs and whole events, and an error may quote either.
    """

    def __init__(self, formatter: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._formatter = formatter
        spelt = {spell(secret) for secret in secrets for spell in (str, _quote, quote_plus)}
        longest_first = sorted(filter(None, spelt), key=len, reverse=True)
        self._secret = re.compile("|".join([*map(re.escape, longest_first), *_INTERACTION_TOKENS]))

    def format(self, record: logging.LogRecord) -> str:
        return self._secret.sub(r"\1\2***", self._formatter.format(record))


def _quote(secret: str) -> str:
    return quote(secret, safe="")
