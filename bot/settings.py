"""What a host decides: read once, from the environment and `.env`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Self

from sqlalchemy import URL

from bot.store import async_url

_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_LARGEST_ID = 2**63 - 1
_LONGEST_MINUTES = 7 * 24 * 60


class SettingsError(ValueError):
    """Settings that are missing or malformed: one message that names each."""


def _setting(parse: Callable[[str], Any], default: str = "", *, secret: bool = False) -> Any:
    return field(repr=not secret, metadata={"parse": parse, "default": default})


def _token(text: str) -> str:
    if not text:
        raise ValueError("it is missing; the developer portal shows it under Bot, Reset Token")
    if any(character.isspace() for character in text):
        raise ValueError("a token has no spaces in it")
    return text


def _log_level(text: str) -> int:
    if text.upper() not in _LOG_LEVELS:
        raise ValueError(f"{text!r} is not one of {', '.join(_LOG_LEVELS)}")
    return logging.getLevelNamesMapping()[text.upper()]


def _optional_id(text: str) -> int | None:
    if text and not _is_number(text, _LARGEST_ID):
        raise ValueError(f"{text!r} is not a server's id; Copy Server ID in Discord gives it")
    return int(text) if text else None


def _minutes(text: str) -> int:
    if not _is_number(text, _LONGEST_MINUTES):
        raise ValueError(f"{text!r} is not a whole number from 1 to {_LONGEST_MINUTES}")
    return int(text)


def _is_number(text: str, largest: int) -> bool:
    short = len(text) <= len(str(largest))
    return short and text.isascii() and text.isdigit() and 1 <= int(text) <= largest


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, by the names they have in `.env.example` but in lower case."""

    discord_token: str = _setting(_token, secret=True)
    database_url: URL = _setting(async_url, "sqlite:///velha.db", secret=True)
    log_level: int = _setting(_log_level, "INFO")
    dev_guild_id: int | None = _setting(_optional_id)
    turn_minutes: int = _setting(_minutes, "30")
    challenge_minutes: int = _setting(_minutes, "5")

    @classmethod
    def from_env(cls, environment: Mapping[str, str | None]) -> Self:
        """Read the settings; one that is empty counts as not given.

        Raises:
            SettingsError: Its message has a line for every problem.
        """
        values, problems = {}, []
        for setting in fields(cls):
            try:
                values[setting.name] = _read(setting, environment)
            except ValueError as problem:
                problems.append(f"{setting.name.upper()}: {problem}")
        if problems:
            raise SettingsError("\n".join(problems))
        return cls(**values)


def _read(setting: Field[Any], environment: Mapping[str, str | None]) -> Any:
    text = (environment.get(setting.name.upper()) or "").strip()
    return setting.metadata["parse"](text or setting.metadata["default"])
