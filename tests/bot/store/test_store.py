"""The table of key-values."""

from __future__ import annotations

from sqlalchemy import URL, Connection, event

from bot.store.store import Store


def test_values_are_stored_and_replaced(store: Store) -> None:
    assert store.key_values.get("name") is None
    store.key_values.put("name", "one")
    store.key_values.put("name", "two")
    assert store.key_values.get("name") == "two"


def test_the_later_of_two_concurrent_first_values_is_kept(store: Store, url: URL) -> None:
    """As processes do that start together."""
    faster = Store.at(url)

    @event.listens_for(store.database.engine, "before_cursor_execute")
    def come_between(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("BEGIN"):
            faster.key_values.put("name", "theirs")

    store.key_values.put("name", "ours")
    assert store.key_values.get("name") == "ours"
    faster.close()
