"""The database URL among a host's settings."""

from __future__ import annotations

import pytest

from bot.config import DatabaseUrlError, parse_url


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///velha.db", "sqlite+pysqlite"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql://u:p@h/d?sslmode=require", "postgresql+psycopg"),
    ],
)
def test_urls_are_taken_as_hosts_hand_them_out(given: str, driver: str) -> None:
    assert parse_url(given).drivername == driver


@pytest.mark.parametrize(
    "given",
    ["", "velha.db", "mysql://u:secret@h/d", "sqlite+x:///a", "://", "postgres://u:p@secret@h/d"],
)
def test_a_url_we_cannot_use_is_refused_without_its_password(given: str) -> None:
    with pytest.raises(DatabaseUrlError) as refused:
        parse_url(given)
    assert "secret" not in str(refused.value)


def test_a_password_in_the_query_is_hidden_like_any_other() -> None:
    url = parse_url("postgresql:///d?host=/run/pg&user=u&password=secret&sslmode=require")
    assert url.password == "secret"
    assert "secret" not in repr(url)
    assert url.query["sslmode"] == "require"
