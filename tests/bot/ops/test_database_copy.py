"""A database copied into another: all of it or nothing, while matches go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    URL,
    Boolean,
    Column,
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
from bot.ops.database_copy import (
    BATCH_SIZE,
    copy,
    replace_rows,
    snapshot_of,
    transaction_on,
)
from bot.store.database import StoreError, create_engine
from bot.store.facts import load_fact, save_fact
from bot.store.schema import facts, metadata, processes
from bot.store.store import Store
from tests.bot.databases import call, on_new_sqlite, write_sqlite_file

Rows = dict[str, list[tuple[Any, ...]]]
MANY = BATCH_SIZE + 3
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


def fill(url: URL, rows: int, *, many_facts: int = 0) -> None:
    """Have so many rows in every table there is, and no others; of facts there may be more."""
    if url.get_backend_name() == "sqlite":
        write_sqlite_file(Path(url.database or ""))
    else:
        Store.open(url).close()
    engine = create_engine(url)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            connection.execute(delete(table))
            number_of_rows = many_facts if table is facts and many_facts else rows
            made = [
                {column.name: some_value(column, number) for column in table.columns}
                for number in range(1, number_of_rows + 1)
            ]
            if made:
                connection.execute(insert(table), made)
    engine.dispose()


def rows_of(url: URL) -> Rows:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(map(tuple, connection.execute(select(table)))) for table in tables()
        }
    engine.dispose()
    return found


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
    """But not which processes run on the database."""
    source, back = sqlite_at(tmp_path / "source.db"), sqlite_at(tmp_path / "back.db")
    fill(source, 3, many_facts=MANY)
    assert copy(source, empty_url) == {
        table.name: MANY if table is facts else 3 for table in tables()
    }
    copy(empty_url, back)
    assert rows_of(source) == rows_of(empty_url) == rows_of(back)


def test_no_table_has_keys_made_by_the_database() -> None:
    """A copy would leave the counter behind."""
    assert [table.name for table in tables() if table.autoincrement_column is not None] == []


@on_new_sqlite
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
    batches = count(1)

    def stop() -> None:
        if next(batches) == len(tables()) // 2:
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
    fill(empty_url, 3, many_facts=MANY)
    before, target = rows_of(empty_url), sqlite_at(tmp_path / "backup.db")
    store, numbers = Store.at(empty_url), count()
    with before_each_batch(lambda: call(store, save_fact, f"note {next(numbers)}", "meanwhile")):
        copy(empty_url, target)
    assert call(store, load_fact, "note 0") == "meanwhile"
    store.close()
    assert rows_of(target) == before


@pytest.mark.parametrize("is_there", [True, False])
def test_a_missing_source_is_named_and_not_created(tmp_path: Path, *, is_there: bool) -> None:
    path = tmp_path / "source.db"
    if is_there:
        path.touch()
    said = "nothing of Velha's" if is_there else r"source.db cannot be opened: No such file"
    with pytest.raises(StoreError, match=said):
        copy(sqlite_at(path), sqlite_at(tmp_path / "target.db"))
    assert path.exists() is is_there


@on_new_sqlite
def test_what_an_older_release_lacks_has_its_default_in_a_copy(
    empty_url: URL, tmp_path: Path
) -> None:
    """It has fewer tables and columns."""
    source = sqlite_at(tmp_path / "source.db")
    fill(source, 3)
    fill(empty_url, 2)
    expected = rows_of(source)
    engine = create_engine(source)
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP TABLE moment_tries")
        connection.exec_driver_sql("ALTER TABLE attempts DROP COLUMN share_claimed_at")
    engine.dispose()
    with snapshot_of(source) as older, transaction_on(empty_url) as target:
        counts = replace_rows(older, target)
    expected["moment_tries"] = []
    expected["attempts"] = [(*row[:-1], None) for row in expected["attempts"]]
    assert rows_of(empty_url) == expected
    assert "moment_tries" not in counts


def make_newer(url: URL) -> None:
    """Make a database one of a release to come, in which a match has a colour."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("ALTER TABLE matches ADD COLUMN colour TEXT")
    engine.dispose()


def test_of_a_newer_release_s_database_all_that_this_one_knows_is_copied(tmp_path: Path) -> None:
    """Also into one that is newer itself, as `restore` does."""
    source, target, newer = (sqlite_at(tmp_path / f"{name}.db") for name in "abc")
    fill(source, 3)
    fill(newer, 0)
    make_newer(source)
    make_newer(newer)
    copy(source, target)
    copy(target, newer)
    assert rows_of(source) == rows_of(target) == rows_of(newer)


# As a host types it


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


def test_a_database_is_copied_by_naming_two_urls(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(sqlite_at(here / "velha.db"), 2)
    assert main(["copy", "sqlite:///velha.db", "sqlite:///copy.db"]) == 0
    assert rows_of(sqlite_at(here / "copy.db")) == rows_of(sqlite_at(here / "velha.db"))
    said = capsys.readouterr().out
    assert f"{here}/copy.db has {2 * len(tables())} rows, counted: " in said
    assert said.endswith(f", as {here}/velha.db.\n")
