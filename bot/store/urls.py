"""Database URLs as hosts hand them out."""

from __future__ import annotations

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}


class DatabaseUrlError(ValueError):
    """A database URL that is malformed, or of an unsupported kind of database."""


def parse_url(text: str) -> URL:
    """Parse a database URL and set the driver that we use for it.

    Raises:
        DatabaseUrlError: The message is safe to show: it never holds the password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise DatabaseUrlError("it is not a well-formed URL, such as sqlite:///velha.db") from None
    if url.drivername not in _DRIVERS:
        known = ", ".join(f"{scheme}://" for scheme in _DRIVERS)
        raise DatabaseUrlError(f"it begins with {url.drivername}://, not with one of {known}")
    if "@" in (url.host or ""):
        raise DatabaseUrlError("write an @ in its password as %40")
    return _with_known_password(url).set(drivername=_DRIVERS[url.drivername])


def _with_known_password(url: URL) -> URL:
    """Move a password in the query to where it is hidden whenever the URL is shown."""
    if "password" not in url.query:
        return url
    return url.difference_update_query(["password"]).set(password=str(url.query["password"]))
