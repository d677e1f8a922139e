"""The tables as migrations make them, from an empty database or from an older release's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config, main
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, create_engine, insert, inspect, text

from bot.domain.settings import GuildSettings
from bot.store.database import StoreError
from bot.store.match_rows import to_row
from bot.store.schema import facts, matches, metadata
from bot.store.store import Store
from engine import Level
from tests.bot.processes import ROOT, environment, start_process
from tests.bot.store.test_matches import a_match

MIGRATIONS = Path(__file__).parents[3] / "bot" / "store" / "migrations"
UPGRADE = ["-c", str(ROOT / "pyproject.toml"), "upgrade", "head"]


def make_tables_of(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def test_the_tables_are_kept_when_the_store_is_opened_again(empty_url: URL) -> None:
    for expected in (None, a_match()):
        store = Store.open(empty_url)
        assert store.matches.load(1) == expected
        store.matches.add(a_match())
        store.close()


def test_processes_that_start_together_migrate_one_after_the_other(empty_url: URL) -> None:
    processes = [start_process(Store.open, empty_url) for _ in range(3)]
    for process in processes:
        process.join()
        assert process.exitcode == 0


def test_matches_of_the_first_release_go_on_in_this_one(empty_url: URL) -> None:
    row = to_row(a_match())
    for later in ("hints", "ended_at", "duel", "turn_minutes", "is_open"):
        del row[later]
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        make_tables_of(connection, "0001")
        connection.execute(insert(matches).values(row))
        connection.execute(insert(facts).values(name="level in 2", value="EASY"))
        connection.execute(insert(facts).values(name="commands", value="told"))
    engine.dispose()
    store = Store.open(empty_url)
    assert store.matches.load(1) == a_match()
    assert store.matches.count_hint(a_match())
    assert store.settings.load(2) == GuildSettings(level=Level.EASY)
    assert store.key_values.get("commands") == "told"
    store.close()


def test_servers_of_the_release_before_keep_their_level(empty_url: URL) -> None:
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        make_tables_of(connection, "0006")
        connection.execute(text("INSERT INTO servers (guild_id, level) VALUES (2, 'EASY')"))
    store = Store.open(empty_url)
    assert store.settings.load(2) == GuildSettings(level=Level.EASY)
    store.settings.update(3, {"turn_minutes": 60})
    assert store.settings.load(3) == GuildSettings(turn_minutes=60)
    with engine.begin() as connection:  # that release goes on beside this one
        connection.execute(text("UPDATE servers SET level = 'HARD' WHERE guild_id = 2"))
        connection.execute(text("INSERT INTO servers (guild_id, level) VALUES (4, 'CHILD')"))
        read = connection.execute(text("SELECT level FROM servers WHERE guild_id = 3"))
        assert read.scalar_one() is None
    assert store.settings.load(2).level is Level.HARD
    assert store.settings.load(4) == GuildSettings(level=Level.CHILD)
    engine.dispose()
    store.close()


def test_a_migration_that_fails_midway_leaves_nothing_of_itself(empty_url: URL) -> None:
    """The second revision finds the name of its index taken, after it has added its columns."""
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        make_tables_of(connection, "0001")
        connection.execute(text("CREATE INDEX matches_by_channel ON matches (channel_id)"))
    with pytest.raises(StoreError, match=r"matches_by_channel.* already exists"):
        Store.open(empty_url)
    with engine.begin() as connection:
        columns = {column["name"] for column in inspect(connection).get_columns("matches")}
        assert columns.isdisjoint({"hints", "hinted_version"})
        connection.execute(text("DROP INDEX matches_by_channel"))
    engine.dispose()
    store = Store.open(empty_url)
    assert store.matches.add(a_match())
    store.close()


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
    ("settings", "file", "upgraded"),
    [
        ({}, "", "velha.db"),
        ({}, "DATABASE_URL=sqlite:///named-in-file.db", "named-in-file.db"),
        ({"DATABASE_URL": ""}, "DATABASE_URL=sqlite:///named-in-file.db", "named-in-file.db"),
        ({"DATABASE_URL": ""}, "DATABASE_URL=", "velha.db"),
        ({"DATABASE_URL": "sqlite:///given.db"}, "DATABASE_URL=sqlite:///file.db", "given.db"),
        ({}, "TURN_MINUTES=x", "velha.db"),
    ],
)
def test_it_upgrades_the_bot_s_database_and_needs_no_token(
    tmp_path: Path,
    settings: dict[str, str],
    file: str,
    upgraded: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / ".env").write_text(file)
    monkeypatch.chdir(tmp_path)
    with patch.dict(os.environ, environment(settings), clear=True):
        main(UPGRADE)
    assert [path.name for path in tmp_path.glob("*.db")] == [upgraded]


def test_a_url_it_cannot_use_is_one_sentence_without_the_password(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", *UPGRADE],
        cwd=tmp_path,
        env=environment({"DATABASE_URL": "mysql://user:the-password@host/base"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "DATABASE_URL: it begins with mysql://" in said
    assert "Traceback" not in said
    assert "the-password" not in said
