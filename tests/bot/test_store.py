"""The store, on SQLite always and on PostgreSQL where TEST_DATABASE_URL names one."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.match import Ending, How, Match, Place, Player
from bot.store import DatabaseUrlError, Store, async_url
from bot.store.schema import metadata
from engine import TIC_TAC_TOE, Level, Mark, Rules

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def a_match(match_id: int = 1, channel_id: int = 10) -> Match:
    return Match(
        id=match_id,
        place=Place(channel_id, 20, "pt-BR"),
        x=Player(11),
        o=Player(12, Level.MEDIUM),
        opened_by=11,
        accepted=True,
        deadline_at=NOW,
    )


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[URL]:
    """An empty database of its own."""
    if request.param == "sqlite":
        yield async_url(f"sqlite:///{tmp_path / 'velha.db'}")
        return
    if not (given := os.environ.get("TEST_DATABASE_URL")):
        pytest.skip("TEST_DATABASE_URL names no PostgreSQL")
    schema = f"velha_{secrets.token_hex(8)}"
    admin = create_async_engine(async_url(given))
    async with admin.begin() as connection:
        await connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield async_url(given).update_query_dict({"options": f"-csearch_path={schema}"})
    async with admin.begin() as connection:
        await connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    await admin.dispose()


@pytest.fixture
async def store(url: URL) -> AsyncIterator[Store]:
    store = await Store.open(url)
    yield store
    await store.close()


@pytest.mark.parametrize(
    "match",
    [
        a_match(),
        replace(a_match(), accepted=False, o=Player(12)),
        replace(a_match(), moves=(4, 0, 8)),
        replace(a_match(), moves=(0, 3, 1, 4, 2)),
        replace(a_match(), broken_off=Ending(How.RESIGNED, Mark.O), asks_rematch=12),
        replace(a_match(), broken_off=Ending(How.STOPPED), next_id=None),
        replace(a_match(), rules=Rules(5, 5, 4), moves=(24, 0, 20), x=Player(1, Level.EASY)),
        replace(a_match(2**63 - 1, 2**63 - 1), place=Place(2**63 - 1, None, "en-US", 2**63 - 1)),
    ],
)
async def test_a_match_comes_back_as_it_was_stored(store: Store, match: Match) -> None:
    assert await store.add(match)
    assert await store.latest(match.id) == match


async def test_an_unknown_match_is_none(store: Store) -> None:
    assert await store.latest(404) is None
    assert await store.live_match(404) is None


async def test_a_channel_holds_one_live_match(store: Store) -> None:
    first = a_match()
    assert await store.add(first)
    assert not await store.add(a_match(2))
    assert await store.live_match(10) == first
    assert await store.add(a_match(3, channel_id=11))


async def test_a_finished_match_frees_its_channel(store: Store) -> None:
    await store.add(a_match())
    await store.save(replace(a_match(), broken_off=Ending(How.STOPPED)))
    assert await store.live_match(10) is None
    assert await store.add(a_match(2))


async def test_only_the_first_of_two_changes_to_a_version_is_kept(store: Store) -> None:
    await store.add(a_match())
    first = await store.save(replace(a_match(), moves=(4,)))
    second = await store.save(replace(a_match(), moves=(0,)))
    assert first == replace(a_match(), moves=(4,), version=1)
    assert second is None
    assert await store.latest(1) == first


async def test_of_many_changes_at_once_exactly_one_is_kept(store: Store) -> None:
    await store.add(a_match())
    changes = [store.save(replace(a_match(), moves=(cell,))) for cell in TIC_TAC_TOE.cells]
    saved = [match for match in await asyncio.gather(*changes) if match is not None]
    assert len(saved) == 1
    assert await store.latest(1) == saved[0]


async def test_of_many_matches_opened_at_once_exactly_one_is_kept(store: Store) -> None:
    added = await asyncio.gather(*(store.add(a_match(number)) for number in range(1, 21)))
    assert sum(added) == 1


async def test_a_successor_is_stored_with_its_predecessor_or_not_at_all(store: Store) -> None:
    await store.add(a_match())
    over = await store.save(replace(a_match(), broken_off=Ending(How.STOPPED)))
    assert over is not None
    agreed = replace(over, next_id=2, asks_rematch=11)
    assert await store.save_with_successor(agreed, a_match(2))
    assert not await store.save_with_successor(agreed, a_match(3, channel_id=11))
    assert await store.latest(3) is None
    latest = await store.latest(1)
    assert latest is not None
    assert latest.id == 2, "the latest of a chain of rematches"


async def test_a_successor_does_not_take_a_busy_channel(store: Store) -> None:
    await store.add(a_match())
    over = await store.save(replace(a_match(), broken_off=Ending(How.STOPPED)))
    assert over is not None
    await store.add(a_match(2))
    assert not await store.save_with_successor(replace(over, next_id=3), a_match(3))
    assert await store.latest(1) == over


async def test_the_newest_message_is_the_board_s(store: Store) -> None:
    await store.add(a_match())
    for message_id, expected in ((100, 100), (99, 100), (101, 101)):
        await store.place(1, message_id)
        match = await store.latest(1)
        assert match is not None
        assert match.place.message_id == expected
        assert match.version == 0, "moving a board is no move"


async def test_a_move_made_meanwhile_does_not_bring_the_old_message_back(store: Store) -> None:
    await store.add(a_match())
    await store.place(1, 100)
    loaded = await store.latest(1)
    assert loaded is not None
    await store.place(1, 101)
    assert await store.save(replace(loaded, moves=(4,))) is not None
    match = await store.latest(1)
    assert match is not None
    assert match.place.message_id == 101


@pytest.mark.logs_errors
async def test_a_row_that_cannot_be_read_is_ended(
    store: Store, url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    await store.add(a_match())
    await store.add(a_match(2, channel_id=11))
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE matches SET o_level = 'GODLIKE' WHERE id = 1"))
    await engine.dispose()
    assert [match.id for match in await store.expire(NOW)] == [2]
    assert await store.live_match(10) is None
    assert await store.add(a_match(3))
    assert "Match 1 cannot be read" in caplog.text


async def test_matches_whose_time_is_up_are_ended_once(store: Store) -> None:
    await store.add(a_match())
    await store.add(replace(a_match(2, channel_id=11), deadline_at=NOW + timedelta(minutes=1)))
    sweeps = await asyncio.gather(*(store.expire(NOW) for _ in range(4)))
    ended = [match for sweep in sweeps for match in sweep]
    assert [match.id for match in ended] == [1]
    assert ended[0].ending == Ending(How.CALLED_OFF)
    assert await store.latest(1) == ended[0]
    assert await store.live_match(11) is not None


async def test_one_channel_can_be_swept_alone(store: Store) -> None:
    await store.add(a_match())
    await store.add(a_match(2, channel_id=11))
    assert [match.id for match in await store.expire(NOW, channel_id=11)] == [2]
    assert await store.live_match(10) is not None


async def test_facts_are_remembered_and_replaced(store: Store) -> None:
    assert await store.fact("name") is None
    await store.remember("name", "one")
    await store.remember("name", "two")
    assert await store.fact("name") == "two"


async def test_the_tables_are_kept_when_the_store_is_opened_again(url: URL) -> None:
    for expected in (None, a_match()):
        store = await Store.open(url)
        assert await store.latest(1) == expected
        await store.add(a_match())
        await store.close()


async def test_processes_that_start_together_migrate_one_by_one(url: URL) -> None:
    address = url.render_as_string(hide_password=False)
    code = (
        "import asyncio, sqlalchemy; from bot.store import Store;"
        f"store = asyncio.run(Store.open(sqlalchemy.make_url({address!r})))"
    )
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE
        )
        for _ in range(3)
    ]
    for process in processes:
        _, stderr = await process.communicate()
        assert process.returncode == 0, stderr.decode()


async def test_the_migrations_make_the_tables_that_the_code_expects(url: URL) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    await (await Store.open(url)).close()
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        assert await connection.run_sync(differences) == []
    await engine.dispose()


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///velha.db", "sqlite+aiosqlite"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql://u:p@h/d?sslmode=require", "postgresql+psycopg"),
    ],
)
def test_urls_are_taken_as_hosts_hand_them_out(given: str, driver: str) -> None:
    assert async_url(given).drivername == driver


@pytest.mark.parametrize(
    "given",
    ["", "velha.db", "mysql://u:secret@h/d", "sqlite+x:///a", "://", "postgres://u:p@secret@h/d"],
)
def test_a_url_we_cannot_use_is_refused_without_its_password(given: str) -> None:
    with pytest.raises(DatabaseUrlError) as refused:
        async_url(given)
    assert "secret" not in str(refused.value)


def test_a_password_in_the_query_is_hidden_like_any_other() -> None:
    url = async_url("postgresql:///d?host=/run/pg&user=u&password=secret&sslmode=require")
    assert url.password == "secret"
    assert "secret" not in repr(url)
    assert url.query["sslmode"] == "require"
