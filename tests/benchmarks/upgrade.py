"""An upgrade with a long history: how long the tables take, and how fast the past is counted.

    python -m tests.benchmarks.upgrade [--rows N]

On SQLite and, where TEST_DATABASE_URL names one, PostgreSQL. The tables are made as the release
before had them, with many finished matches and some that are going on; these are pressed after.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, create_engine, insert, text

from bot.config import parse_url
from bot.domain.match_actions import MatchAction, Press, PressContext
from bot.services.clock import Clock
from bot.store import migrations
from bot.store.matches import to_row
from bot.store.schema import matches
from bot.store.stats import COUNT_BATCH_SIZE
from bot.store.store import Store
from tests.benchmarks.history import FINISHED, NOW, SERIES, a_match
from tests.bot.backend import Backend
from tests.bot.databases import empty_database, has_server

_BEFORE = "0005"
_NOT_YET = ("ended_at", "duel", "turn_minutes", "is_open")
_LIVE_MATCHES = 1_000
_COUNTED_MATCHES = 20_000


def make_tables_of_before(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["connection"] = connection
    command.upgrade(config, _BEFORE)


def fill(url: URL, rows: int) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        make_tables_of_before(connection)
        connection.execute(text(SERIES[engine.dialect.name] + FINISHED), {"rows": rows})
        live = [to_row(a_match(10**9 + number)) for number in range(_LIVE_MATCHES)]
        for row in live:
            for name in _NOT_YET:
                del row[name]
        connection.execute(insert(matches), live)
    engine.dispose()


async def measure(url: URL, rows: int) -> None:
    fill(url, rows)
    began_at = time.perf_counter()
    store = Store.open(url)
    print(f"  tables of {rows:,} matches: {time.perf_counter() - began_at:.1f} s")
    backend = Backend(store, Clock(lambda: NOW))
    try:
        live = store.matches.live_in(10**9)
        assert live is not None
        press = Press(live.id, live.version, MatchAction.PLAY, 4)
        await backend.services.match_actions.press(
            press, PressContext(live.x.user_id, 10**9, 100, 1)
        )
        assert (await backend.load(live)).version > live.version, "its old button works"
        began_at, batches = time.perf_counter(), _COUNTED_MATCHES // COUNT_BATCH_SIZE
        for _ in range(batches):
            await backend.services.stats.count()
        seconds = (time.perf_counter() - began_at) / batches
        print(f"  {COUNT_BATCH_SIZE} matches of the past are counted in {1000 * seconds:.0f} ms")
    finally:
        await backend.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    for kind in ("sqlite", "postgresql") if has_server() else ("sqlite",):
        print(kind)
        with tempfile.TemporaryDirectory() as folder, empty_database(kind, Path(folder)) as url:
            asyncio.run(measure(parse_url(url), rows))


if __name__ == "__main__":
    main()
