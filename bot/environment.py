"""Settings as text: from the environment, the file `.env`, and files with secrets."""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TextIO

from dotenv import dotenv_values
from dotenv.parser import Binding, parse_stream

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

    That is whatever else is in `.env`, and in the environment the names that resemble a setting. A
    line of `.env` without a name and a value may be a secret that belongs to the line before: only
    its number is told.

    Raises:
        ConfigError: The file cannot be read.
    """
    known_names = {*setting_names, *(f"{name}_FILE" for name in SECRETS)}
    lines = _parse_env_file()
    names = {*map(_without_bom, os.environ), *(line.key or "" for line in lines)} - known_names
    similar = {
        name: setting
        for name in names
        for setting in difflib.get_close_matches(name.upper(), known_names, 1, _MIN_SIMILARITY)
    }
    sentences = {f"{name} is not a setting: is it {similar[name]}?" for name in similar}
    for line in lines:
        if line.key not in known_names | similar.keys():
            sentences.add(f"{_describe(line)} is not a setting.")
    return sorted(sentences)


def _describe(line: Binding) -> str:
    """Name a line of `.env` by its name if it has a value, too, else by its number."""
    has_value = line.value and line.value.strip("=")
    if has_value and re.fullmatch(r"[A-Za-z0-9_]+", line.key or ""):
        return str(line.key)
    text = line.original.string  # python-dotenv counts empty lines as the beginning of the next
    number = line.original.line + text[: len(text) - len(text.lstrip())].count("\n")
    return f"Line {number} of .env"


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
    return [path for path in paths if _is_exposed(path)]


def _is_exposed(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:  # it is missing, or in a folder that may not be entered
        return False
    return stat.S_ISREG(mode) and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def _read_env_file() -> dict[str, str | None]:
    with _env_file() as file:
        return dotenv_values(stream=file)


def _parse_env_file() -> list[Binding]:
    """The lines of `.env` but for comments and other programs' settings; one may be of several."""
    with _env_file() as file:
        lines = [line for line in parse_stream(file) if line.key is not None or line.error]
    return [line for line in lines if not (line.key or "").startswith(_FOREIGN_PREFIXES)]


@contextmanager
def _env_file() -> Iterator[TextIO]:
    """Open `.env`; a missing one is empty."""
    try:
        is_there = ENV_FILE.exists()
        with ENV_FILE.open(encoding="utf-8-sig") if is_there else StringIO() as file:
            yield file
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
    file = f"{name}_FILE: the file that it names"  # the path may be the secret itself
    try:
        secret = _unquoted(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not text in UTF-8") from None
    if not secret:
        raise ConfigError(f"{file} is empty")
    return secret


def _without_bom(name: str) -> str:
    """Remove the byte order mark that the first name has if Docker's `--env-file` has one."""
    return name.removeprefix("\ufeff")


def _unquoted(value: str) -> str:
    """Remove quotes around a value, which Docker's `--env-file` keeps."""
    text = value.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text
