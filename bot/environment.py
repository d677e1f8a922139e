"""Settings as text: from the environment, the file `.env`, and files with secrets."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from dotenv import dotenv_values

ENV_FILE = Path(".env")

HEARTBEAT_FILE = "velha.heartbeat"
"""The default of the setting HEARTBEAT_FILE."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL")
"""Settings that may be in a file instead, named by `DISCORD_TOKEN_FILE` and so on."""


_FOREIGN_SECRETS = ("POSTGRES_PASSWORD",)
"""What else `.env` holds where compose.yaml runs PostgreSQL beside the bot."""

_FOREIGN_PREFIXES = ("COMPOSE_", "POSTGRES_", "PG", "PYTHON", "TZ")
"""Prefixes of the names that `.env` may hold for other programs."""

_MIN_SIMILARITY = 0.85


class ConfigError(ValueError):
    """Settings are missing, malformed or unreadable; the message names them."""


class UsageError(ValueError):
    """An argument of a command is malformed; the message names it."""


def read_environment() -> dict[str, str | None]:
    """Read all settings, by name; the environment takes precedence over the file `.env`.

    Raises:
        ConfigError: A file cannot be read, or a secret's file is empty or not the only source.
    """
    variables = {
        _without_bom(name): _unquoted(value) for name, value in os.environ.items() if value
    }
    settings = {**_env_file(), **variables}
    return {**settings, **dict(_secrets_from_files(settings))}


def _without_bom(name: str) -> str:
    """A name without the byte order mark that it has if an `--env-file` begins with one."""
    return name.removeprefix("\ufeff")


def _unquoted(value: str) -> str:
    """A value without quotes around it: `.env` may have them, and `--env-file` keeps them."""
    text = value.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text


def _env_file() -> dict[str, str | None]:
    try:
        return dotenv_values(ENV_FILE, encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("The file .env is not text in UTF-8: save it as that.") from None
    except OSError as error:
        raise ConfigError(f"The file .env cannot be read: {error.strerror}") from None


def unknown_settings(setting_names: Collection[str]) -> list[str]:
    """Sentences about names that are none of ours: any in `.env`, near misses in the environment.

    Raises:
        ConfigError: The file cannot be read.
    """
    names = {*setting_names, *(f"{name}_FILE" for name in SECRETS)}
    in_file = {name for name in _env_file() if not name.startswith(_FOREIGN_PREFIXES)}
    sentences = []
    for name in sorted({*in_file, *map(_without_bom, os.environ)} - names):
        close_names = difflib.get_close_matches(name.upper(), names, n=1, cutoff=_MIN_SIMILARITY)
        if close_names or name in in_file:
            hint = f": is it {close_names[0]}?" if close_names else "."
            sentences.append(f"{name} is not a setting{hint}")
    return sentences


def _secrets_from_files(settings: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name in SECRETS:
        if path := settings.get(f"{name}_FILE"):
            if settings.get(name):
                raise ConfigError(f"{name}_FILE: {name} is set as well; leave one of them empty")
            yield name, _read_secret(path, name)


def _read_secret(path: str, name: str) -> str:
    try:
        secret = _unquoted(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{name}_FILE: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{name}_FILE: {path} is not text in UTF-8") from None
    if not secret:
        raise ConfigError(f"{name}_FILE: {path} is empty")
    return secret


def remove_secrets() -> None:
    """Remove the secrets from the environment, which child processes inherit."""
    for name in list(os.environ):
        if _without_bom(name) in {*SECRETS, *_FOREIGN_SECRETS}:
            del os.environ[name]


def secret_files(settings: Mapping[str, str | None]) -> list[Path]:
    """The files that hold secrets, except those that systemd has made for this process alone."""
    names = (settings.get(f"{name}_FILE") for name in SECRETS)
    paths = [Path(name) for name in names if name]
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if not credentials:
        return paths
    return [path for path in paths if not path.is_relative_to(credentials)]


def exposed_files(paths: Iterable[Path]) -> list[Path]:
    """Those of the files that other users of this machine can open; none on Windows."""
    if os.name != "posix":
        return []
    others = stat.S_IRWXG | stat.S_IRWXO
    return [path for path in paths if path.is_file() and path.stat().st_mode & others]
