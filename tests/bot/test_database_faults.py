"""A database that is gone or full: people get a sentence, the log a line, nothing is lost."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, make_url, text

from bot.config import Config, parse_url
from bot.store.database import StoreError
from bot.store.matches import add, load_match
from bot.store.store import Store
from tests.bot.conftest import SyncedCommands
from tests.bot.databases import SERVER_VARIABLE, call, skip_without_server
from tests.bot.logged import errors
from tests.bot.simulated_guild import SimulatedGuild, private_text
from tests.bot.store.test_matches import a_match

pytestmark = pytest.mark.logs_errors


@pytest.fixture
def settings(database_url: str) -> Config:
    return Config.from_env({"DISCORD_TOKEN": "t", "DATABASE_URL": database_url})


@pytest.fixture
def synced_at_start() -> SyncedCommands:
    return SyncedCommands()


async def test_a_full_disk_stores_nothing_by_half_and_play_goes_on_afterwards(
    tmp_path: Path,
) -> None:
    store = Store.open(parse_url(f"sqlite:///{tmp_path / 'velha.db'}"))

    with store.database.connection() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    added = 0
    with pytest.raises(StoreError, match="full"):  # noqa: PT012 - some fit into the last page
        while call(store, add, a_match(added + 1, channel_id=added + 1)):
            added += 1
    assert call(store, load_match, added) is not None
    assert call(store, load_match, added + 1) is None
    with store.database.connection() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert call(store, add, a_match(added + 1, channel_id=added + 1))
    store.close()


class TestAServer:
    """What only a database server can do."""

    @pytest.fixture
    def admin(self) -> Iterator[Connection]:
        skip_without_server()
        engine = create_engine(parse_url(os.environ[SERVER_VARIABLE]), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            yield connection
        engine.dispose()

    @pytest.fixture
    def database_url(self, admin: Connection) -> Iterator[str]:
        self.name = f"velha_{secrets.token_hex(8)}"
        admin.execute(text(f"CREATE DATABASE {self.name}"))
        ours = make_url(os.environ[SERVER_VARIABLE]).set(database=self.name)
        yield ours.render_as_string(hide_password=False)
        admin.execute(text(f"DROP DATABASE {self.name} WITH (FORCE)"))

    def disconnect(self, admin: Connection) -> None:
        others = text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
        )
        admin.execute(others, {"name": self.name})

    async def test_dropped_connections_are_not_noticed(
        self, guild: SimulatedGuild, admin: Connection, caplog: pytest.LogCaptureFixture
    ) -> None:
        await guild.challenge()
        for who, label in ((guild.ana, "A1"), (guild.ben, "B2")):
            self.disconnect(admin)
            time.sleep(0.2)  # noqa: ASYNC251 - the real time after which a connection is looked at
            await guild.press(who, label)
        assert guild.board() == "x.. .o. ..."
        assert errors(caplog) == []

    async def test_play_goes_on_without_a_restart_once_the_server_is_back(
        self, guild: SimulatedGuild, admin: Connection, caplog: pytest.LogCaptureFixture
    ) -> None:
        await guild.challenge()
        guild.stop_background_tasks()
        admin.execute(text(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS false"))
        self.disconnect(admin)
        for _ in range(3):
            assert "memória" in private_text(await guild.press(guild.ana, "A1"))
        assert len(errors(caplog)) == 1
        assert "terminating connection" in errors(caplog)[0]
        assert guild.board() == "... ... ..."
        admin.execute(text(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS true"))
        await guild.press(guild.ana, "A1")
        assert guild.board() == "x.. ... ..."
