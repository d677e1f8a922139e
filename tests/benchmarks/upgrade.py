"""An upgrade with a long history: how long migrations take, and how fast old matches are counted.

    python -m tests.benchmarks.upgrade [--rows N]

It runs on SQLite and, if TEST_DATABASE_URL names one, on PostgreSQL. The database has the tables of
release 1.1.0, with many finished matches and some live ones. After the upgrade, a button of
a live match is pressed.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from sqlalchemy import URL, create_engine, insert, text

from bot.config import parse_url
from bot.domain.match_actions import MatchAction, Press, PressOrigin
from bot.features import counting
from bot.features.counting import COUNT_BATCH_SIZE
from bot.runtime.clock import Clock
from bot.store.match_rows import to_row
from bot.store.matches import live_in
from bot.store.migrations import migrate
from bot.store.schema import matches
from bot.store.store import Store
from tests.benchmarks.history import INSERT_FINISHED, NOW, SERIES, make_live_match
from tests.bot.backend import Backend
from tests.bot.databases import call, empty_database, has_server

OLD_REVISION = "0012"
LIVE_MATCHES = 1_000
COUNTED_MATCHES = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    for kind in ("sqlite", "postgresql") if has_server() else ("sqlite",):
        print(kind)
        with tempfile.TemporaryDirectory() as folder, empty_database(kind, Path(folder)) as url:
            asyncio.run(measure(parse_url(url), rows))


async def measure(url: URL, rows: int) -> None:
    fill_old_tables(url, rows)
    started_at = time.perf_counter()
    store = Store.open(url)
    print(f"  tables of {rows:,} matches: {time.perf_counter() - started_at:.1f} s")
    backend = Backend(store, Clock(lambda: NOW))
    try:
        match = call(store, live_in, 10**9)
        assert match is not None
        press = Press(match.id, match.version, MatchAction.PLAY, 4)
        await backend.matches.press(press, PressOrigin(match.x.user_id, 10**9, 100, 1))
        assert (await backend.load(match)).version > match.version, "its old button works"
        batches = COUNTED_MATCHES // COUNT_BATCH_SIZE
        started_at = time.perf_counter()
        for _ in range(batches):
            await counting.count(backend.runtime)
        seconds = (time.perf_counter() - started_at) / batches
        print(f"  {COUNT_BATCH_SIZE} matches of the past are counted in {1000 * seconds:.0f} ms")
    finally:
        await backend.close()


def fill_old_tables(url: URL, rows: int) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        migrate(connection, OLD_REVISION)
        connection.execute(text(SERIES[engine.dialect.name] + INSERT_FINISHED), {"rows": rows})
        live_rows = [to_row(make_live_match(10**9 + number)) for number in range(LIVE_MATCHES)]
        connection.execute(insert(matches), live_rows)
    engine.dispose()


if __name__ == "__main__":
    main()
