"""Where settings come from: the environment, `.env`, and files that hold one secret."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from bot.config import Config
from bot.environment import (
    SECRETS,
    ConfigError,
    exposed_files,
    read_environment,
    secret_files,
    unknown_settings,
)
from tests.bot.files import unprivileged

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GaBcDe.the_rest-of-a_token-0123456789abcdefgh"
URL = "postgresql://velha:the-password@host/velha"


def test_settings_from_files_are_those_hidden_from_repr() -> None:
    secret = [field.name.upper() for field in dataclasses.fields(Config) if not field.repr]
    assert list(SECRETS) == secret


def test_a_token_may_be_in_a_file_of_its_own(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Docker's secrets and systemd's credentials are such files."""
    (here / "discord_token").write_text("the-token\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "discord_token")
    assert Config.from_env(read_environment()).discord_token == "the-token"


@pytest.mark.parametrize(
    ("content", "written", "said"),
    [
        (b"", "", "DISCORD_TOKEN_FILE: the file that it names is empty"),
        (b"\xff", "", "DISCORD_TOKEN_FILE: the file that it names is not text in UTF-8"),
        (None, "", "DISCORD_TOKEN_FILE: the file that it names cannot be read: No such file"),
        (b"one", "DISCORD_TOKEN=two", "DISCORD_TOKEN_FILE: DISCORD_TOKEN is set as well"),
    ],
)
def test_a_file_without_a_token_is_reported_in_one_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, written: str, said: str
) -> None:
    (here / ".env").write_text(written)
    if content is not None:
        (here / "discord_token").write_bytes(content)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "discord_token")
    with pytest.raises(ConfigError, match=said):
        read_environment()


def test_a_settings_file_that_is_not_text_or_a_folder_is_reported_in_one_sentence(
    here: Path,
) -> None:
    """Docker makes a folder where it is to mount a file that is not there."""
    (here / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    with pytest.raises(ConfigError, match=r"The file \.env is not text in UTF-8"):
        read_environment()
    (here / ".env").unlink()
    (here / ".env").mkdir()
    with pytest.raises(ConfigError, match=r"The file \.env cannot be read: Is a directory"):
        read_environment()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("secret", [TOKEN, TOKEN * 100, URL])
def test_a_secret_in_place_of_its_file_s_name_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, secret: str
) -> None:
    monkeypatch.setenv(f"{name}_FILE", secret)
    with pytest.raises(ConfigError, match=f"{name}_FILE: the file that it names") as refused:
        read_environment()
    assert secret not in str(refused.value)


@pytest.mark.skipif(os.name != "posix", reason="Windows has rights of another kind")
def test_a_file_is_exposed_unless_only_its_owner_may_use_it(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for path, mode in ((ours, 0o600), (theirs, 0o640)):
        path.touch()
        path.chmod(mode)
    assert exposed_files([ours, theirs, tmp_path / "missing"]) == [theirs]
    (tmp_path / "locked").mkdir(mode=0)
    with unprivileged(tmp_path):
        assert exposed_files([ours, theirs, tmp_path / "locked" / "velha.db"]) == [theirs]


def test_empty_variables_are_taken_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hosts list their variables, and leave empty those that nobody gave a value."""
    (tmp_path / ".env").write_text("TURN_MINUTES=7\nKEEP_DAYS=8\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TURN_MINUTES", "")
    monkeypatch.setenv("KEEP_DAYS", "9")
    environment = read_environment()
    assert (environment["TURN_MINUTES"], environment["KEEP_DAYS"]) == ("7", "9")


# What editors and container engines add


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("given", ['"the-token"', "'the-token'", ' "the-token" ', "the-token"])
def test_quotes_around_a_value_are_no_part_of_it(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """`docker run --env-file` hands them over."""
    monkeypatch.setenv("DISCORD_TOKEN", given)
    monkeypatch.setenv("TURN_MINUTES", '"7"')
    settings = Config.from_env(read_environment())
    assert (settings.discord_token, settings.turn_minutes) == ("the-token", 7)


def test_a_byte_order_mark_is_no_part_of_a_file(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / ".env").write_text("TURN_MINUTES=7\nKEEP_DAYS=8\n", encoding="utf-8-sig")
    (here / "discord_token").write_text("the-token\n", encoding="utf-8-sig")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "discord_token")
    settings = Config.from_env(read_environment())
    assert (settings.discord_token, settings.turn_minutes) == ("the-token", 7)


# Names that are none of ours


def test_a_misspelt_name_in_the_file_is_named_and_another_by_its_line(here: Path) -> None:
    (here / ".env").write_text(
        "DISCORD_TOKEN=x\nDATABASE_URL_FILE=y\nCOMPOSE_PROFILES=postgresql\nPOSTGRES_PASSWORD=x\n"
        "SHARD_ID=1\nturn_minutes=7\nCOLOUR=red\n"
    )
    assert unknown_settings(Config.names()) == [
        "SHARD_ID is not a setting: is it SHARD_IDS?",
        "turn_minutes is not a setting: is it TURN_MINUTES?",
        "Line 7 of .env is not a setting.",
    ]


@pytest.mark.parametrize(
    "pasted",
    [
        f"DISCORD_TOKEN=\n{TOKEN}",
        f"\n{TOKEN}",
        f"\n\t{TOKEN} ",
        f"# {TOKEN}\n'{TOKEN}'",
        f"\n{TOKEN}==",
        f"\n{URL}",
        f"\n{URL}?sslmode=require",
        "POSTGRES_PASSWORD=\nhunter2",
        "POSTGRES_PASSWORD=\naHVudGVyMg==",
        "POSTGRES_PASSWORD=\nhunter 2",
    ],
)
def test_a_secret_pasted_beside_its_name_is_called_by_its_line(here: Path, pasted: str) -> None:
    (here / ".env").write_text(f'# ours\nLOG_LEVEL="INFO"\n\n{pasted}\nTURN_MINUTES=7\n')
    assert unknown_settings(Config.names()) == ["Line 5 of .env is not a setting."]


@pytest.mark.usefixtures("here")
def test_of_the_environment_only_what_is_nearly_ours_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DATABSE_URL", "COLOUR", "LOG_FILE", "TEST_DATABASE_URL", "DISCORD_TOKEN_FILE"):
        monkeypatch.setenv(name, "x")
    said = ["DATABSE_URL is not a setting: is it DATABASE_URL?"]
    assert unknown_settings(Config.names()) == said


def test_a_secret_s_file_is_looked_at_unless_systemd_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {"DISCORD_TOKEN_FILE": "/run/credentials/velha.service/token", "DISCORD_TOKEN": ""}
    assert secret_files(settings) == [Path("/run/credentials/velha.service/token")]
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/credentials/velha.service")
    assert secret_files(settings) == []
    assert secret_files(settings | {"DATABASE_URL_FILE": "url"}) == [Path("url")]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("sqlite:///x.db # here", "sqlite:///x.db"),
        ("'sqlite:///x.db' # here", "sqlite:///x.db"),
        ("'sqlite:///x #.db'", "sqlite:///x #.db"),
        ("sqlite:///x#.db", "sqlite:///x#.db"),
    ],
)
def test_a_variable_may_have_a_comment_as_docker_leaves_it_there(
    monkeypatch: pytest.MonkeyPatch, given: str, read: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", given)
    assert read_environment()["DATABASE_URL"] == read


def test_a_password_may_look_like_a_variable(here: Path) -> None:
    url = "postgresql://u:pa${word}x@h/d"
    (here / ".env").write_text(f"DATABASE_URL={url}\n")
    assert read_environment()["DATABASE_URL"] == url


@pytest.mark.usefixtures("here")
def test_another_name_of_the_token_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    asked = "BOT_TOKEN is not a setting: is it DISCORD_TOKEN?"
    assert asked in unknown_settings(Config.names())
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert asked not in unknown_settings(Config.names())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("no_proxy", "host", "is_used"),
    [
        ("", "discord.com", True),
        ("localhost,.example.com", "discord.com", True),
        (".discord.com, localhost", "discord.com", False),
        ("*", "discord.com", False),
        ("cord.com", "discord.com", True),
        ("", "127.0.0.1", False),
    ],
)
def test_a_proxy_is_used_for_what_is_not_excepted(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str, host: str, *, is_used: bool
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("https_proxy", "me:the-password@proxy.example:3128/")
    monkeypatch.setenv("no_proxy", no_proxy)
    config = Config.from_env(read_environment())
    address = "http://me:the-password@proxy.example:3128"
    assert config.proxy_to(host) == (address if is_used else None)
    assert "the-password" not in repr(config)
