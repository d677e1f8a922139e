"""Services are on SQLite here."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.config import parse_url


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")
