"""A store on an empty database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import URL

from bot.store.store import Store


@pytest.fixture
def store(url: URL) -> Iterator[Store]:
    store = Store.open(url, ["en", "pt_BR"])
    yield store
    store.close()
