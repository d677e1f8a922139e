"""The table of key-values."""

from __future__ import annotations

from sqlalchemy import URL, Connection, event

from bot.store.facts import load_fact, save_fact
from bot.store.store import Store
from tests.bot.databases import call


def test_values_are_stored_and_replaced(store: Store) -> None:
    assert call(store, load_fact, "name") is None
    call(store, save_fact, "name", "one")
    call(store, save_fact, "name", "two")
    assert call(store, load_fact, "name") == "two"


def test_the_later_of_two_concurrent_first_values_is_kept(store: Store, url: URL) -> None:
    """As processes do that start together."""
    faster = Store.at(url)

    @event.listens_for(store.database.engine, "before_cursor_execute")
    def come_between(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("BEGIN"):
            call(faster, save_fact, "name", "theirs")

    call(store, save_fact, "name", "ours")
    with store.database.connection() as connection:
        assert load_fact(connection, "name") == "ours"
    faster.close()
