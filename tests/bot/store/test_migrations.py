"""The tables as migrations make them, from an empty database or from an older release's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config, main
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, MetaData, create_engine, insert, inspect, select, text

from bot.config import parse_url
from bot.domain.match_actions import Press
from bot.store.database import SchemaError, StoreError
from bot.store.matches import add, load_match
from bot.store.migrations import known_revisions, migrate
from bot.store.schema import metadata, ranks, tallies
from bot.store.store import Store
from tests.bot.backend import App
from tests.bot.databases import call, empty_database, on_new_sqlite
from tests.bot.example_matches import ANA, BEN, RUI
from tests.bot.ops.test_database_copy import make_newer
from tests.bot.processes import ROOT, start_process
from tests.bot.store.test_matches import a_match

MIGRATIONS = Path(__file__).parents[3] / "bot" / "store" / "migrations"
RELEASE_1_1_0 = Path(__file__).with_name("release_1_1_0.sql")
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


def write_release_1_1_0(url: URL) -> None:
    """Make a database by the statements of release 1.1.0, with rows in each table."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in RELEASE_1_1_0.read_text(encoding="utf-8").split(";\n")[:-1]:
            connection.exec_driver_sql(statement)
    engine.dispose()


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


def rows_of(connection: Connection) -> dict[str, list[dict[str, object]]]:
    tables = MetaData()
    tables.reflect(connection)
    return {
        table.name: [
            dict(row) for row in connection.execute(select(table).order_by(*table.c)).mappings()
        ]
        for table in tables.sorted_tables
    }


def test_the_first_revision_makes_the_tables_of_release_1_1_0(
    empty_url: URL, tmp_path: Path
) -> None:
    with empty_database(empty_url.get_backend_name(), tmp_path) as url_of_1_1_0:
        write_release_1_1_0(parse_url(url_of_1_1_0))
        described = []
        for url in (parse_url(url_of_1_1_0), empty_url):
            engine = create_engine(url)
            with engine.begin() as connection:
                migrate(connection, "0012")
                described.append(describe(connection))
            engine.dispose()
    assert described[0] == described[1]
    assert len(described[0]) == 16


def test_a_database_of_release_1_1_0_is_brought_up_to_date_and_loses_nothing(
    empty_url: URL,
) -> None:
    write_release_1_1_0(empty_url)
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        written = rows_of(connection)
    Store.open(empty_url).close()
    with engine.begin() as connection:
        found = rows_of(connection)
    engine.dispose()
    assert all(written.values())
    del written["alembic_version"]
    for tables in (written, found):  # places on the ladder are worked out anew
        tables["ranks"] = [row for row in tables["ranks"] if row["chart"] != "ladder"]
    for table, rows in written.items():
        for row, now in zip(rows, found[table], strict=True):
            assert {name: now[name] for name in row} == row
            assert {value for name, value in now.items() if name not in row} <= {None}


LADDER_RESULTS = {
    ANA: {"EASY": (3, 0), "MEDIUM": (1, 0), "HARD": (1, 5), "EXPERT": (0, 2), "IMPOSSIBLE": (0, 9)},
    BEN: {"EASY": (1, 1), "HARD": (2, 0)},
    RUI: {"CHILD": (9, 0), "EASY": (0, 9), "PERFECT": (0, 1)},
}
"""How often each has won and drawn, by level."""


def test_places_on_the_ladder_are_worked_out_anew(empty_url: URL) -> None:
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        migrate(connection, "0014")
        for user_id, results in LADDER_RESULTS.items():
            for level, (won, drawn) in results.items():
                counts = {"won": won, "drawn": drawn, "lost": 0, "unbeaten": 0, "longest": 0}
                row = {"user_id": user_id, "rules": "3x3x3", "level": level, "hinted": False}
                connection.execute(insert(tallies), row | counts | {"critical": 0, "kept": 0})
            for guild_id in (20, 21):
                place = {"guild_id": guild_id, "user_id": user_id, "score": 12}
                connection.execute(insert(ranks), {**place, "chart": "ladder"})
                connection.execute(insert(ranks), {**place, "chart": "ever"})
        migrate(connection)
        rows = connection.execute(select(ranks)).all()
        found = {(row.chart, row.guild_id, row.user_id): row.score for row in rows}
    engine.dispose()
    ladder = {key[1:]: score for key, score in found.items() if key[0] == "ladder"}
    expert_drawn, easy_won = 8, 3
    assert ladder == {
        (guild_id, user_id): score
        for guild_id in (20, 21)
        for user_id, score in ((ANA, expert_drawn), (BEN, easy_won))
    }
    assert [score for key, score in found.items() if key[0] == "ever"] == [12] * 6


async def test_buttons_of_release_1_1_0_work(empty_url: URL) -> None:
    """Those of a board between Ana and Ben, in which it is Ana's turn."""
    write_release_1_1_0(empty_url)
    Store.open(empty_url).close()
    app = App(empty_url)
    for custom_id, who in (("velha:7:0:play:8", ANA), ("velha:7:1:play:2", BEN)):
        press = Press.parse(custom_id)
        assert press is not None
        await app.matches.press(press, who)
    match = call(app.store, load_match, 7)
    assert match is not None
    assert str(match.board) == "x.o .o. ..x"
    await app.close()


def test_a_database_that_went_back_to_1_1_0_comes_up_to_date_again(
    empty_url: URL, tmp_path: Path
) -> None:
    """As `downgrade` leaves it: with what later revisions have added."""
    (tmp_path / "9998_next.py").write_text(
        f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9998", "{known_revisions()[-1]}"


def upgrade():
    op.add_column("matches", sa.Column("colour", sa.Text))
    op.create_table("colours", sa.Column("name", sa.Text))
    op.create_index("colours_by_name", "colours", ["name"])
"""
    )
    write_release_1_1_0(empty_url)
    engine = create_engine(empty_url)
    for expected in (None, "red"):
        with engine.begin() as connection:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.set_main_option("path_separator", "newline")
            config.set_main_option("version_locations", f"{MIGRATIONS / 'versions'}\n{tmp_path}")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            read = connection.exec_driver_sql("SELECT colour FROM matches WHERE id = 7")
            assert read.scalar_one() == expected
            connection.exec_driver_sql("UPDATE matches SET colour = 'red' WHERE id = 7")
            set_revision_of_1_1_0(connection)
    engine.dispose()


def set_revision_of_1_1_0(connection: Connection) -> None:
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0012'")


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
        ("matches", "0011", "older than release 1.1.0: check out 5e61caa and start that once"),
    ],
)
@on_new_sqlite
def test_another_program_s_database_and_one_that_is_too_old_are_refused(
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
