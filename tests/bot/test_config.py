"""Settings: what a host may write, and what a host is told."""

from __future__ import annotations

import dataclasses
import logging
import os
from pathlib import Path

import pytest
from dotenv import dotenv_values

from bot.config import Config
from bot.environment import SECRETS, SettingsError, exposed_files, read_environment

EXAMPLE = Path(__file__).parents[2] / ".env.example"


def test_a_token_is_all_that_is_needed() -> None:
    settings = Config.from_env({"DISCORD_TOKEN": "abc"})
    assert settings.database_url.database == "velha.db"
    assert settings.log_level == logging.INFO
    assert settings.dev_guild_id is None
    assert (settings.turn_minutes, settings.challenge_minutes) == (30, 5)


def test_every_setting_stands_in_the_example_with_its_default() -> None:
    example = dotenv_values(EXAMPLE)
    names = [field.name.upper() for field in dataclasses.fields(Config)]
    assert list(example) == names
    given = example | {"DISCORD_TOKEN": "abc"}
    assert Config.from_env(given) == Config.from_env({"DISCORD_TOKEN": "abc"})


def test_every_problem_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
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
            }
        )
    lines = str(refused.value).splitlines()
    names = [field.name.upper() for field in dataclasses.fields(Config)]
    of_any_form = {"HEARTBEAT_FILE", "METRICS_HOST"}
    assert [line.split(":")[0] for line in lines] == [n for n in names if n not in of_any_form]
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("level", ["debug", "INFO", "Warning"])
def test_log_levels_are_known_in_any_case(level: str) -> None:
    settings = Config.from_env({"DISCORD_TOKEN": "abc", "LOG_LEVEL": level})
    assert settings.log_level == getattr(logging, level.upper())


@pytest.mark.parametrize("number", ["1.5", "soon", "10081", "٣", "9" * 5000])
def test_minutes_are_whole_numbers_within_a_week(number: str) -> None:
    with pytest.raises(SettingsError, match=r"TURN_MINUTES: .* whole number"):
        Config.from_env({"DISCORD_TOKEN": "abc", "TURN_MINUTES": number})


def test_shards_are_counted_and_listed() -> None:
    given = {"DISCORD_TOKEN": "abc", "SHARD_COUNT": "4", "SHARD_IDS": "0, 3"}
    settings = Config.from_env(given)
    assert (settings.shard_count, settings.shard_ids) == (4, [0, 3])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"SHARD_IDS": "0"}, "SHARD_IDS: SHARD_COUNT has to say how many"),
        ({"SHARD_IDS": "0,2", "SHARD_COUNT": "2"}, "SHARD_IDS: of 2 shards the last is 1"),
        ({"SHARD_IDS": "0,0", "SHARD_COUNT": "2"}, "SHARD_IDS: '0,0' is not a list of shards"),
    ],
)
def test_shards_have_to_be_among_those_there_are(given: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        Config.from_env({"DISCORD_TOKEN": "abc"} | given)


def test_secrets_appear_in_no_repr() -> None:
    settings = Config.from_env(
        {"DISCORD_TOKEN": "the-token", "DATABASE_URL": "postgres://user:the-password@host/base"}
    )
    assert "the-token" not in repr(settings)
    assert "the-password" not in repr(settings)


def test_what_may_come_from_a_file_is_what_no_repr_shows() -> None:
    secret = [field.name.upper() for field in dataclasses.fields(Config) if not field.repr]
    assert list(SECRETS) == secret


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, and an environment that sets nothing of ours."""
    monkeypatch.chdir(tmp_path)
    for name in SECRETS:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_a_token_may_stand_in_a_file_of_its_own(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docker's secrets and systemd's credentials are such files."""
    (here / "discord_token").write_text("the-token\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "discord_token")
    assert Config.from_env(read_environment()).discord_token == "the-token"


@pytest.mark.parametrize(
    ("content", "written", "said"),
    [
        (b"", "", "DISCORD_TOKEN_FILE: discord_token is empty"),
        (b"\xff", "", "DISCORD_TOKEN_FILE: discord_token is not text in UTF-8"),
        (None, "", "DISCORD_TOKEN_FILE: discord_token cannot be read: No such file"),
        (b"one", "DISCORD_TOKEN=two", "DISCORD_TOKEN_FILE: DISCORD_TOKEN is set as well"),
    ],
)
def test_a_file_that_gives_no_token_is_one_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, written: str, said: str
) -> None:
    (here / ".env").write_text(written)
    if content is not None:
        (here / "discord_token").write_bytes(content)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "discord_token")
    with pytest.raises(SettingsError, match=said):
        read_environment()


@pytest.mark.skipif(os.name != "posix", reason="Windows has rights of another kind")
def test_a_file_is_open_to_others_unless_only_its_owner_may_use_it(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for path, mode in ((ours, 0o600), (theirs, 0o640)):
        path.touch()
        path.chmod(mode)
    assert exposed_files([ours, theirs, tmp_path / "missing"]) == [theirs]


def test_a_token_pasted_with_something_else_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingsError, match="a token has no spaces in it") as refused:
        Config.from_env({"DISCORD_TOKEN": "abc def"})
    assert "abc" not in str(refused.value)


def test_matches_are_kept_for_a_hundred_years_at_most() -> None:
    """No clock reaches further back."""
    given = {"DISCORD_TOKEN": "abc"}
    assert Config.from_env(given | {"KEEP_DAYS": "36500"}).keep_days == 36500
    with pytest.raises(SettingsError, match="from 1 to 36500"):
        Config.from_env(given | {"KEEP_DAYS": "36501"})


def test_what_is_set_to_nothing_is_taken_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hosts list their variables, and leave empty those that nobody gave a value."""
    (tmp_path / ".env").write_text("TURN_MINUTES=7\nKEEP_DAYS=8\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TURN_MINUTES", "")
    monkeypatch.setenv("KEEP_DAYS", "9")
    environment = read_environment()
    assert (environment["TURN_MINUTES"], environment["KEEP_DAYS"]) == ("7", "9")
