"""A long history: how fast the store is with a thousand finished matches, and with a million.

    python -m tests.tools.benchmarks.history [--rows N,N]

prints the durations of the most frequent operations side by side for each length of history: on
SQLite and, if TEST_DATABASE_URL names one, on PostgreSQL. It takes a minute.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from sqlalchemy import text

from bot.config import parse_url
from bot.domain.match_actions import expire
from bot.domain.matches import Match, Place, Player
from bot.features.counting import save_match
from bot.store.matches import (
    add,
    compare_and_set,
    find_overdue,
    last_played,
    last_played_by,
    live_in,
    load_match,
    prune,
)
from bot.store.store import Store
from engine import Level
from tests.bot.databases import call, empty_database, has_server

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
REPEATS = 300
LIVE_MATCHES = 5_000
SERIES = {
    "sqlite": "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :rows) ",
    "postgresql": "WITH s AS (SELECT generate_series(1, :rows) AS n) ",
}
"""Numbers from 1 to `rows`, from which INSERT_FINISHED makes a match each."""
INSERT_FINISHED = """
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, o_id,
    o_level, opened_by, accepted, moves, live, ended_how, deadline_at)
SELECT n, 7, n % 50000, n % 20000, n, 'pt-BR', '3x3x3', n % 90000, 1,
    'IMPOSSIBLE', n % 90000, true, 'B2A1C1A3A2C2B1B3C3', false, 'drawn', 1700000000 + n FROM s
"""
_FIRST_LIVE_CHANNEL = 10**9
_ids = count(10**15)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1000,1000000", help="lengths of history")
    lengths = [int(rows) for rows in parser.parse_args().rows.split(",")]
    kinds = ["sqlite", "postgresql"] if has_server() else ["sqlite"]
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            columns = []
            for rows in lengths:
                with empty_database(kind, Path(folder)) as database_url:
                    store = Store.open(parse_url(database_url))
                    fill(store, rows)
                    columns.append(measure(store))
                    store.close()
            print(f"\n{kind:26}" + "".join(f"{rows:>14,} rows" for rows in lengths))
            for name in columns[0]:
                print(f"{name:26}" + "".join(f"{column[name]:16.0f} us" for column in columns))


def fill(store: Store, rows: int) -> None:
    """Insert many finished matches, and some live ones."""
    engine = store.database.engine
    with engine.connect() as connection:
        connection.execute(text(SERIES[engine.dialect.name] + INSERT_FINISHED), {"rows": rows})
    for number in range(LIVE_MATCHES):
        assert call(store, add, make_live_match(_FIRST_LIVE_CHANNEL + number))
    with engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")


def make_live_match(channel_id: int) -> Match:
    return Match(
        id=next(_ids),
        place=Place(channel_id, 20, "pt-BR", 100),
        x=Player(11),
        o=Player(12, Level.MEDIUM),
        opened_by=11,
        accepted=True,
        deadline_at=NOW + timedelta(hours=1),
    )


def measure(store: Store) -> dict[str, float]:
    """The microseconds that the store takes for each operation."""
    match = call(store, live_in, _FIRST_LIVE_CHANNEL)
    assert match is not None
    match_id = match.id

    def load_and_save() -> None:
        loaded = call(store, load_match, match_id)
        assert loaded is not None
        assert call(store, compare_and_set, replace(loaded, moves=(4,))) is not None

    def open_and_end() -> None:
        match = make_live_match(2 * 10**9)
        assert call(store, add, match)
        call(store, save_match, match, expire(match))

    other_channel = _FIRST_LIVE_CHANNEL + 1
    return {
        "load and save a move": microseconds(load_and_save),
        "find a channel's match": microseconds(lambda: call(store, live_in, other_channel)),
        "find its last match": microseconds(lambda: find_last_played(store)),
        "find one's last matches": microseconds(lambda: call(store, last_played_by, 7)),
        "open and end a match": microseconds(open_and_end),
        "sweep, nothing due": microseconds(lambda: call(store, find_overdue, NOW)),
        "prune, nothing old": microseconds(lambda: call(store, prune, NOW, 1)),
    }


def find_last_played(store: Store) -> None:
    with store.database.connection() as connection:
        last_played(connection, 7)


def microseconds(operation: Callable[[], object]) -> float:
    """The median duration of an operation."""
    durations = []
    for _ in range(REPEATS):
        started_at = time.perf_counter()
        operation()
        durations.append(time.perf_counter() - started_at)
    return sorted(durations)[REPEATS // 2] * 1e6


if __name__ == "__main__":
    main()
