"""The tables as migrations make them, and databases of other releases and programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import main
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, create_engine, inspect, text

from bot.store.database import SchemaError, StoreError
from bot.store.matches import add, load_match
from bot.store.schema import metadata
from bot.store.store import Store
from tests.bot.databases import call, on_new_sqlite
from tests.bot.ops.test_database_copy import make_newer
from tests.bot.processes import ROOT, start_process
from tests.bot.store.test_matches import a_match
from tests.bot.test_released import rows_of

UPGRADE = ["-c", str(ROOT / "pyproject.toml"), "upgrade", "head"]


def test_the_tables_are_kept_when_the_store_is_opened_again(empty_url: URL) -> None:
    for expected in (None, a_match()):
        store = Store.open(empty_url)
        assert call(store, load_match, 1) == expected
        call(store, add, a_match())
        store.close()


def test_processes_that_start_together_migrate_one_after_the_other(empty_url: URL) -> None:
    processes = [start_process(Store.open, empty_url) for _ in range(3)]
    for process in processes:
        process.join()
        assert process.exitcode == 0


def describe(connection: Connection) -> dict[str, object]:
    """Columns in their order, with types and defaults; keys; and indices with their conditions."""
    inspector = inspect(connection)
    return {
        table: (
            [{**column, "type": str(column["type"])} for column in inspector.get_columns(table)],
            inspector.get_pk_constraint(table)["constrained_columns"],
            [
                {
                    **index,
                    "dialect_options": {k: str(v) for k, v in index["dialect_options"].items()},
                }
                for index in sorted(
                    inspector.get_indexes(table), key=lambda index: str(index["name"])
                )
            ],
        )
        for table in inspector.get_table_names()
    }


@pytest.mark.parametrize("revision", ["0001", "0015"], ids=["first", "last"])
def test_a_database_from_before_the_first_release_is_refused_and_left_as_it_is(
    empty_url: URL, revision: str
) -> None:
    Store.open(empty_url).close()
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE processes"))
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
        before = describe(connection)
    rows = rows_of(empty_url)
    said = "it is of a version that was never released: move it away and start anew"
    with pytest.raises(SchemaError, match=said):
        Store.open(empty_url)
    with engine.begin() as connection:
        assert describe(connection) == before
    assert rows_of(empty_url) == rows
    engine.dispose()


def test_a_migration_that_fails_midway_leaves_nothing_of_itself(empty_url: URL) -> None:
    """The name of the last index is taken."""
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("CREATE TABLE others (id INTEGER)"))
        connection.execute(text("CREATE INDEX ranks_by_user ON others (id)"))
    with pytest.raises(StoreError, match=r"ranks_by_user.* already exists"):
        Store.open(empty_url)
    with engine.begin() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version", "others"}
        connection.execute(text("DROP INDEX ranks_by_user"))
    engine.dispose()
    store = Store.open(empty_url)
    assert call(store, add, a_match())
    store.close()


@pytest.mark.parametrize(
    ("table", "revision", "said"),
    [
        ("bookmarks", None, "it is another program's file, with a table named 'bookmarks'"),
        ("bookmarks", "9999", "it is another program's, at revision '9999' of its tables"),
        ("matches", "ae10", "it is another program's, at revision 'ae10' of its tables"),
    ],
)
@on_new_sqlite
def test_another_program_s_database_is_refused(
    empty_url: URL, table: str, revision: str | None, said: str
) -> None:
    Path(str(empty_url.database)).touch()
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE TABLE {table} (id INTEGER)")
        if revision is not None:
            connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32))")
            connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (revision,))
    engine.dispose()
    with pytest.raises(SchemaError, match=re.escape(said)):
        Store.open(empty_url)


@on_new_sqlite
def test_a_database_of_a_newer_release_is_used_with_one_warning(
    empty_url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    Store.open(empty_url).close()
    make_newer(empty_url)
    store = Store.open(empty_url)
    assert call(store, add, a_match())
    assert call(store, load_match, 1) == a_match()
    store.close()
    (warning,) = caplog.messages
    assert warning.startswith("The database is of a newer release (9999): this one runs")


def test_the_migrations_make_the_tables_that_the_code_expects(empty_url: URL) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    Store.open(empty_url).close()
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        assert differences(connection) == []
        for table in metadata.sorted_tables:  # alembic does not compare these
            key = inspect(connection).get_pk_constraint(table.name)["constrained_columns"]
            assert key == [column.name for column in table.primary_key]
    engine.dispose()


# The `alembic` command


@pytest.mark.parametrize(
    ("file", "upgraded"),
    [
        ("DATABASE_URL=sqlite:///named-in-file.db", "named-in-file.db"),
        ("TURN_MINUTES=x", "velha.db"),
    ],
)
def test_it_upgrades_the_bot_s_database_and_needs_no_token(
    here: Path, file: str, upgraded: str
) -> None:
    (here / ".env").write_text(file)
    main(UPGRADE)
    assert [path.name for path in here.glob("*.db")] == [upgraded]


@pytest.mark.logs_errors
@pytest.mark.usefixtures("here")
def test_a_url_it_cannot_use_is_one_sentence_without_the_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://user:the-password@host/base")
    with pytest.raises(SystemExit):
        main(UPGRADE)
    said = "".join(capsys.readouterr())
    assert "DATABASE_URL: it begins with mysql://" in said
    assert "Traceback" not in said
    assert "the-password" not in said
