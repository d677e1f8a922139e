"""The file of a SQLite database: whose it is, and what happens when it is moved away."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import URL

from bot.config import parse_url
from bot.store.database import Database, StoreError, create_engine
from bot.store.store import Store
from tests.bot.simulated_guild import SimulatedGuild, private_text
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
def test_only_their_owner_can_read_the_files(store: Store, file: Path) -> None:
    store.matches.add(a_match())
    files = sorted(file.parent.iterdir())
    assert [path.name for path in files] == ["velha.db", "velha.db-shm", "velha.db-wal"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_an_existing_file_is_used_as_it_is(file: Path) -> None:
    file.touch(0o640)
    Store.open(parse_url(f"sqlite:///{file}")).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_new_file_may_be_opened_by_several_at_the_same_moment(tmp_path: Path) -> None:
    everybody = 4
    together = Barrier(everybody)

    def open_it(url: URL) -> None:
        database = Database(create_engine(url))
        together.wait()
        with database.autocommit() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        database.close()

    for name in range(30):
        url = parse_url(f"sqlite:///{tmp_path}/{name}.db")
        (tmp_path / f"{name}.db").touch()
        with ThreadPoolExecutor(everybody) as threads:
            list(threads.map(open_it, [url] * everybody))


def test_the_file_may_be_a_link_to_a_missing_file(file: Path) -> None:
    file.symlink_to(file.parent / "disk.db")
    store = Store.open(parse_url(f"sqlite:///{file}"))
    assert store.matches.add(a_match())
    store.close()
    assert (file.parent / "disk.db").stat().st_size > 0


@pytest.mark.parametrize("name", ["50% of it?.db", "número 1 #.db"])
def test_the_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    store = Store.open(parse_url("sqlite:///x").set(database=str(tmp_path / name)))
    assert store.matches.add(a_match())
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_moved_file_is_an_error_and_has_lost_nothing_once_it_is_back(
    store: Store, file: Path
) -> None:
    store.matches.add(a_match())
    move_away(file)
    with pytest.raises(StoreError, match="moved away"):
        store.matches.save(replace(a_match(), moves=(4,)))
    assert not file.exists(), "no empty file is made in its place"
    put_back(file)
    assert store.matches.load(1) == a_match()
    moved = store.matches.save(replace(a_match(), moves=(4,)))
    store.close()
    again = Store.open(parse_url(f"sqlite:///{file}"))
    assert again.matches.load(1) == moved
    again.close()


def test_a_new_connection_does_not_replace_a_moved_file(store: Store, file: Path) -> None:
    """Those that are kept are all in use."""
    store.matches.add(a_match())
    with ExitStack() as busy:
        busy.enter_context(store._database.autocommit())
        move_away(file)
        with pytest.raises(StoreError):
            store.matches.load(1)
        with pytest.raises(StoreError, match="cannot be opened: No such file"):
            store._database.engine.connect()
        assert not file.exists()
        put_back(file)
        assert store.matches.load(1) == a_match()


def test_a_store_closed_while_its_file_is_away_leaves_its_journal(store: Store, file: Path) -> None:
    store.matches.add(a_match())
    move_away(file)
    store.close()
    put_back(file)
    again = Store.open(parse_url(f"sqlite:///{file}"))
    assert again.matches.load(1) == a_match()
    again.close()


def test_another_file_in_its_place_is_not_written_to(store: Store, file: Path) -> None:
    store.matches.add(a_match())
    move_away(file)
    shutil.copy(file.with_name(AWAY), file)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="another file"):
        store.matches.load(1)
    assert file.read_bytes() == before
    put_back(file)
    assert store.matches.load(1) == a_match()


def test_no_file_is_created_beside_the_journal_of_a_moved_one(store: Store, file: Path) -> None:
    """SQLite would delete that journal, and with it the moves that stand nowhere else."""
    store.matches.add(a_match())
    move_away(file)
    with pytest.raises(StoreError, match=r"velha\.db-wal is there"):
        Store.open(parse_url(f"sqlite:///{file}"))
    put_back(file)
    assert store.matches.load(1) == a_match()


def test_a_file_that_cannot_be_written_is_an_error(file: Path) -> None:
    file.touch(0o400)
    if os.access(file, os.W_OK):
        pytest.skip("whoever runs this may write anywhere")
    with pytest.raises(StoreError, match="readonly"):
        Store.open(parse_url(f"sqlite:///{file}"))


@pytest.mark.logs_errors
async def test_presses_fail_while_the_file_is_away_and_work_again_afterwards(
    guild: SimulatedGuild,
) -> None:
    file = Path(str(guild.settings.database_url.database))
    await guild.challenge()
    guild.stop_background_tasks()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    move_away(file)
    for _ in range(2):
        assert "memória" in private_text(await guild.press(guild.ana, "C3"))
    assert guild.board() == "x.. .o. ..."
    put_back(file)
    await guild.press(guild.ana, "C3")
    assert guild.board() == "x.. .o. ..x"
    await guild.restart(politely=True)
    await guild.play((guild.ben, "A2"), (guild.ana, "C2"))
    assert guild.board() == "x.. oox ..x"
