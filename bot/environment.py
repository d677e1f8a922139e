"""Settings as text: from the environment, the file `.env`, and files with secrets."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from dotenv import dotenv_values

ENV_FILE = Path(".env")

HEARTBEAT_FILE = "velha.heartbeat"
"""The default of the setting HEARTBEAT_FILE."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL")
"""Settings that may be in a file of their own, named by `DISCORD_TOKEN_FILE` and so on."""

_FOREIGN_SECRETS = ("POSTGRES_PASSWORD",)
"""Secrets of other programs: compose.yaml can run PostgreSQL beside the bot."""

_FOREIGN_PREFIXES = ("COMPOSE_", "POSTGRES_", "PG", "PYTHON", "TZ")
"""Prefixes of the names that `.env` may hold for other programs."""

_MIN_SIMILARITY = 0.85
"""From here on, an unknown name is taken for a misspelt setting."""


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
    settings = _read_env_file() | variables
    return settings | _read_secret_files(settings)


def unknown_settings(setting_names: Collection[str]) -> list[str]:
    """Name what is probably a misspelt setting, each in a sentence.

    That is every unknown name in `.env`, and in the environment those that resemble a setting.

    Raises:
        ConfigError: The file cannot be read.
    """
    known_names = {*setting_names, *(f"{name}_FILE" for name in SECRETS)}
    file_names = {name for name in _read_env_file() if not name.startswith(_FOREIGN_PREFIXES)}
    names = file_names | set(map(_without_bom, os.environ))
    sentences = []
    for name in sorted(names - known_names):
        similar = difflib.get_close_matches(name.upper(), known_names, 1, _MIN_SIMILARITY)
        if similar:
            sentences.append(f"{name} is not a setting: is it {similar[0]}?")
        elif name in file_names:
            sentences.append(f"{name} is not a setting.")
    return sentences


def remove_secrets() -> None:
    """Remove the secrets from the environment, which child processes inherit."""
    for name in list(os.environ):
        if _without_bom(name) in {*SECRETS, *_FOREIGN_SECRETS}:
            del os.environ[name]


def secret_files(settings: Mapping[str, str | None]) -> list[Path]:
    """List the files with secrets, except those that systemd made for this process alone."""
    variables = (settings.get(f"{name}_FILE") for name in SECRETS)
    paths = [Path(value) for value in variables if value]
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if not credentials:
        return paths
    return [path for path in paths if not path.is_relative_to(credentials)]


def exposed_files(paths: Iterable[Path]) -> list[Path]:
    """List those of the files that other users of this machine can open; none on Windows."""
    if os.name != "posix":
        return []
    others = stat.S_IRWXG | stat.S_IRWXO
    return [path for path in paths if path.is_file() and path.stat().st_mode & others]


def _read_env_file() -> dict[str, str | None]:
    try:
        return dotenv_values(ENV_FILE, encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("The file .env is not text in UTF-8: save it as that.") from None
    except OSError as error:
        raise ConfigError(f"The file .env cannot be read: {error.strerror}") from None


def _read_secret_files(settings: Mapping[str, str | None]) -> dict[str, str | None]:
    secrets: dict[str, str | None] = {}
    for name in SECRETS:
        path = settings.get(f"{name}_FILE")
        if not path:
            continue
        if settings.get(name):
            raise ConfigError(f"{name}_FILE: {name} is set as well; leave one of them empty")
        secrets[name] = _read_secret(path, name)
    return secrets


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


def _without_bom(name: str) -> str:
    """Remove the byte order mark that the first name has if Docker's `--env-file` has one."""
    return name.removeprefix("\ufeff")


def _unquoted(value: str) -> str:
    """Remove quotes around a value, which Docker's `--env-file` keeps."""
    text = value.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text
