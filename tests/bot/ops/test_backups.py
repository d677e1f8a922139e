"""Copies to go back to: made every day, and not kept for too long."""

from __future__ import annotations

import signal
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.config import parse_url
from bot.ops.backups import add_backup, check_intact, copies_to_keep, delete_expired
from bot.store.database import StoreError
from tests.bot.files import unprivileged
from tests.bot.ops.test_database_copy import fill, rows_of, sqlite_at, tables

if sys.platform != "win32":
    import resource

DAY = timedelta(days=1)
NOW = datetime(2026, 1, 5, 5, 0, tzinfo=UTC)


def test_a_backup_is_one_file_that_only_its_owner_can_read(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 3)
    others = set(here.iterdir())
    assert main(["backup", "backup.db"]) == 0
    assert set(here.iterdir()) - others == {here / "backup.db"}
    assert rows_of(sqlite_at(here / "backup.db")) == rows_of(sqlite_at(here / "velha.db"))
    said = capsys.readouterr().out
    assert said.startswith(f"backup.db has {3 * len(tables())} rows, counted: ")
    assert "matches 3" in said
    if sys.platform != "win32":
        assert stat.S_IMODE((here / "backup.db").stat().st_mode) == 0o600


def test_a_backup_overwrites_no_file_and_leaves_no_partial_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 1)
    (here / "backup.db").write_text("mine")
    (here / "new.db.part").write_text("of a backup that was killed")
    assert main(["backup", "backup.db"]) == 1
    said = f"Nothing is copied from {here}/velha.db: backup.db: it is there already\n"
    assert capsys.readouterr().err == said
    assert (here / "backup.db").read_text() == "mine"
    assert main(["backup", "new.db"]) == 0
    assert main(["backup", "nowhere/new.db"]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert not list(here.glob("*.part*"))


@pytest.mark.usefixtures("here")
def test_a_setting_that_cannot_be_used_is_named_and_where_to_set_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "nonsense")
    assert main(["backup"]) == 2
    where = "Set these in the environment or in a file named .env (see .env.example):"
    assert capsys.readouterr().err.startswith(f"{where}\nDATABASE_URL: it is not a well-formed URL")


def test_a_backup_of_nothing_names_the_file_that_it_looked_for_and_makes_none(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup"]) == 1
    missing = f"{here}/velha.db"
    said = f"Nothing is copied from {missing}: {missing} cannot be opened: No such file"
    assert capsys.readouterr().err.startswith(said)
    assert not list(here.rglob("*.*"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has rights of another kind")
@pytest.mark.parametrize("target", ["locked/copies", "locked/copy.db"])
@pytest.mark.parametrize("database", ["velha.db", "locked/velha.db"])
def test_a_folder_that_may_not_be_entered_is_called_that(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    target: str,
    database: str,
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    (here / "locked").mkdir(mode=0)
    fill(sqlite_at(here / "velha.db"), 1)
    with unprivileged(here):
        assert main(["backup", target]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"Nothing is copied from {here}/{database}: ")
    assert "Permission denied" in error
    assert len(error.splitlines()) == 1


def test_the_same_line_makes_a_backup_every_time(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 2)
    source = parse_url("sqlite:///velha.db")
    for hours in (0, 1, 2, 2):
        add_backup(source, here / "backups", NOW + timedelta(hours=hours))
    if sys.platform != "win32":
        assert stat.S_IMODE((here / "backups").stat().st_mode) == 0o700
    first, last = "velha-20260105-050000.db", "velha-20260105-070001.db"
    assert names_in(here / "backups") == {first, last}
    (here / "backups" / first).unlink()
    long_ago = here / "backups" / last
    long_ago.rename(here / "backups" / "velha-20990105-070001.db")  # by a clock that was wrong
    assert main(["backup"]) == 0
    (newest,) = set((here / "backups").iterdir()) - {here / "backups" / "velha-20990105-070001.db"}
    assert rows_of(sqlite_at(newest)) == rows_of(sqlite_at(here / "velha.db"))
    assert f"backups/{newest.name} has" in capsys.readouterr().out


def test_other_files_beside_the_backups_stay(here: Path) -> None:
    fill(sqlite_at(here / "velha.db"), 1)
    folder = here / "else" / "where"
    folder.mkdir(parents=True)
    for name in ("mine.db", "velha-20200101-000000.db", "velha-20200101-000000.db.txt"):
        (folder / name).touch()
    assert main(["backup", "else/where"]) == 0
    assert main(["backup", "no/where"]) == 0
    assert (folder / "mine.db").exists()
    assert (folder / "velha-20200101-000000.db.txt").exists()
    assert not (folder / "velha-20200101-000000.db").exists()


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_after_four_weeks_nothing_is_left_of_safety_copies_and_of_what_was_replaced(
    here: Path,
) -> None:
    fill(sqlite_at(here / "velha.db"), 1)
    folder = here / "backups"
    folder.mkdir()
    now = datetime.now(UTC)
    for days in (27, 28):
        time = f"{now - days * DAY:%Y%m%d-%H%M%S}"
        (here / f"velha.db.replaced-{time}").touch()
        (here / f"velha.db.replaced-{time}-wal").touch()
        for name in ("-before-restore.db", "-before-update.db", ".db.part", ".db"):
            (folder / f"velha-{time}{name}").touch()
        (here / f"velha-{time}.db.part").touch()
        (here / f"velha-{time}.db.part.part-wal").touch()
    (here / "velha.db.replaced-of-mine").touch()
    (folder / "velha-20269999-999999-before-restore.db").touch()
    assert main(["backup"]) == 0
    recent = f"{now - 27 * DAY:%Y%m%d-%H%M%S}"
    assert {name for name in names_in(here) if "replaced" in name} == {
        *(f"velha.db.replaced-{recent}", f"velha.db.replaced-{recent}-wal"),
        "velha.db.replaced-of-mine",
    }
    assert {name for name in names_in(here) if "part" in name} == {
        f"velha-{recent}.db.part",
        f"velha-{recent}.db.part.part-wal",
    }
    others = {name for name in names_in(folder) if recent not in name}
    (new,) = others - {"velha-20269999-999999-before-restore.db"}
    assert new >= f"velha-{now:%Y%m%d-%H%M%S}.db"


def test_a_backup_that_fails_deletes_none(here: Path) -> None:
    fill(sqlite_at(here / "velha.db"), 1)
    source = parse_url("sqlite:///velha.db")
    add_backup(source, here / "backups", NOW)
    with pytest.raises(StoreError):
        add_backup(parse_url("sqlite:///gone.db"), here / "backups", NOW + 60 * DAY)
    assert [path.name for path in (here / "backups").iterdir()] == ["velha-20260105-050000.db"]


def test_each_day_s_first_and_last_are_kept_for_a_week_and_each_week_s_first_for_four() -> None:
    kept = set[datetime]()
    for day in range(100):
        now = NOW + day * DAY
        hours = [timedelta(hours=hours) for hours in (0, 1, 3)]
        kept = copies_to_keep({*kept, *(now - earlier for earlier in hours)}, now)
        ages = sorted(now - time for time in kept)
        assert ages[0] == timedelta(0)
        assert ages[-1] < 28 * DAY
        if day > 28:
            last_of_days = [days * DAY for days in range(7)]
            first_of_days = [age + hours[-1] for age in last_of_days]
            assert ages[:14] == sorted(last_of_days + first_of_days)
            assert len(ages) == 17, ages
            assert all((now - age).weekday() == 0 for age in ages[14:])


def rows_in(folder: Path) -> list[int]:
    """How many matches each copy in a folder has, the oldest copy first."""
    return [len(rows_of(sqlite_at(path))["matches"]) for path in sorted(folder.iterdir())]


def test_a_good_copy_survives_the_loss_of_the_database_for_four_weeks(here: Path) -> None:
    source, folder = parse_url("sqlite:///velha.db"), here / "backups"
    fill(sqlite_at(here / "velha.db"), 5)
    add_backup(source, folder, NOW)
    (here / "velha.db").unlink()
    fill(sqlite_at(here / "velha.db"), 1)  # as the bot begins a new one
    add_backup(source, folder, NOW + timedelta(minutes=1))
    assert rows_in(folder) == [5, 1]
    for day in range(1, 28):
        add_backup(source, folder, NOW + day * DAY - timedelta(hours=1))
        assert rows_in(folder)[0] == 5


def test_the_copy_made_before_an_update_survives_it_for_four_weeks(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 5)
    assert main(["backup"]) == 0
    assert main(["backup", "--before-update"]) == 0
    (copy,) = (here / "backups").glob("*-before-update.db")
    assert f"backups/{copy.name} has" in capsys.readouterr().out
    fill(sqlite_at(here / "velha.db"), 1)  # as the update has damaged it
    source, now = parse_url("sqlite:///velha.db"), datetime.now(UTC)
    for day in range(28):
        add_backup(source, here / "backups", now + day * DAY)
        delete_expired(source, now + day * DAY - timedelta(minutes=1), here / "backups")
        assert len(rows_of(sqlite_at(copy))["matches"]) == 5
    delete_expired(source, now + 28 * DAY, here / "backups")
    assert not copy.exists()


def test_a_bot_that_was_off_for_a_month_has_no_old_copies_left() -> None:
    times = {NOW + day * DAY for day in range(30)}
    later = NOW + 60 * DAY
    assert copies_to_keep({*times, later}, later) == {later}


def test_a_copy_is_read_to_its_end(here: Path) -> None:
    fill(sqlite_at(here / "copy.db"), 3)
    check_intact(here / "copy.db")
    with closing(sqlite3.connect(here / "copy.db")) as opened:
        pages, size = (
            opened.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
    with (here / "copy.db").open("r+b") as file:
        file.seek(pages // 2 * size)
        file.write(b"x" * size)
    with pytest.raises(StoreError, match=r"copy\.db is damaged: "):
        check_intact(here / "copy.db")


@contextmanager
def limited_file_size(limit_bytes: int) -> Iterator[None]:
    """No file may grow beyond that: SQLite meets the same errors as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, previous)


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_without_room_there_is_no_copy_and_one_sentence(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 2)
    with limited_file_size(100_000):
        assert main(["backup"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"Nothing is copied from {here}/velha.db: ")
    assert len(error.splitlines()) == 1
    assert not list((here / "backups").iterdir())
