"""A host's settings: what may be written there, and what is said of mistakes."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from bot.config import Config, changed_options, parse_url
from bot.environment import ConfigError
from tests.bot.fake_discord import OWNER_WEBHOOK

EXAMPLE = Path(__file__).parents[2] / ".env.example"


def test_only_a_token_is_required() -> None:
    settings = Config.from_env({"DISCORD_TOKEN": "abc"})
    assert settings.database_url.database == "velha.db"
    assert settings.log_level == logging.INFO
    assert settings.dev_guild_id is None
    assert (settings.turn_minutes, settings.challenge_minutes) == (30, 5)


def test_every_setting_is_in_the_example_with_its_default() -> None:
    example = dotenv_values(EXAMPLE)
    names = [field.name.upper() for field in dataclasses.fields(Config)]
    assert list(example) == names
    given = example | {"DISCORD_TOKEN": "abc"}
    assert Config.from_env(given) == Config.from_env({"DISCORD_TOKEN": "abc"})


@pytest.mark.parametrize(
    "text",
    [
        "https://git.example/me/velha",
        " https://git.example/me/velha.git ",
        "https://git.example/me/velha/",
    ],
)
def test_the_address_of_the_source_is_that_of_the_repository(text: str) -> None:
    settings = Config.from_env({"DISCORD_TOKEN": "abc", "SOURCE_URL": text})
    assert settings.source_url == "https://git.example/me/velha"


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_env(
            {
                "DISCORD_TOKEN": " ",
                "DATABASE_URL": "mysql://user:secret@host/base",
                "LOG_LEVEL": "loud",
                "LOG_FORMAT": "xml",
                "DEV_GUILD_ID": "my server",
                "TURN_MINUTES": "0",
                "CHALLENGE_MINUTES": "-1",
                "KEEP_DAYS": "for ever",
                "SHARD_COUNT": "0",
                "SHARD_IDS": "1;2",
                "METRICS_PORT": "65536",
                "PORT": "http",
                "HTTPS_PROXY": "socks5://secret@proxy:1080",
                "SOURCE_URL": "github.com/me/velha",
                "OWNER_WEBHOOK_URL": "https://secret.example/api/webhooks/1/secret",
            }
        )
    lines = str(refused.value).splitlines()
    names = [field.name.upper() for field in dataclasses.fields(Config)]
    of_any_form = {"HEARTBEAT_FILE", "METRICS_HOST", "NO_PROXY"}
    assert [line.split(":")[0] for line in lines] == [n for n in names if n not in of_any_form]
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        OWNER_WEBHOOK.replace("https", "http"),
        OWNER_WEBHOOK.replace("discord.com", "discord.com.example"),
        OWNER_WEBHOOK.replace("discord.com", "example/discord.com"),
        OWNER_WEBHOOK.replace("discord.com", "me@discord.com"),
        f"{OWNER_WEBHOOK}/github",
    ],
)
def test_the_owner_s_webhook_has_to_be_discord_s(url: str) -> None:
    assert config_of("OWNER_WEBHOOK_URL", OWNER_WEBHOOK) == OWNER_WEBHOOK
    with pytest.raises(ConfigError, match="it is not a webhook's URL"):
        config_of("OWNER_WEBHOOK_URL", url)


def config_of(name: str, text: str) -> Any:
    """What a setting is read as."""
    return getattr(Config.from_env({"DISCORD_TOKEN": "abc"} | {name: text}), name.lower())


@pytest.mark.parametrize("written", [str.lower, str.upper, str.title, " {} ".format])
@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("LOG_LEVEL", {"debug": logging.DEBUG, "info": logging.INFO, "error": logging.ERROR}),
        ("LOG_FORMAT", {"json": "json", "text": "text"}),
    ],
)
def test_choices_are_read_in_any_case(
    name: str, choices: dict[str, object], written: Callable[[str], str]
) -> None:
    for text, choice in choices.items():
        assert config_of(name, written(text)) == choice


@pytest.mark.parametrize(
    ("name", "maximum"),
    [
        ("TURN_MINUTES", 7 * 24 * 60),
        ("CHALLENGE_MINUTES", 7 * 24 * 60),
        ("KEEP_DAYS", 36_500),  # no clock reaches further back
        ("SHARD_COUNT", 10_000),
        ("METRICS_PORT", 65_535),
        ("PORT", 65_535),
    ],
)
def test_numbers_are_whole_and_from_one_to_a_maximum(name: str, maximum: int) -> None:
    assert [config_of(name, str(number)) for number in (1, maximum)] == [1, maximum]
    for refused in ("0", "-1", str(maximum + 1), "1.5", "soon"):
        with pytest.raises(ConfigError, match=f"{name}: .* from 1 to {maximum}"):
            config_of(name, refused)


def test_shards_are_a_count_and_a_list() -> None:
    given = {"DISCORD_TOKEN": "abc", "SHARD_COUNT": "4", "SHARD_IDS": "3, 0"}
    settings = Config.from_env(given)
    assert (settings.shard_count, settings.shard_ids) == (4, [0, 3])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"SHARD_IDS": "0"}, "SHARD_IDS: SHARD_COUNT has to say how many"),
        ({"SHARD_IDS": "0,2", "SHARD_COUNT": "2"}, "SHARD_IDS: of 2 shards the last is 1"),
        ({"SHARD_IDS": "0,-1", "SHARD_COUNT": "2"}, "SHARD_IDS: it is not a list of shards"),
    ],
)
def test_shard_ids_have_to_be_within_the_count(given: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        Config.from_env({"DISCORD_TOKEN": "abc"} | given)


def test_secrets_appear_in_no_repr() -> None:
    settings = Config.from_env(
        {"DISCORD_TOKEN": "the-token", "DATABASE_URL": "postgres://user:the-password@host/base"}
    )
    assert "the-token" not in repr(settings)
    assert "the-password" not in repr(settings)


@pytest.mark.parametrize("name", Config.names())
@pytest.mark.parametrize("pasted", ["MTIz.GaBc.the-secret", "postgresql://u:the-secret@h/d"])
def test_a_secret_pasted_after_another_name_is_not_shown(name: str, pasted: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_env({"SHARD_COUNT": "none", name: pasted})
    assert "the-secret" not in str(refused.value)


def test_a_token_pasted_with_something_else_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="a token has only letters") as refused:
        Config.from_env({"DISCORD_TOKEN": "abc def"})
    assert "abc" not in str(refused.value)


# The URL of the database


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///velha.db", "sqlite+pysqlite"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql://u:p@h/d?sslmode=require", "postgresql+psycopg"),
    ],
)
def test_urls_are_accepted_as_hosting_services_write_them(given: str, driver: str) -> None:
    assert parse_url(given).drivername == driver


@pytest.mark.parametrize(
    "given",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
    ],
)
def test_a_database_that_would_be_lost_with_its_connection_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="it names no file, as sqlite:///"):
        parse_url(given)


@pytest.mark.parametrize(
    "given",
    ["", "velha.db", "mysql://u:secret@h/d", "sqlite+x:///a", "://", "postgres://u:p@secret@h/d"],
)
def test_an_unusable_url_is_refused_without_showing_its_password(given: str) -> None:
    with pytest.raises(ValueError, match=r"it |write an @") as refused:
        parse_url(given)
    assert "secret" not in str(refused.value)


def test_a_password_in_the_query_is_hidden_like_any_other() -> None:
    url = parse_url("postgresql:///d?host=/run/pg&user=u&password=secret&sslmode=require")
    assert url.password == "secret"
    assert "secret" not in repr(url)
    assert url.query["sslmode"] == "require"


@pytest.mark.parametrize(
    ("options", "kept", "said"),
    [
        ("pgbouncer=true&schema=public", {}, ["pgbouncer is an option", "schema is an option"]),
        ("sslmode=no-verify", {"sslmode": "require"}, ["sslmode=require"]),
        ("ssl=true&supa=x", {"sslmode": "require"}, ["supa is an option", "sslmode=require"]),
        ("sslmode=verify-full", {"sslmode": "verify-full"}, []),
        ("application_name=x", {"application_name": "x"}, []),
        ("colour=red", {"colour": "red"}, []),
    ],
)
def test_options_of_other_clients_are_left_out_and_that_is_said(
    options: str, kept: dict[str, str], said: list[str]
) -> None:
    text = f"postgresql://u:the-password@h/d?{options}"
    assert parse_url(text).query == kept
    sentences = changed_options(text)
    assert len(sentences) == len(said)
    assert all(part in sentence for part, sentence in zip(said, sentences, strict=True))


def test_another_schema_is_not_left_out() -> None:
    with pytest.raises(ValueError, match="search_path"):
        parse_url("postgresql://u@h/d?schema=velha")
