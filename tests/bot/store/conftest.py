"""A store on a database of either kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import URL

from bot.store.store import Store


@pytest.fixture(params=["sqlite", "postgresql"])
def database_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def store(url: URL) -> Iterator[Store]:
    store = Store.at(url)
    yield store
    store.close()
