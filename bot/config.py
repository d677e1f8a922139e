"""The settings of a host: `Config` and how each of them is parsed."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.environment import (
    ENV_FILE,
    HEARTBEAT_FILE,
    ConfigError,
    exposed_files,
    read_environment,
    secret_files,
    unknown_settings,
)

_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}
"""The drivers by the schemes of database URLs that are supported."""

_FOREIGN_OPTIONS = {
    *("pgbouncer", "schema", "connection_limit", "pool_timeout", "socket_timeout"),  # Prisma
    *("statement_cache_size", "sslaccept"),  # Prisma
    *("supa", "workaround", "uselibpqcompat"),  # Supabase, Vercel and node-postgres
    *("currentSchema", "prepareThreshold", "preparedStatementCacheQueries"),  # JDBC
    *("pool_size", "max_overflow", "prepared_statement_cache_size"),  # SQLAlchemy's users
}
"""Options of other clients of PostgreSQL, which providers show in their URLs."""

_SSL_MODES = {"no-verify": "require", "true": "require", "1": "require", "false": "prefer"}
"""What libpq calls other clients' values of `ssl` or `sslmode`."""

_DEFAULT_DATABASE_URL = "sqlite:///velha.db"

_LOG_LEVELS = {
    name: getattr(logging, name) for name in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
}

_MAX_MINUTES = 7 * 24 * 60
_MAX_DAYS = 100 * 365
_MAX_SHARDS = 10_000

_MAX_URL_LENGTH = 400
"""Discord takes 512 characters, and the name of a file follows."""


def parse_url(text: str) -> URL:
    """Parse a database URL, and choose its driver.

    Raises:
        ValueError: The message is safe to show: it never contains the password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("it is not a well-formed URL, such as sqlite:///velha.db") from None
    if url.drivername not in _DRIVERS:
        schemes = ", ".join(f"{scheme}://" for scheme in _DRIVERS)
        raise ValueError(f"it begins with {url.drivername}://, not with one of {schemes}")
    if "@" in (url.host or ""):
        raise ValueError("write an @ in its password as %40")
    if url.drivername == "sqlite" and (not url.database or ":memory:" in url.database):
        raise ValueError("it names no file, as sqlite:///velha.db does")
    if password := url.query.get("password"):  # SQLAlchemy masks it only where it belongs
        url = url.difference_update_query(["password"]).set(password=str(password))
    if url.get_backend_name() == "sqlite":
        return url.set(drivername=_DRIVERS[url.drivername])
    return _translate_options(url).set(drivername=_DRIVERS[url.drivername])


def changed_options(text: str) -> list[str]:
    """Tell which options of a database URL that `parse_url` takes are left out or changed."""
    before, after = make_url(text).query, parse_url(text).query
    sentences = [
        f"DATABASE_URL: {name} is an option of another client's, and left out."
        for name in sorted(before.keys() - after.keys() - {"password", "ssl"})
    ]
    if before.get("sslmode", before.get("ssl")) != after.get("sslmode"):
        mode = after.get("sslmode", "prefer")
        sentences.append(f"DATABASE_URL: SSL is used as by sslmode={mode}.")
    return sentences


def _translate_options(url: URL) -> URL:
    """Leave out what other clients of PostgreSQL add to URLs; libpq would refuse all of it.

    Raises:
        ValueError: An option would change which tables are used.
    """
    schema = url.query.get("schema", url.query.get("currentSchema", "public"))
    if schema != "public":
        raise ValueError("for a schema write options=-csearch_path%3DNAME, not schema=NAME")
    query = {name: value for name, value in url.query.items() if name not in _FOREIGN_OPTIONS}
    mode = str(query.pop("ssl", query.get("sslmode", "")))
    if mode in _SSL_MODES:
        query["sslmode"] = _SSL_MODES[mode]
    return url.set(query=query)


def describe_url(url: URL) -> str:
    """Name the database of a URL, such as "/var/lib/velha/velha.db", without its password."""
    if url.get_backend_name() == "sqlite":
        return str(Path(str(url.database)).absolute())
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def _setting(parse: Callable[[str], Any], default: str = "", *, secret: bool = False) -> Any:
    """Declare a setting: `parse` gets its text, and raises a ValueError that says what is wrong.

    It never quotes the text, which may be a secret that was pasted after the wrong name.
    """
    return field(repr=not secret, metadata={"parse": parse, "default": default})


def _parse_token(text: str) -> str:
    if not text:
        raise ValueError("it is missing; the developer portal shows it under Bot, Reset Token")
    if not re.fullmatch(r"[\w.-]+", text, re.ASCII):
        raise ValueError("a token has only letters, digits, dots, dashes and underscores")
    return text


def _choice(values: Mapping[str, Any]) -> Callable[[str], Any]:
    """Make a parser of one of several words, in any case."""

    def parse(text: str) -> Any:
        for name, value in values.items():
            if name.lower() == text.lower():
                return value
        raise ValueError(f"it is not one of {', '.join(values)}")

    return parse


def _positive_int(maximum: int, problem: str = "") -> Callable[[str], int]:
    """Make a parser of whole numbers from 1 to a maximum."""

    def parse(text: str) -> int:
        if text.isdecimal() and 1 <= int(text) <= maximum:
            return int(text)
        raise ValueError(problem or f"it is not a whole number from 1 to {maximum}")

    return parse


_parse_server_id = _positive_int(
    2**63 - 1, "it is not a server's id; Copy Server ID in Discord gives it"
)


def _parse_source_url(text: str) -> str:
    if not re.fullmatch(r"https?://\S+", text) or len(text) > _MAX_URL_LENGTH:
        raise ValueError(
            "it is not the address of a repository, such as https://github.com/me/velha"
        )
    return text.rstrip("/").removesuffix(".git")


def _parse_proxy(text: str) -> str:
    url = text if "://" in text else f"http://{text}"
    if not re.fullmatch(r"https?://[^\s/]+/?", url):
        raise ValueError("it is not the address of an HTTP proxy, such as http://proxy:3128")
    return url.rstrip("/")


def parse_webhook(text: str) -> str:
    """Parse the URL of a channel's webhook.

    Raises:
        ValueError: It is none of Discord's.
    """
    # As discord.py takes them, and no other host: what is wrong is told to nobody else.
    host = r"(?:(?:canary|ptb)\.)?discord(?:app)?\.com"
    if not re.fullmatch(rf"https://{host}/api/webhooks/\d{{17,20}}/[\w.-]{{60,}}", text, re.ASCII):
        raise ValueError("it is not a webhook's URL, which Discord copies in a channel's settings")
    return text


def _optional(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Make a parser that returns None for an empty text."""
    return lambda text: parse(text) if text else None


def _parse_shard_ids(text: str) -> list[int]:
    ids = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in ids):
        raise ValueError("it is not a list of shards, such as 0,1,2")
    return sorted({int(part) for part in ids})


@dataclass(frozen=True, slots=True)
class Config:
    """The settings. `.env.example` explains them, under their names in upper case."""

    discord_token: str = _setting(_parse_token, secret=True)
    database_url: URL = _setting(parse_url, _DEFAULT_DATABASE_URL, secret=True)
    log_level: int = _setting(_choice(_LOG_LEVELS), "INFO")
    log_format: str = _setting(_choice({"text": "text", "json": "json"}), "text")
    dev_guild_id: int | None = _setting(_optional(_parse_server_id))
    turn_minutes: int = _setting(_positive_int(_MAX_MINUTES), "30")
    challenge_minutes: int = _setting(_positive_int(_MAX_MINUTES), "5")
    keep_days: int = _setting(_positive_int(_MAX_DAYS), "365")
    shard_count: int | None = _setting(_optional(_positive_int(_MAX_SHARDS)))
    shard_ids: list[int] | None = _setting(_optional(_parse_shard_ids))
    heartbeat_file: Path = _setting(Path, HEARTBEAT_FILE)
    metrics_port: int | None = _setting(_optional(_positive_int(65_535)))
    metrics_host: str = _setting(str, "127.0.0.1")
    port: int | None = _setting(_optional(_positive_int(65_535)))
    https_proxy: str | None = _setting(_optional(_parse_proxy), secret=True)
    no_proxy: str = _setting(str)
    source_url: str | None = _setting(_optional(_parse_source_url))
    owner_webhook_url: str | None = _setting(_optional(parse_webhook), secret=True)

    @classmethod
    def from_env(cls, environment: Mapping[str, str | None]) -> Self:
        """Parse the settings; one that is missing or empty has its default.

        Raises:
            ConfigError: The message has a line for each problem.
        """
        values: dict[str, Any] = {}
        problems: list[str] = []
        for setting in fields(cls):
            text = (environment.get(setting.name.upper()) or "").strip()
            parse, default = setting.metadata["parse"], setting.metadata["default"]
            try:
                values[setting.name] = parse(text or default)
            except ValueError as error:
                problems.append(f"{setting.name.upper()}: {error}")
        problems += _shard_problems(values.get("shard_count"), values.get("shard_ids"))
        if problems:
            raise ConfigError("\n".join(problems))
        return cls(**values)

    def proxy_to(self, host: str) -> str | None:
        """The address of the proxy through which a host is reached; None for directly."""
        domains = [each.strip().lstrip("*.") for each in self.no_proxy.split(",") if each.strip()]
        is_listed = any(f".{host}".endswith(f".{each}" if each else "") for each in domains)
        is_loopback = host in {"localhost", "127.0.0.1", "::1"}
        return None if is_loopback or is_listed else self.https_proxy

    def secrets(self) -> list[str]:
        """What is masked in logs."""
        proxy = urlsplit(self.https_proxy or "")
        webhook = self.owner_webhook_url or ""
        texts = (
            self.discord_token,
            self.database_url.password,
            proxy.netloc,
            proxy.password,
            proxy.netloc.rpartition("@")[2],
            webhook,
            webhook.rpartition("/")[2],
        )
        return [text for text in texts if text]

    def warnings(self, environment: Mapping[str, str | None]) -> list[str]:
        """What is doubtful: exposed files, other clients' options, misspelt names.

        Raises:
            ConfigError: The file `.env` cannot be read.
        """
        paths = [ENV_FILE, *secret_files(environment)]
        url = self.database_url
        if url.get_backend_name() == "sqlite" and url.database:
            paths.append(Path(url.database))
        sentences = [
            f"Other users of this machine can open {path}: chmod 600 {path}"
            for path in exposed_files(paths)
        ]
        if text := (environment.get("DATABASE_URL") or "").strip():
            sentences += changed_options(text)
        return sentences + unknown_settings(self.names())

    @classmethod
    def names(cls) -> list[str]:
        """List the names of the settings, as they are in the environment."""
        return [setting.name.upper() for setting in fields(cls)]


def read_database_url() -> URL:
    """Read DATABASE_URL alone, for commands that need no other setting.

    Raises:
        ConfigError: It is malformed, or cannot be read; the message is safe to show.
    """
    text = read_environment().get("DATABASE_URL")
    try:
        return parse_url(text or _DEFAULT_DATABASE_URL)
    except ValueError as error:
        raise ConfigError(f"DATABASE_URL: {error}") from None


def _shard_problems(count: int | None, ids: list[int] | None) -> list[str]:
    if not ids or (count is not None and max(ids) < count):
        return []
    if count is None:
        return ["SHARD_IDS: SHARD_COUNT has to say how many shards there are in all"]
    return [f"SHARD_IDS: of {count} shards the last is {count - 1}"]
