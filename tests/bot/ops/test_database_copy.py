"""A database copied into another: all of it or nothing, while matches go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    URL,
    Boolean,
    Column,
    Connection,
    Date,
    Engine,
    Integer,
    Table,
    delete,
    event,
    insert,
    inspect,
    select,
)

from bot.__main__ import main
from bot.config import parse_url
from bot.ops.database_copy import BATCH_SIZE, copy
from bot.store.database import Database, StoreError, create_engine
from bot.store.migrations import find_revision, migrate
from bot.store.schema import metadata, processes
from bot.store.store import Store
from tests.bot.databases import SERVER_VARIABLE, empty_database, has_server, write_sqlite_file
from tests.bot.simulated_guild import SimulatedGuild

Rows = dict[str, list[tuple[Any, ...]]]
SOME = BATCH_SIZE + 3
"""More than are copied in one go."""


def sqlite_at(path: Path) -> URL:
    return parse_url(f"sqlite:///{path.as_posix()}")


def some_value(column: Column[Any], number: int) -> object:
    """A value of a column's type that no other row has, as far as there are so many."""
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Integer):
        return number
    if isinstance(column.type, Date):
        return date.fromordinal(number)
    longest = getattr(column.type, "length", None)
    return f"{number} é"[:longest]


def fill(url: URL, rows: int) -> None:
    """Have so many rows in every table there is, and no others."""
    if url.get_backend_name() == "sqlite":
        write_sqlite_file(Path(url.database or ""))
    else:
        Store.open(url).close()
    engine = create_engine(url)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            connection.execute(delete(table))
            made = [
                {column.name: some_value(column, number) for column in table.columns}
                for number in range(1, rows + 1)
            ]
            if made:
                connection.execute(insert(table), made)
    engine.dispose()


def rows_of(url: URL) -> Rows:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {table.name: sorted(map(tuple, all_of(connection, table))) for table in tables()}
    engine.dispose()
    return found


def all_of(connection: Any, table: Table) -> Any:
    return connection.execute(select(table))


def tables() -> list[Table]:
    """All tables that are copied."""
    return [table for table in metadata.sorted_tables if table is not processes]


@contextmanager
def before_each_batch(do: Callable[[], object]) -> Iterator[None]:
    """Have something done whenever rows are about to be written, many at once."""

    def listen(
        _connection: Any, _cursor: Any, _sql: str, _rows: Any, _context: Any, is_batch: Any
    ) -> None:
        if is_batch:
            do()

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", listen)


def test_every_row_of_every_table_survives_copying_there_and_back(
    empty_url: URL, tmp_path: Path
) -> None:
    source, back = sqlite_at(tmp_path / "source.db"), sqlite_at(tmp_path / "back.db")
    fill(source, SOME)
    assert set(copy(source, empty_url).values()) == {SOME}
    copy(empty_url, back)
    assert rows_of(source) == rows_of(empty_url) == rows_of(back)


def test_which_processes_run_on_a_database_is_not_copied(empty_url: URL, tmp_path: Path) -> None:
    source = sqlite_at(tmp_path / "source.db")
    fill(source, 3)
    copy(source, empty_url)
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        assert all_of(connection, processes).all() == []
    engine.dispose()


def test_no_table_has_keys_made_by_the_database() -> None:
    """A copy would leave the counter behind."""
    assert [table.name for table in tables() if table.autoincrement_column is not None] == []


def test_a_target_that_is_not_empty_is_left_alone(empty_url: URL, tmp_path: Path) -> None:
    source = sqlite_at(tmp_path / "source.db")
    fill(source, 3)
    fill(empty_url, 1)
    before = rows_of(empty_url)
    with pytest.raises(StoreError, match="the target is not empty: there are rows in its table"):
        copy(source, empty_url)
    assert rows_of(empty_url) == before


def test_a_copy_that_fails_half_way_leaves_nothing_behind(empty_url: URL, tmp_path: Path) -> None:
    source = sqlite_at(tmp_path / "source.db")
    fill(source, 3)
    batches = iter(tables())

    def stop() -> None:
        next(batches)
        if next(batches, None) is None:
            raise KeyboardInterrupt

    with before_each_batch(stop), pytest.raises(KeyboardInterrupt):
        copy(source, empty_url)
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    engine.dispose()
    copy(source, empty_url)
    assert rows_of(empty_url) == rows_of(source)


def test_concurrent_changes_are_not_copied_by_half(empty_url: URL, tmp_path: Path) -> None:
    """The bot may go on while it is backed up."""
    fill(empty_url, SOME)
    store, target = Store.at(empty_url), sqlite_at(tmp_path / "backup.db")

    numbers = count()
    with before_each_batch(lambda: store.key_values.put(f"note {next(numbers)}", "meanwhile")):
        counts = copy(empty_url, target)
    store.close()
    assert set(counts.values()) == {SOME}
    assert {len(rows) for rows in rows_of(target).values()} == {SOME}


@pytest.mark.parametrize("is_there", [True, False])
def test_a_missing_source_is_named_and_not_created(tmp_path: Path, is_there: bool) -> None:  # noqa: FBT001
    path = tmp_path / "source.db"
    if is_there:
        path.touch()
    said = "nothing of Velha's" if is_there else r"source.db cannot be opened: No such file"
    with pytest.raises(StoreError, match=said):
        copy(sqlite_at(path), sqlite_at(tmp_path / "target.db"))
    assert path.exists() is is_there


def test_a_source_of_an_older_release_is_copied_as_it_is(empty_url: URL, tmp_path: Path) -> None:
    source = sqlite_at(tmp_path / "source.db")
    make_tables_of("0012", source)
    engine = create_engine(source)
    with engine.connect() as connection:
        connection.exec_driver_sql("INSERT INTO facts VALUES ('commands', 'told')")
        columns = columns_of(connection)
    copy(source, empty_url)
    back = sqlite_at(tmp_path / "back.db")
    copy(empty_url, back)
    for target in (empty_url, back):
        copied = create_engine(target)
        with copied.connect() as connection:
            assert find_revision(connection) == "0012"
            assert columns_of(connection) == columns
        copied.dispose()
        store = Store.open(target)
        assert store.key_values.get("commands") == "told"
        store.close()
    engine.dispose()


def columns_of(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("matches")}


def make_tables_of(revision: str, url: URL) -> None:
    database = Database(create_engine(url))
    with database.transaction() as connection:
        migrate(connection, revision)
    database.close()


def make_newer(url: URL) -> None:
    """Make a database one of a release to come, in which a match has a colour."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("ALTER TABLE matches ADD COLUMN colour TEXT")
    engine.dispose()


def test_of_a_newer_release_s_database_all_that_this_one_knows_is_copied(
    empty_url: URL, tmp_path: Path
) -> None:
    """Also into one that is newer itself, as `restore` does."""
    target = sqlite_at(tmp_path / "target.db")
    fill(empty_url, 3)
    make_newer(empty_url)
    copy(empty_url, target)
    copied = rows_of(target)
    assert copied == rows_of(empty_url)
    newer = sqlite_at(tmp_path / "newer.db")
    fill(newer, 0)
    make_newer(newer)
    copy(target, newer)
    assert rows_of(newer) == copied


async def test_a_match_goes_on_after_copying_with_its_old_buttons(
    guild: SimulatedGuild, empty_url: URL
) -> None:
    await guild.start(guild.ana, level="CHILD")
    await guild.press(guild.ana, "B2")
    before = guild.newest()
    guild.stop_background_tasks()
    await guild.bots[-1].close()
    copy(guild.settings.database_url, empty_url)
    guild.settings = replace(guild.settings, database_url=empty_url)
    await guild.restart(politely=True)
    await guild.press(guild.ana, before.free[0], before)
    assert guild.board().count("x") == 2


# As a host types it


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("urls", "code", "said"),
    [
        ("mysql://u:p@h/d sqlite:///b.db", 2, "SOURCE: it begins with mysql://"),
        ("sqlite:///a.db b.db", 2, "TARGET: it is not a well-formed URL"),
        ("sqlite:///a.db sqlite:///b.db", 1, "Nothing is copied: {here}/a.db cannot be opened"),
        ("sqlite:///c.db sqlite:///c.db", 1, "Nothing is copied: the target is not empty"),
        ("sqlite:///c.db postgresql://u:p@127.0.0.1:9/d", 1, "Nothing is copied: "),
    ],
)
def test_a_failed_copy_is_reported_in_one_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], urls: str, code: int, said: str
) -> None:
    fill(sqlite_at(here / "c.db"), 1)
    assert main(["copy", *urls.split()]) == code
    assert capsys.readouterr().err.startswith(said.format(here=here))


@pytest.mark.skipif(not has_server(), reason=f"{SERVER_VARIABLE} names no PostgreSQL")
def test_a_database_is_copied_by_naming_two_urls(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 2)
    with empty_database("postgresql", here) as target:
        assert main(["copy", "sqlite:///velha.db", target]) == 0
        assert rows_of(parse_url(target)) == rows_of(sqlite_at(here / "velha.db"))
    said = capsys.readouterr().out
    assert f" has {2 * len(tables())} rows, counted: " in said
    assert said.endswith(f", as {here}/velha.db.\n")
