"""Settings as text: from the environment, the file `.env`, and files with secrets."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dotenv import dotenv_values

ENV_FILE = Path(".env")

HEARTBEAT_FILE = "velha.heartbeat"
"""The default of the setting HEARTBEAT_FILE."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL")
"""Settings that may be in a file instead, named by `DISCORD_TOKEN_FILE` and so on."""


class SettingsError(ValueError):
    """Settings are missing, malformed or unreadable; the message names them."""


class UsageError(ValueError):
    """An argument of a command is malformed; the message names it."""


def read_environment() -> dict[str, str | None]:
    """Read all settings, by name; the environment takes precedence over the file `.env`.

    Raises:
        SettingsError: A file cannot be read, or a secret's file is empty or not the only source.
    """
    environment = {name: value for name, value in os.environ.items() if value}
    try:
        settings = {**dotenv_values(ENV_FILE), **environment}
    except UnicodeDecodeError:
        raise SettingsError("The file .env is not text in UTF-8: save it as that.") from None
    except OSError as error:
        raise SettingsError(f"The file .env cannot be read: {error.strerror}") from None
    return {**settings, **dict(_secrets_from_files(settings))}


def _secrets_from_files(settings: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name in SECRETS:
        if path := settings.get(f"{name}_FILE"):
            if settings.get(name):
                raise SettingsError(f"{name}_FILE: {name} is set as well; leave one of them empty")
            yield name, _read_secret(path, name)


def _read_secret(path: str, name: str) -> str:
    try:
        secret = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SettingsError(f"{name}_FILE: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{name}_FILE: {path} is not text in UTF-8") from None
    if not secret:
        raise SettingsError(f"{name}_FILE: {path} is empty")
    return secret


def remove_secrets() -> None:
    """Remove the secrets from the environment, which child processes inherit."""
    for name in SECRETS:
        os.environ.pop(name, None)


def exposed_files(paths: Iterable[Path]) -> list[Path]:
    """Those of the files that other users of this machine can open; none on Windows."""
    if os.name != "posix":
        return []
    others = stat.S_IRWXG | stat.S_IRWXO
    return [path for path in paths if path.is_file() and path.stat().st_mode & others]
