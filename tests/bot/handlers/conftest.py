"""Services on SQLite, and a bot on them without a connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import parse_url
from tests.bot.backend import Room


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")


@pytest.fixture
async def bot(room: Room, url: URL) -> AsyncIterator[VelhaBot]:
    async with room.unconnected_bot(url) as bot:
        yield bot
