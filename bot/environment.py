"""Settings as text: from the environment, the file `.env`, and files with secrets."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

ENV_FILE = Path(".env")

SETTINGS_HINT = "Set these in the environment or in a file named .env (see .env.example):"
"""Said above the problems of settings."""

HEARTBEAT_FILE = "velha.heartbeat"
"""The default of the setting HEARTBEAT_FILE."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL", "HTTPS_PROXY", "OWNER_WEBHOOK_URL")
"""Settings that may be in a file of their own, named by `DISCORD_TOKEN_FILE` and so on."""

_FOREIGN_PREFIXES = ("COMPOSE_", "POSTGRES_", "PG", "PYTHON", "TZ")
"""Prefixes of the names that `.env` may hold for other programs."""

_OTHER_TOKENS = {"TOKEN", "BOT_TOKEN", "DISCORD_BOT_TOKEN", "CLIENT_TOKEN"}
"""What other bots call their token."""

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
    variables = {name: _plain(value) for name, value in os.environ.items() if value}
    for name in ("https_proxy", "no_proxy"):  # in either case, as most programs read them
        if name in variables:
            variables.setdefault(name.upper(), variables[name])
    # Without interpolation: a password may have ${...} in it.
    settings = dotenv_values(stream=StringIO(_env_text()), interpolate=False) | variables
    return settings | _read_secret_files(settings)


def unknown_settings(setting_names: Collection[str]) -> list[str]:
    """Tell what is probably a misspelt setting, each in a sentence.

    That is whatever else is in `.env`, and in the environment the names that resemble a setting. Of
    a line of `.env` that resembles none, only the number is told: it may be a secret.

    Raises:
        ConfigError: The file cannot be read.
    """
    known_names = {*setting_names, *(f"{name}_FILE" for name in SECRETS)}
    lines = [
        line
        for line in parse_stream(StringIO(_env_text()))
        if (line.key or line.error) and not (line.key or "").startswith(_FOREIGN_PREFIXES)
    ]
    names = {*os.environ, *(line.key or "" for line in lines)}
    names_token = not names.isdisjoint({"DISCORD_TOKEN", "DISCORD_TOKEN_FILE"})
    names -= known_names
    similar = {
        name: setting
        for name in names
        for setting in difflib.get_close_matches(name.upper(), known_names, 1, _MIN_SIMILARITY)
    }
    if not names_token:
        similar |= dict.fromkeys(names & _OTHER_TOKENS, "DISCORD_TOKEN")
    sentences = [f"{name} is not a setting: is it {similar[name]}?" for name in sorted(similar)]
    for line in lines:
        if line.key not in known_names | similar.keys():
            # python-dotenv counts the empty lines before it as the beginning of a line.
            text = line.original.string
            number = line.original.line + text[: len(text) - len(text.lstrip())].count("\n")
            sentences.append(f"Line {number} of .env is not a setting.")
    return sentences


def remove_secrets() -> None:
    """Remove the secrets from the environment, which child processes inherit."""
    # One of them is of PostgreSQL beside the bot, in compose.yaml.
    for name in (*SECRETS, "https_proxy", "POSTGRES_PASSWORD"):
        os.environ.pop(name, None)


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
    exposed = []
    for path in paths if os.name == "posix" else ():
        with suppress(OSError):  # it is missing, or in a folder that may not be entered
            if path.stat().st_mode & 0o077:
                exposed.append(path)
    return exposed


def _env_text() -> str:
    """The text of `.env`; a missing one is empty."""
    try:
        return ENV_FILE.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
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


def _plain(value: str) -> str:
    """A variable as `.env` has it: Docker's `--env-file` keeps its quotes and its comment."""
    commented = re.fullmatch(r"""\s*("[^"]*"|'[^']*'|[^\s'"]\S*)\s+#.*""", value)
    return _unquoted(commented[1] if commented else value)


def _unquoted(value: str) -> str:
    """Remove quotes around a value."""
    text = value.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text
