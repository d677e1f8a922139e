"""Going back: to a copy of the database, and to an older release."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from bot.__main__ import main
from bot.config import parse_url
from bot.ops.heartbeat import Heartbeat
from bot.store.database import create_engine
from bot.store.migrations import RELEASES, find_revision, known_revisions
from bot.store.store import Store
from tests.bot.databases import on_new_sqlite
from tests.bot.ops.test_database_copy import fill, make_tables_of, rows_of, sqlite_at
from tests.bot.store.test_matches import a_match

ANA, BEN, SERVER = 11_111, 22_222, 33_333
LATER = 10_000
"""An id that Discord gives out after all of these."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def url(here: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> URL:
    """A database of either kind, that of the settings."""
    assert here
    monkeypatch.setenv("DATABASE_URL", database_url)
    return parse_url(database_url)


def put(url: URL, *facts: tuple[str, str]) -> None:
    store = Store.open(url)
    for name, value in facts:
        store.key_values.put(name, value)
    store.close()


def facts_in(url: URL) -> dict[str, str]:
    store = Store.open(url)
    facts = store.key_values.with_prefix("a ")
    store.close()
    return facts


def test_a_copy_takes_the_place_of_a_database(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "before"))
    assert main(["backup", "copy.db"]) == 0
    kept = rows_of(url)
    put(url, ("a fact", "after"), ("a mistake", "made"))
    capsys.readouterr()
    assert main(["restore", "copy.db"]) == 0
    said = capsys.readouterr().out
    assert " is as copy.db was" in said
    assert "Deletions since then that are repeated when the bot starts: 0." in said
    assert rows_of(url) == kept
    assert not list(here.glob("*.part*"))
    assert not list(here.glob("copy.db-*"))


def test_who_was_deleted_after_a_copy_was_made_is_deleted_again(
    url: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(url)
    store.privacy.choose(ANA, {"is_hidden": True})
    store.privacy.choose(BEN, {"is_hidden": True})
    store.settings.update(SERVER, {"turn_minutes": 7})
    store.privacy.start_forgetting_user(BEN, 5)
    store.privacy.finish_forgetting_user(BEN, 5)
    store.privacy.choose(BEN, {"is_hidden": True})  # who came back, before the copy was made
    store.close()
    assert main(["backup", "copy.db"]) == 0
    store = Store.open(url)
    store.privacy.start_forgetting_user(ANA, LATER)
    store.privacy.finish_forgetting_user(ANA, LATER)
    store.privacy.start_forgetting_guild(SERVER, LATER)
    store.privacy.finish_forgetting_guild(SERVER, LATER)
    store.close()
    assert main(["restore", "copy.db"]) == 0
    assert "repeated when the bot starts: 2." in capsys.readouterr().out
    store = Store.open(url)
    assert store.privacy.next_user_to_forget() == (ANA, LATER)
    assert not store.privacy.choices(ANA).is_hidden
    assert store.privacy.next_guild_to_forget() == (SERVER, LATER)
    assert store.privacy.choices(BEN).is_hidden
    store.close()
    assert main(["restore", "copy.db"]) == 0, "and once more"
    store = Store.open(url)
    assert store.privacy.next_user_to_forget() == (ANA, LATER)
    store.close()


def test_a_broken_database_is_replaced_and_said_to_know_of_no_deletions(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///velha.db")
    put(sqlite_at(here / "velha.db"), ("a fact", "before"))
    assert main(["backup", "copy.db"]) == 0
    (here / "velha.db").write_bytes(b"no database " * 1000)
    (here / "velha.db-wal").write_bytes(b"nor that")
    assert main(["restore", "copy.db"]) == 0
    said = capsys.readouterr().out
    assert "Deletions since then are not repeated (file is not a database)" in said
    assert f"What it was before is in {here}/velha.db.replaced" in said
    assert facts_in(sqlite_at(here / "velha.db")) == {"a fact": "before"}
    assert (here / "velha.db.replaced").read_bytes().startswith(b"no database")


def test_a_database_that_is_gone_is_restored(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///velha.db")
    fill(sqlite_at(here / "copy.db"), 2)
    assert main(["restore", "copy.db"]) == 0
    assert f"are not repeated ({here}/velha.db cannot be opened: No" in capsys.readouterr().out
    assert rows_of(sqlite_at(here / "velha.db")) == rows_of(sqlite_at(here / "copy.db"))
    assert not (here / "velha.db.replaced").exists()
    if sys.platform != "win32":
        assert stat.S_IMODE((here / "velha.db").stat().st_mode) == 0o600


def test_a_copy_of_an_older_release_is_brought_up_to_date(url: URL, here: Path) -> None:
    put(url, ("a fact", "after"))
    copy = sqlite_at(here / "copy.db")
    make_tables_of("0002", copy)
    engine = create_engine(copy)
    with engine.connect() as connection:
        connection.execute(text("INSERT INTO facts VALUES ('a fact', 'before')"))
    engine.dispose()
    assert main(["restore", "copy.db"]) == 0
    assert facts_in(url) == {"a fact": "before"}


def make_newer(url: URL) -> None:
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.db", "nowhere.db: there is no such file"),
        ("garbage.db", "garbage.db is damaged: file is not a database"),
        ("empty.db", "there is nothing of Velha's in it"),
        ("newer.db", "its tables are of a newer release than this code (9999)"),
    ],
)
def test_what_is_no_copy_replaces_nothing(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    put(url, ("a fact", "kept"))
    (here / "garbage.db").write_bytes(b"no database " * 1000)
    (here / "empty.db").touch()
    fill(sqlite_at(here / "newer.db"), 1)
    make_newer(sqlite_at(here / "newer.db"))
    assert main(["restore", name]) == 1
    error = capsys.readouterr().err
    assert error.endswith(f" is left as it is: {said}\n")
    assert facts_in(url) == {"a fact": "kept"}
    assert not list(here.glob("*.part*"))


@on_new_sqlite
@pytest.mark.parametrize("command", [["restore", "copy.db"], ["downgrade", "1.0.0"]])
def test_while_the_bot_runs_nothing_is_changed(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    put(url, ("a fact", "kept"))
    fill(sqlite_at(here / "copy.db"), 1)
    heartbeat = Heartbeat(here / "velha.heartbeat")
    heartbeat.write([])
    assert main(command) == 1
    said = f" is left as it is: the bot is running ({here}/velha.heartbeat): stop it first\n"
    assert capsys.readouterr().err.endswith(said)
    assert facts_in(url) == {"a fact": "kept"}
    heartbeat.delete()
    assert main(command) == 0


# Back to an older release


def revision_of(url: URL) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = find_revision(connection)
    engine.dispose()
    return found


def test_the_tables_become_those_of_an_older_release_and_the_matches_stay(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(url)
    assert store.matches.add(a_match())
    store.close()
    kept = rows_of(url)
    assert main(["downgrade", "1.0.0"]) == 0
    (copy,) = (here / "backups").iterdir()
    said = capsys.readouterr().out
    assert " is as 1.0.0 knows it: start that release now. What it was before is in" in said
    assert revision_of(url) == "0002"
    assert main(["downgrade", "1.0.0"]) == 0
    assert "is as 1.0.0 knows it already" in capsys.readouterr().out
    store = Store.open(url)
    assert store.matches.load(1) == a_match()
    store.close()
    assert main(["restore", str(copy)]) == 0
    assert rows_of(url) == kept


@on_new_sqlite
def test_a_release_that_there_never_was_is_refused(
    url: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "kept"))
    assert main(["downgrade", "0.9"]) == 2
    assert capsys.readouterr().err.startswith("RELEASE: '0.9' is not one of 1.0.0, ")
    assert facts_in(url) == {"a fact": "kept"}


@on_new_sqlite
def test_a_database_of_a_newer_release_has_to_be_taken_back_by_that_one(
    url: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url)
    make_newer(url)
    assert main(["downgrade", "1.0.0"]) == 1
    assert "its tables are of a newer release than this code (9999)" in capsys.readouterr().err


def test_the_newest_release_has_the_newest_tables() -> None:
    assert list(RELEASES.values()) == sorted(RELEASES.values())
    assert [*RELEASES.values()][-1] == known_revisions()[-1]
