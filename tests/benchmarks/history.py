"""A long history: what a press costs with a thousand finished matches stored, and with a million.

    python -m tests.benchmarks.history [--rows N,N]

On SQLite and, where TEST_DATABASE_URL names one, PostgreSQL: the time of what the store does most,
side by side for each length of history, and the query plans at the greatest. It takes a minute.
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

from sqlalchemy import create_engine, event, text

from bot.config import parse_url
from bot.domain.match_actions import expire
from bot.domain.matches import Match, Place, Player
from bot.store.store import Store
from engine import Level
from tests.bot.databases import empty_database, has_server, plan_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
REPEATS = 300
_LIVE_MATCHES = 5_000
SERIES = {
    "sqlite": "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :rows) ",
    "postgresql": "WITH s AS (SELECT generate_series(1, :rows) AS n) ",
}
FINISHED = """
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, o_id,
    o_level, opened_by, accepted, moves, live, ended_how, deadline_at)
SELECT n, 7, n % 50000, n % 20000, n, 'pt-BR', '3x3x3', n % 90000, 1,
    'IMPOSSIBLE', n % 90000, true, 'B2A1C1A3A2C2B1B3C3', false, 'drawn', 1700000000 + n FROM s
"""
_ids = count(10**15)


def a_match(channel_id: int) -> Match:
    return Match(
        id=next(_ids),
        place=Place(channel_id, 20, "pt-BR", 100),
        x=Player(11),
        o=Player(12, Level.MEDIUM),
        opened_by=11,
        accepted=True,
        deadline_at=NOW + timedelta(hours=1),
    )


def fill(store: Store, rows: int) -> None:
    """Many matches that are over, and some that are going on."""
    # With an engine of our own: the store's gives up a statement after two seconds.
    engine = create_engine(store._database.engine.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(SERIES[engine.dialect.name] + FINISHED), {"rows": rows})
    for number in range(_LIVE_MATCHES):
        assert store.matches.add(a_match(10**9 + number))
    with engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()


def microseconds(work: Callable[[], object]) -> float:
    """The median of many."""
    times = []
    for _ in range(REPEATS):
        began_at = time.perf_counter()
        work()
        times.append(time.perf_counter() - began_at)
    return sorted(times)[REPEATS // 2] * 1e6


def measure(store: Store) -> dict[str, float]:
    found = store.matches.live_in(10**9)
    assert found is not None
    stands = found

    def move() -> None:
        nonlocal stands
        loaded = store.matches.load(stands.id)
        assert loaded is not None
        saved = store.matches.save(replace(loaded, moves=(4,)))
        assert saved is not None
        stands = saved

    def open_and_end() -> None:
        match = a_match(2 * 10**9)
        assert store.matches.add(match)
        store.matches.save(expire(match))

    return {
        "load and save a move": microseconds(move),
        "find a channel's match": microseconds(lambda: store.matches.live_in(10**9 + 1)),
        "find its last match": microseconds(lambda: store.matches.last_played(7)),
        "find one's last matches": microseconds(lambda: store.matches.last_played_by(7)),
        "open and end a match": microseconds(open_and_end),
        "sweep, nothing due": microseconds(lambda: store.matches.expire_due(NOW, expire)),
        "prune, nothing old": microseconds(lambda: store.matches.prune(NOW, 1)),
    }


def plans(store: Store) -> list[str]:
    """Each kind of statement that the measurement sends, with its plan."""
    sent: dict[str, object] = {}

    def note(_c: object, _cursor: object, sql: str, given: object, *_more: object) -> None:
        sent.setdefault(sql, given)

    event.listen(store._database.engine, "before_cursor_execute", note)
    assert store.matches.add(a_match(3 * 10**9))
    store.matches.expire_due(NOW, expire)
    store.matches.prune(NOW, 1)
    match = store.matches.live_in(3 * 10**9)
    assert match is not None
    store.matches.save(expire(match))
    store.matches.load(match.id)
    store.matches.last_played(7)
    store.matches.last_played_by(7)
    event.remove(store._database.engine, "before_cursor_execute", note)
    with store._database.engine.connect() as connection:
        return [
            f"{sql.split()[0]:7}{line}"
            for sql, given in sent.items()
            if sql.split()[0] in ("SELECT", "UPDATE", "DELETE")
            for line in plan_of(connection, sql, given)
            if connection.dialect.name == "sqlite" or "Scan" in line
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1000,1000000", help="lengths of history")
    lengths = [int(rows) for rows in parser.parse_args().rows.split(",")]
    names = ["sqlite", "postgresql"] if has_server() else ["sqlite"]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            columns = []
            for rows in lengths:
                with empty_database(name, Path(folder)) as database_url:
                    store = Store.open(parse_url(database_url))
                    fill(store, rows)
                    columns.append(measure(store))
                    shown = plans(store)
                    store.close()
            print(f"\n{name:26}" + "".join(f"{rows:>14,} rows" for rows in lengths))
            for work in columns[0]:
                print(f"{work:26}" + "".join(f"{column[work]:16.0f} us" for column in columns))
            print(*(f"  {line}" for line in shown), sep="\n")


if __name__ == "__main__":
    main()
