"""Going back to a copy of the database."""

from __future__ import annotations

import os
import platform
import stat
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from bot.__main__ import main
from bot.config import parse_url
from bot.features.forgetting import PEOPLE, SERVERS, next_to_forget
from bot.store.database import create_engine
from bot.store.facts import load_facts, save_fact
from bot.store.processes import forget, record_seen
from bot.store.store import Store
from tests.bot.databases import (
    call,
    load_choices,
    on_new_postgresql,
    on_new_sqlite,
    save_choices,
    save_settings,
)
from tests.bot.fake_discord import FakeDiscord
from tests.bot.files import unprivileged
from tests.bot.ops.test_database_copy import (
    fill,
    make_newer,
    rows_of,
    sqlite_at,
)
from tests.bot.processes import BotProcess

ANA, BEN, SERVER = 11_111, 22_222, 33_333
LATER = 10_000
"""An id that Discord gives out after all of these."""


@pytest.fixture
def url(here: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> URL:
    """A database of either kind, that of the settings: one is replaced as a file, one by rows."""
    assert here
    monkeypatch.setenv("DATABASE_URL", database_url)
    return parse_url(database_url)


def put(url: URL, *facts: tuple[str, str]) -> None:
    store = Store.open(url)
    for name, value in facts:
        call(store, save_fact, name, value)
    store.close()


def facts_in(url: URL) -> dict[str, str]:
    store = Store.open(url)
    facts = call(store, load_facts, "a ")
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
    assert " is as the copy was" in said
    assert "Deletions since then that are repeated when the bot starts: 0." in said
    assert rows_of(url) == kept
    assert not list(here.glob("*.part*"))
    assert not list(here.glob("copy.db-*"))


def receive(copy: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    """Restore what comes in on standard input."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(copy)))
    return main(["restore", "-"])


@on_new_sqlite
def test_a_copy_goes_through_a_pipe_to_another_machine(
    url: URL, here: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    fill(url, 3)
    assert main(["backup", "-"]) == 0
    sent, said = capfdbinary.readouterr()
    assert sent.startswith(b"SQLite format 3\0")
    assert said.startswith(b"The copy has ")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///there.db")
    for _ in range(2):
        assert receive(sent, monkeypatch) == 0
        out, error = capfdbinary.readouterr()
        assert b"there.db is as the copy was." in out
        assert error == b""
        assert rows_of(sqlite_at(here / "there.db")) == rows_of(url)
    assert not list(here.glob("velha-*.part*"))


@on_new_sqlite
def test_a_copy_that_does_not_come_through_replaces_nothing(
    url: URL, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "kept"))
    assert main(["backup", "copy.db"]) == 0
    copy = (here / "copy.db").read_bytes()
    nothing = (b"", "nothing came in on standard input\n")
    for received, said in (nothing, (copy[:20_000], ".part is damaged: ")):
        capsys.readouterr()
        assert receive(received, monkeypatch) == 1
        out, error = capsys.readouterr()
        assert out == ""
        assert said in error
        assert len(error.splitlines()) == 1
    assert facts_in(url) == {"a fact": "kept"}
    assert not list(here.glob("velha-*.part*"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal to be had")
@pytest.mark.parametrize(
    ("stream", "command"), [("stdout", "backup"), ("stdin", "restore")], ids=["stdout", "stdin"]
)
def test_a_copy_is_neither_shown_nor_typed(
    here: Path, monkeypatch: pytest.MonkeyPatch, stream: str, command: str
) -> None:
    fill(sqlite_at(here / "velha.db"), 1)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    descriptors = os.openpty()
    with open(descriptors[1], "w", encoding="utf-8", closefd=False) as terminal:
        monkeypatch.setattr(sys, stream, terminal)
        assert main([command, "-"]) == 2
    for descriptor in descriptors:
        os.close(descriptor)
    assert [path.name for path in here.iterdir()] == ["velha.db"]


@on_new_sqlite
def test_who_was_deleted_after_a_copy_was_made_is_deleted_again(
    url: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(url)
    save_choices(store, ANA, is_hidden=True)
    save_choices(store, BEN, is_hidden=True)
    save_settings(store, SERVER, turn_minutes=7)
    call(store, PEOPLE.start, BEN, 5)
    call(store, PEOPLE.finish, BEN, 5)
    save_choices(store, BEN, is_hidden=True)  # who came back, before the copy was made
    store.close()
    assert main(["backup", "copy.db"]) == 0
    store = Store.open(url)
    call(store, PEOPLE.start, ANA, LATER)
    call(store, PEOPLE.finish, ANA, LATER)
    call(store, SERVERS.start, SERVER, LATER)
    call(store, SERVERS.finish, SERVER, LATER)
    store.close()
    assert main(["restore", "copy.db"]) == 0
    assert "repeated when the bot starts: 2." in capsys.readouterr().out
    store = Store.open(url)
    assert call(store, next_to_forget, PEOPLE) == (ANA, LATER)
    assert not load_choices(store, ANA).is_hidden
    assert call(store, next_to_forget, SERVERS) == (SERVER, LATER)
    assert load_choices(store, BEN).is_hidden
    store.close()
    assert main(["restore", "copy.db"]) == 0, "and once more"
    store = Store.open(url)
    assert call(store, next_to_forget, PEOPLE) == (ANA, LATER)
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
    (replaced,) = kept_by_restoring(here)
    assert f"What it was before is in {replaced}, for 28 days." in said
    assert facts_in(sqlite_at(here / "velha.db")) == {"a fact": "before"}
    assert replaced.read_bytes().startswith(b"no database")


def kept_by_restoring(here: Path) -> list[Path]:
    """What is beside the database or the copies that can be restored, oldest first."""
    found = [*here.glob("*.replaced-*"), *here.glob("backups/*-before-restore.db")]
    return sorted(path for path in found if not path.name.endswith(("-wal", "-shm")))


def test_what_each_restore_replaced_can_be_restored(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "first"))
    assert main(["backup", "copy.db"]) == 0
    for text_of_it in ("second", "third"):
        put(url, ("a fact", text_of_it))
        assert main(["restore", "copy.db"]) == 0
        assert f"What it was before is in {kept_by_restoring(here)[-1]}, for 28 days." in (
            capsys.readouterr().out
        )
    for kept, text_of_it in zip(kept_by_restoring(here), ("second", "third"), strict=True):
        assert main(["restore", str(kept), "--without-copy"]) == 0
        assert facts_in(url) == {"a fact": text_of_it}
    assert len(kept_by_restoring(here)) == 2


def test_a_copy_can_be_restored_to_a_database_that_is_empty(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(sqlite_at(here / "copy.db"), ("a fact", "before"))
    assert main(["restore", "copy.db"]) == 0
    assert "What it was before" not in capsys.readouterr().out
    assert facts_in(url) == {"a fact": "before"}


REFUSE_TO_DELETE = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE ''invalid page in block 3''; END';
    CREATE TRIGGER refuse BEFORE DELETE ON facts FOR EACH ROW EXECUTE FUNCTION refuse()
"""
"""Where a page is damaged, reading a row to delete it fails."""

TWO_ROWS_WITH_ONE_KEY = """
    ALTER TABLE facts DROP CONSTRAINT facts_pkey;
    INSERT INTO facts VALUES ('a twice', ''), ('a twice', '')
"""
"""Where an index is damaged, there may be two rows of which it should have refused one."""


@on_new_postgresql
def test_what_cannot_be_copied_is_replaced_only_if_that_is_asked_for(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(sqlite_at(here / "copy.db"), ("a fact", "before"))
    put(url, ("a fact", "after"))
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql(TWO_ROWS_WITH_ONE_KEY)
        connection.exec_driver_sql(REFUSE_TO_DELETE)
    engine.dispose()
    assert main(["restore", "copy.db"]) == 1
    said = capsys.readouterr().err
    assert " is left as it is: it cannot be copied first: UNIQUE constraint failed" in said
    assert "with --without-copy it is replaced all the same" in said
    assert facts_in(url) == {"a fact": "after", "a twice": ""}
    assert main(["restore", "--without-copy", "copy.db"]) == 0
    assert facts_in(url) == {"a fact": "before"}
    assert kept_by_restoring(here) == []


def test_a_database_that_is_gone_is_restored(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///velha.db")
    fill(sqlite_at(here / "copy.db"), 2)
    assert main(["restore", "copy.db"]) == 0
    assert f"are not repeated ({here}/velha.db cannot be opened: No" in capsys.readouterr().out
    assert rows_of(sqlite_at(here / "velha.db")) == rows_of(sqlite_at(here / "copy.db"))
    assert not list(here.glob("*replaced*"))
    if sys.platform != "win32":
        assert stat.S_IMODE((here / "velha.db").stat().st_mode) == 0o600


@on_new_sqlite
def test_a_newer_release_s_copy_replaces_its_database(url: URL, here: Path) -> None:
    """An older release, to which a host went back, makes copies and restores them, too."""
    put(url, ("a fact", "before"))
    make_newer(url)
    assert main(["backup", "copy.db"]) == 0
    fill(sqlite_at(here / "newer.db"), 1)
    make_newer(sqlite_at(here / "newer.db"))
    kept = rows_of(sqlite_at(here / "newer.db"))
    assert main(["restore", "newer.db"]) == 0
    assert rows_of(url) == kept
    assert main(["restore", "copy.db"]) == 0
    assert facts_in(url) == {"a fact": "before"}


@on_new_sqlite
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.db", "nowhere.db: No such file or directory"),
        ("garbage.db", "garbage.db is damaged: file is not a database"),
        ("empty.db", "there is nothing of Velha's in it"),
        (
            "old.db",
            "it is of a version that was never released: move it away and start anew",
        ),
    ],
)
def test_what_is_no_copy_replaces_nothing(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    put(url, ("a fact", "kept"))
    (here / "garbage.db").write_bytes(b"no database " * 1000)
    (here / "empty.db").touch()
    fill(sqlite_at(here / "old.db"), 1)
    set_revision_of(sqlite_at(here / "old.db"), "0015")
    assert main(["restore", name]) == 1
    error = capsys.readouterr().err
    assert " is left as it is: " in error
    assert error.endswith(f"{said}\n")
    assert facts_in(url) == {"a fact": "kept"}
    assert not list(here.glob("*.part*"))


@on_new_sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has rights of another kind")
def test_a_copy_that_may_not_be_read_is_not_called_damaged(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "kept"))
    put(sqlite_at(here / "copy.db"), ("a fact", "before"))
    (here / "copy.db").chmod(0)
    with unprivileged(here):
        assert main(["restore", "copy.db"]) == 1
    assert capsys.readouterr().err.endswith(" is left as it is: copy.db: Permission denied\n")
    assert facts_in(url) == {"a fact": "kept"}


@on_new_sqlite
def test_while_the_bot_runs_nothing_is_changed(
    url: URL, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(url, ("a fact", "kept"))
    fill(sqlite_at(here / "copy.db"), 1)
    store = Store.at(url)
    call(store, record_seen, "elsewhere:1")
    assert main(["restore", "copy.db"]) == 1
    said = " is left as it is: the bot is running (elsewhere:1): stop it first; one that was killed"
    assert said in capsys.readouterr().err
    assert facts_in(url) == {"a fact": "kept"}
    call(store, forget, "elsewhere:1")
    store.close()
    assert main(["restore", "copy.db"]) == 0


async def test_a_bot_that_runs_elsewhere_is_noticed_until_it_has_ended(
    discord: FakeDiscord, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "copy.db"), 1)
    heartbeat = here / "velha.heartbeat"
    bot = BotProcess.fork(discord.url, here)
    await discord.wait_until(
        lambda: heartbeat.exists() and heartbeat.read_text().startswith("well\n")
    )
    assert main(["restore", "copy.db"]) == 1
    assert f"the bot is running ({platform.node()}:{bot.pid})" in capsys.readouterr().err
    assert await bot.terminate() == 0
    assert not heartbeat.exists()
    assert main(["restore", "copy.db"]) == 0


def set_revision_of(url: URL, revision: str) -> None:
    engine = create_engine(url)
    with engine.connect() as connection:
        changed = text("UPDATE alembic_version SET version_num = :revision")
        connection.execute(changed, {"revision": revision})
    engine.dispose()
