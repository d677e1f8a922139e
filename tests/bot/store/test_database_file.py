"""The file of a SQLite database: whose it is, and where it lies."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.config import parse_url
from bot.store.database import StoreError
from bot.store.faults import is_permanent
from bot.store.matches import add, load_match
from bot.store.sqlite_file import UnopenableError, is_missing
from bot.store.store import Store
from tests.bot.databases import call
from tests.bot.files import unprivileged
from tests.bot.store.test_matches import a_match

AWAY = "elsewhere.db"


def move_away(file: Path) -> None:
    file.rename(file.with_name(AWAY))


def put_back(file: Path) -> None:
    file.with_name(AWAY).replace(file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "velha.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    store = Store.open(parse_url(f"sqlite:///{file}"))
    yield store
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are POSIX")
def test_a_folder_that_may_not_be_entered_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0)
    file = tmp_path / "locked" / "velha.db"
    with (
        unprivileged(tmp_path),
        pytest.raises(StoreError, match=re.escape(f"{file} cannot be opened: Permission denied")),
    ):
        Store.open(parse_url(f"sqlite:///{file}"))


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are POSIX")
@pytest.mark.parametrize(
    "name", ["locked/velha.db", "nowhere/velha.db", "text/velha.db", "lost.db"]
)
def test_that_a_file_could_not_be_made_is_known_without_trying(name: str, tmp_path: Path) -> None:
    """In the words of a start."""
    (tmp_path / "locked").mkdir(mode=0)
    (tmp_path / "text").touch()
    (tmp_path / "lost.db-wal").touch()
    url = parse_url(f"sqlite:///{tmp_path / name}")
    with unprivileged(tmp_path):
        with pytest.raises(UnopenableError) as foreseen:
            is_missing(url)
        with pytest.raises(StoreError, match=re.escape(str(foreseen.value))) as raised:
            Store.open(url)
    assert is_permanent(foreseen.value) is is_permanent(raised.value)


def test_looking_for_a_missing_file_makes_none(tmp_path: Path) -> None:
    assert is_missing(parse_url(f"sqlite:///{tmp_path / 'velha.db'}"))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are POSIX")
def test_only_their_owner_can_read_the_files(store: Store, file: Path) -> None:
    call(store, add, a_match())
    files = sorted(file.parent.iterdir())
    assert [path.name for path in files] == ["velha.db", "velha.db-shm", "velha.db-wal"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_an_existing_file_is_used_as_it_is(file: Path) -> None:
    file.touch(0o640)
    Store.open(parse_url(f"sqlite:///{file}")).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_the_file_may_be_a_link_to_a_missing_file(file: Path) -> None:
    file.symlink_to(file.parent / "disk.db")
    store = Store.open(parse_url(f"sqlite:///{file}"))
    assert call(store, add, a_match())
    store.close()
    assert (file.parent / "disk.db").stat().st_size > 0


@pytest.mark.parametrize("name", ["50% of it?.db", "número 1 #.db"])
def test_the_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    store = Store.open(parse_url("sqlite:///x").set(database=str(tmp_path / name)))
    assert call(store, add, a_match())
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_no_file_is_made_in_the_place_of_a_moved_one(store: Store, file: Path) -> None:
    call(store, add, a_match())
    with store.database.connection():
        move_away(file)
        with pytest.raises(StoreError, match="cannot be opened: No such file"):
            call(store, load_match, 1)
    assert not file.exists()
    put_back(file)
    assert call(store, load_match, 1) == a_match()


def test_without_a_write_ahead_log_each_commit_is_synchronized_and_the_cause_is_logged(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Locked by a file beside it, the database has no shared memory, which the log needs."""
    file.touch()
    url = parse_url(f"sqlite:///file:{file}?vfs=unix-dotfile&uri=true")
    store = Store.open(url)
    assert call(store, add, a_match())
    with store.database.connection() as first, store.database.connection() as second:
        for connection in (first, second):
            full = 2
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == full
    store.close()
    (warning,) = caplog.messages
    assert "no write-ahead log here (journal_mode=delete): the file system has no shared" in warning


def test_no_file_is_created_beside_the_journal_of_a_moved_one(store: Store, file: Path) -> None:
    """SQLite would delete that journal, and with it the moves that stand nowhere else."""
    call(store, add, a_match())
    move_away(file)
    with pytest.raises(StoreError, match=r"velha\.db-wal is there"):
        Store.open(parse_url(f"sqlite:///{file}"))
    put_back(file)
    assert call(store, load_match, 1) == a_match()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere/velha.db", "nowhere/velha.db cannot be opened: there is no folder"),
        ("folder", "folder cannot be opened: Is a directory"),
        ("garbage.db", "file is not a database"),
    ],
)
def test_what_is_no_database_is_called_what_it_is(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "garbage.db").write_bytes(b"no database " * 100)
    with pytest.raises(StoreError, match=said):
        Store.open(parse_url(f"sqlite:///{tmp_path / name}"))


def test_a_file_that_cannot_be_written_is_an_error(file: Path) -> None:
    file.touch(0o400)
    if os.access(file, os.W_OK):
        pytest.skip("whoever runs this may write anywhere")
    with pytest.raises(StoreError, match="readonly"):
        Store.open(parse_url(f"sqlite:///{file}"))
