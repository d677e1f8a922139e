"""The store, on SQLite always and on PostgreSQL where TEST_DATABASE_URL names one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, create_engine, event, insert, inspect, text

from bot.config import DatabaseUrlError, parse_url
from bot.domain.matches import Ending, EndReason, Match, Place, Player
from bot.domain.settings import GuildSettings, Setting
from bot.store.database import StoreError
from bot.store.matches import PRUNED_ROWS, SWEEP_ROWS, to_row
from bot.store.schema import facts, matches, metadata
from bot.store.store import Store
from engine import MISERE, TIC_TAC_TOE, Level, Mark, Rules
from tests.bot.processes import forked

Given = TypeVar("Given")
Result = TypeVar("Result")

MIGRATIONS = Path(__file__).parents[3] / "bot" / "store" / "migrations"
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


def at_once(work: Callable[[Given], Result], given: Iterable[Given]) -> list[Result]:
    """Do the same with each, in as many threads."""
    with ThreadPoolExecutor(20) as threads:
        return list(threads.map(work, given))


@pytest.fixture
def store(url: URL) -> Iterator[Store]:
    store = Store.open(url)
    yield store
    store.close()


@pytest.mark.parametrize(
    "match",
    [
        a_match(),
        replace(a_match(), accepted=False, o=Player(12)),
        replace(a_match(), moves=(4, 0, 8)),
        replace(a_match(), moves=(0, 3, 1, 4, 2)),
        replace(a_match(), moves=(0, 1, 2, 4, 3, 5, 7, 6, 8)),
        replace(a_match(), early_ending=Ending(EndReason.RESIGNED, Mark.O), rematch_asked_by=12),
        replace(a_match(), early_ending=Ending(EndReason.STOPPED), next_id=None),
        replace(a_match(), rules=Rules(5, 5, 4), moves=(24, 0, 20), x=Player(1, Level.EASY)),
        replace(a_match(2**63 - 1, 2**63 - 1), place=Place(2**63 - 1, None, "en-US", 2**63 - 1)),
    ],
)
def test_a_match_comes_back_as_it_was_stored(store: Store, match: Match) -> None:
    assert store.matches.add(match)
    assert store.matches.load(match.id) == match


def test_an_unknown_match_is_none(store: Store) -> None:
    assert store.matches.load(404) is None
    assert store.matches.live_in(404) is None


def test_a_channel_holds_one_live_match(store: Store) -> None:
    first = a_match()
    assert store.matches.add(first)
    assert not store.matches.add(a_match(2))
    assert store.matches.live_in(10) == first
    assert store.matches.add(a_match(3, channel_id=11))


def test_a_finished_match_frees_its_channel(store: Store) -> None:
    store.matches.add(a_match())
    store.matches.save(replace(a_match(), early_ending=Ending(EndReason.STOPPED)))
    assert store.matches.live_in(10) is None
    assert store.matches.add(a_match(2))


def test_only_the_first_of_two_changes_to_a_version_is_kept(store: Store) -> None:
    store.matches.add(a_match())
    first = store.matches.save(replace(a_match(), moves=(4,)))
    second = store.matches.save(replace(a_match(), moves=(0,)))
    assert first == replace(a_match(), moves=(4,), version=1)
    assert second is None
    assert store.matches.load(1) == first


def test_of_many_changes_at_once_exactly_one_is_kept(store: Store) -> None:
    store.matches.add(a_match())
    changes = [replace(a_match(), moves=(cell,)) for cell in TIC_TAC_TOE.cells]
    saved = [match for match in at_once(store.matches.save, changes) if match is not None]
    assert len(saved) == 1
    assert store.matches.load(1) == saved[0]


def test_of_many_matches_opened_at_once_exactly_one_is_kept(store: Store) -> None:
    assert sum(at_once(store.matches.add, [a_match(number) for number in range(1, 21)])) == 1


def test_a_successor_is_stored_with_its_predecessor_or_not_at_all(store: Store) -> None:
    store.matches.add(a_match())
    over = store.matches.save(replace(a_match(), early_ending=Ending(EndReason.STOPPED)))
    assert over is not None
    agreed = replace(over, next_id=2, rematch_asked_by=11)
    assert store.matches.save_with_next_match(agreed, a_match(2)) == replace(agreed, version=2)
    assert not store.matches.save_with_next_match(agreed, a_match(3, channel_id=11))
    assert store.matches.load(3) is None
    assert store.matches.load(2) == a_match(2)


def test_a_successor_does_not_take_a_busy_channel(store: Store) -> None:
    store.matches.add(a_match())
    over = store.matches.save(replace(a_match(), early_ending=Ending(EndReason.STOPPED)))
    assert over is not None
    store.matches.add(a_match(2))
    assert not store.matches.save_with_next_match(replace(over, next_id=3), a_match(3))
    assert store.matches.load(1) == over


def test_the_newest_message_is_the_board_s(store: Store) -> None:
    store.matches.add(a_match())
    for message_id, expected in ((100, 100), (99, 100), (101, 101)):
        store.matches.record_message(1, message_id)
        match = store.matches.load(1)
        assert match is not None
        assert match.place.message_id == expected
        assert match.version == 0, "moving a board is no move"


def test_a_move_made_meanwhile_does_not_bring_the_old_message_back(store: Store) -> None:
    store.matches.add(a_match())
    store.matches.record_message(1, 100)
    loaded = store.matches.load(1)
    assert loaded is not None
    store.matches.record_message(1, 101)
    assert store.matches.save(replace(loaded, moves=(4,))) is not None
    match = store.matches.load(1)
    assert match is not None
    assert match.place.message_id == 101


@pytest.mark.logs_errors
@pytest.mark.parametrize("change", ["o_level = 'GODLIKE'", "rules = '3x3'", "moves = 'B2B2'"])
def test_a_row_that_cannot_be_read_is_ended(
    store: Store, url: URL, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    store.matches.add(a_match())
    store.matches.add(a_match(2, channel_id=11))
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE matches SET {change} WHERE id = 1"))  # noqa: S608 - ours
    engine.dispose()
    assert [match.id for match in store.match_batches.expire(NOW)] == [2]
    assert store.matches.live_in(10) is None
    assert store.matches.add(a_match(3))
    assert "cannot be read" in caplog.text


@pytest.mark.logs_errors
def test_of_many_rows_that_cannot_be_read_a_host_is_told_once_and_over_ones_stay_as_they_are(
    store: Store, url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 6):
        over = replace(a_match(number), early_ending=Ending(EndReason.RESIGNED, Mark.X))
        store.matches.add(over)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET rules = '3x3' WHERE id > 1"))
    assert [match.id for match in store.match_batches.of_person(11, 10)[0]] == [1]
    with engine.begin() as connection:
        reason = connection.execute(text("SELECT DISTINCT ended_how FROM matches")).scalars().all()
    engine.dispose()
    assert reason == ["resigned"], "a newer release may well read them"
    assert len(caplog.records) == 1
    assert "4 matches" in caplog.text


def test_matches_whose_time_is_up_are_ended_once(store: Store) -> None:
    store.matches.add(a_match())
    store.matches.add(replace(a_match(2, channel_id=11), deadline_at=NOW + timedelta(minutes=1)))
    ended = [match for sweep in at_once(store.match_batches.expire, [NOW] * 4) for match in sweep]
    assert [match.id for match in ended] == [1]
    assert ended[0].ending == Ending(EndReason.CALLED_OFF)
    assert store.matches.load(1) == ended[0]
    assert store.matches.live_in(11) is not None


@pytest.mark.parametrize("_time", range(5))
def test_of_a_move_and_the_end_of_its_time_one_comes_first(store: Store, _time: int) -> None:
    """One process has just loaded the match; another's sweep finds its time to be up."""
    store.matches.add(a_match())
    moved = replace(a_match(), moves=(4,), deadline_at=NOW + timedelta(minutes=30))
    works: list[Callable[[], Any]] = [
        lambda: store.matches.save(moved),
        lambda: store.match_batches.expire(NOW),
    ]
    saved, ended = at_once(lambda work: work(), works)
    assert bool(saved) is not bool(ended)
    assert store.matches.load(1) == (saved or ended[0])


def test_old_matches_are_forgotten_once_they_are_over(store: Store) -> None:
    for match_id in (1, 2, 3):
        assert store.matches.add(a_match(match_id, channel_id=match_id))
    for match_id in (1, 3):
        store.matches.save(replace(a_match(match_id), early_ending=Ending(EndReason.STOPPED)))
    store.tallies.count([1, 3], {})
    assert store.match_batches.prune(NOW, before_id=3) == 0, "their time would not have been up"
    later = NOW + timedelta(seconds=1)
    assert store.match_batches.prune(later, before_id=3) == 1
    assert [store.matches.load(match_id) is None for match_id in (1, 2, 3)] == [True, False, False]
    assert store.match_batches.prune(later, before_id=3) == 0


def test_so_many_at_a_time_are_forgotten_the_oldest_first(store: Store) -> None:
    over = replace(a_match(), early_ending=Ending(EndReason.STOPPED))
    ids = range(1, PRUNED_ROWS + 2)
    rows = [to_row(replace(over, id=number)) | {"counted": True} for number in ids]
    with store._connections.transaction() as connection:
        connection.execute(insert(matches), rows)
    assert store.match_batches.prune(NOW + timedelta(days=1), before_id=10**6) == PRUNED_ROWS
    assert store.matches.load(PRUNED_ROWS + 1) is not None
    assert store.match_batches.prune(NOW + timedelta(days=1), before_id=10**6) == 1


def test_so_many_at_a_time_run_out_the_longest_due_first(store: Store) -> None:
    for number in range(1, SWEEP_ROWS + 2):
        due = replace(a_match(number, number), deadline_at=NOW - timedelta(seconds=number))
        assert store.matches.add(due)
    assert len(store.match_batches.expire(NOW)) == SWEEP_ROWS
    assert [match.id for match in store.match_batches.expire(NOW)] == [1]


def test_facts_are_remembered_and_replaced(store: Store) -> None:
    assert store.key_values.get("name") is None
    store.key_values.put("name", "one")
    store.key_values.put("name", "two")
    assert store.key_values.get("name") == "two"


def test_of_two_who_remember_it_for_the_first_time_the_later_is_kept(
    store: Store, url: URL
) -> None:
    """As processes do that start together."""
    faster = Store.open(url)

    @event.listens_for(store._connections.engine, "before_cursor_execute")
    def come_between(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT"):
            faster.key_values.put("name", "theirs")

    store.key_values.put("name", "ours")
    assert store.key_values.get("name") == "ours"
    faster.close()


def test_the_tables_are_kept_when_the_store_is_opened_again(url: URL) -> None:
    for expected in (None, a_match()):
        store = Store.open(url)
        assert store.matches.load(1) == expected
        store.matches.add(a_match())
        store.close()


def test_processes_that_start_together_migrate_one_by_one(url: URL) -> None:
    processes = [forked(Store.open, url) for _ in range(3)]
    for process in processes:
        process.join()
        assert process.exitcode == 0


def test_what_the_first_release_stored_goes_on_in_this_one(url: URL) -> None:
    row = to_row(a_match())
    for later in ("hints", "ended_at", "duel", "turn_minutes", "is_open"):
        del row[later]
    engine = create_engine(url)
    with engine.begin() as connection:
        make_tables_of(connection, "0001")
        connection.execute(insert(matches).values(row))
        connection.execute(insert(facts).values(name="level in 2", value="EASY"))
        connection.execute(insert(facts).values(name="commands", value="told"))
    engine.dispose()
    store = Store.open(url)
    assert store.matches.load(1) == a_match()
    assert store.matches.count_hint(a_match())
    assert store.servers.choices(2) == GuildSettings(level=Level.EASY)
    assert store.key_values.get("commands") == "told"
    store.close()


def test_a_level_is_kept_a_server_and_can_be_chosen_anew(store: Store) -> None:
    for level in (Level.EASY, Level.HARD):
        store.servers.choose(2, {"level": level})
        assert store.servers.choices(2).level is level
    assert store.servers.choices(3) == GuildSettings()


def test_servers_of_the_release_before_keep_their_level_and_need_none_any_more(url: URL) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        make_tables_of(connection, "0006")
        connection.execute(text("INSERT INTO servers (guild_id, level) VALUES (2, 'EASY')"))
    store = Store.open(url)
    assert store.servers.choices(2) == GuildSettings(level=Level.EASY)
    store.servers.choose(3, {"turn_minutes": 60})
    assert store.servers.choices(3) == GuildSettings(turn_minutes=60)
    with engine.begin() as connection:  # that release goes on beside this one
        connection.execute(text("UPDATE servers SET level = 'HARD' WHERE guild_id = 2"))
        connection.execute(text("INSERT INTO servers (guild_id, level) VALUES (4, 'CHILD')"))
        read = connection.execute(text("SELECT level FROM servers WHERE guild_id = 3"))
        assert read.scalar_one() is None
    assert store.servers.choices(2).level is Level.HARD
    assert store.servers.choices(4) == GuildSettings(level=Level.CHILD)
    engine.dispose()
    store.close()


def test_every_choice_of_a_server_is_kept(store: Store) -> None:
    chosen = GuildSettings(
        language="pt_BR",
        rules=MISERE,
        level=Level.EASY,
        turn_minutes=1440,
        channels=(2**63 - 1, 5),
        has_ranking=False,
        puzzle_channel=2**63 - 1,
        puzzle_hour=23,
    )
    store.servers.choose(2, {setting.value: getattr(chosen, setting.value) for setting in Setting})
    assert store.servers.choices(2) == chosen


def test_a_migration_that_fails_midway_leaves_nothing_of_itself(url: URL) -> None:
    """The second revision finds the name of its index taken, after it has added its columns."""
    engine = create_engine(url)
    with engine.begin() as connection:
        make_tables_of(connection, "0001")
        connection.execute(text("CREATE INDEX matches_by_channel ON matches (channel_id)"))
    with pytest.raises(StoreError, match=r"matches_by_channel.* already exists"):
        Store.open(url)
    with engine.begin() as connection:
        columns = {column["name"] for column in inspect(connection).get_columns("matches")}
        assert columns.isdisjoint({"hints", "hinted_version"})
        connection.execute(text("DROP INDEX matches_by_channel"))
    engine.dispose()
    store = Store.open(url)
    assert store.matches.add(a_match())
    store.close()


def make_tables_of(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def test_a_hint_counts_once_a_version_and_no_move_overlooks_it(store: Store) -> None:
    store.matches.add(a_match())
    for _ in range(2):
        assert store.matches.count_hint(a_match())
    assert store.matches.save(replace(a_match(), moves=(4,))) is None, (
        "it was loaded before the hint"
    )
    loaded = store.matches.load(1)
    assert loaded is not None
    assert loaded.hints == 1
    moved = store.matches.save(replace(loaded, moves=(4,)))
    assert moved is not None
    assert not store.matches.count_hint(loaded), "that match has changed since"
    assert store.matches.count_hint(moved)
    again = store.matches.load(1)
    assert again is not None
    assert again.hints == 2


def test_the_last_match_played_is_the_newest_that_is_over_and_has_moves(store: Store) -> None:
    assert store.matches.last_played(10) is None
    over = Ending(EndReason.RESIGNED, Mark.O)
    store.matches.add(replace(a_match(1), moves=(4,), early_ending=over))
    store.matches.add(replace(a_match(2), moves=(4, 0), early_ending=over))
    store.matches.add(replace(a_match(3), early_ending=over))
    store.matches.add(replace(a_match(4), moves=(4, 0, 1)))
    store.matches.add(replace(a_match(9, channel_id=11), moves=(4,), early_ending=over))
    last = store.matches.last_played(10)
    assert last is not None
    assert last.id == 2


def test_the_migrations_make_the_tables_that_the_code_expects(url: URL) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    Store.open(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        assert differences(connection) == []
    engine.dispose()


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///velha.db", "sqlite+pysqlite"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql://u:p@h/d?sslmode=require", "postgresql+psycopg"),
    ],
)
def test_urls_are_taken_as_hosts_hand_them_out(given: str, driver: str) -> None:
    assert parse_url(given).drivername == driver


@pytest.mark.parametrize(
    "given",
    ["", "velha.db", "mysql://u:secret@h/d", "sqlite+x:///a", "://", "postgres://u:p@secret@h/d"],
)
def test_a_url_we_cannot_use_is_refused_without_its_password(given: str) -> None:
    with pytest.raises(DatabaseUrlError) as refused:
        parse_url(given)
    assert "secret" not in str(refused.value)


def test_a_password_in_the_query_is_hidden_like_any_other() -> None:
    url = parse_url("postgresql:///d?host=/run/pg&user=u&password=secret&sslmode=require")
    assert url.password == "secret"
    assert "secret" not in repr(url)
    assert url.query["sslmode"] == "require"


def test_matches_that_ended_without_a_move_are_forgotten_and_no_others(store: Store) -> None:
    ended = Ending(EndReason.DECLINED)
    kept = [
        replace(a_match(1, channel_id=1), moves=(4,), early_ending=ended),
        a_match(2, channel_id=2),
        replace(a_match(20, channel_id=3), early_ending=ended),
    ]
    for match in [*kept, replace(a_match(3, channel_id=4), early_ending=ended)]:
        assert store.matches.add(match)
    store.tallies.count([1, 3, 20], {})
    assert store.match_batches.prune_unplayed(before_id=10) == 1
    assert store.matches.load(3) is None
    assert [store.matches.load(match.id) for match in kept] == kept


def test_a_match_that_an_older_release_ended_because_it_could_not_read_it_is_over(
    store: Store,
) -> None:
    store.matches.add(a_match())
    with store._connections.autocommit() as connection:
        connection.execute(text("UPDATE matches SET live = FALSE"))
    ended = store.matches.load(1)
    assert ended is not None
    assert ended.ending == Ending(EndReason.CALLED_OFF)


def test_whoever_asks_to_be_forgotten_again_meanwhile_is_not_done_with(store: Store) -> None:
    for table in (store.people, store.memberships):
        table.start_forgetting(11, 1)
        table.start_forgetting(11, 2)
        table.finish_forgetting(11, 1)
        assert table.to_be_forgotten() == [(11, 2)]
        table.finish_forgetting(11, 2)
        assert table.to_be_forgotten() == []


def test_of_two_that_were_to_be_forgotten_at_one_moment_the_other_is_not_done_with(
    store: Store,
) -> None:
    for table in (store.people, store.memberships):
        for its_id in (11, 12):
            table.start_forgetting(its_id, 1)
        table.finish_forgetting(11, 1)
        assert table.to_be_forgotten() == [(12, 1)]


def test_what_is_forgotten_is_changed_by_nobody_who_saw_it_before(store: Store) -> None:
    over = replace(a_match(1, channel_id=1), early_ending=Ending(EndReason.RESIGNED, Mark.O))
    there = replace(over, id=2, place=Place(2, 21, "pt-BR"), x=Player(13), opened_by=13)
    assert store.matches.add(over)
    assert store.matches.add(there)
    store.match_batches.forget(11, before_id=10)
    store.match_batches.forget_guild(21, before_id=10)
    for match in (over, there):
        assert store.matches.save(replace(match, rematch_asked_by=12)) is None
