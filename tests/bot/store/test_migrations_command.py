"""The `alembic` command as a developer meets it: it speaks to the database that the bot would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from alembic.config import main

from tests.bot.processes import ROOT, environment

UPGRADE = ["-c", str(ROOT / "pyproject.toml"), "upgrade", "head"]


@pytest.mark.parametrize(
    ("settings", "file", "upgraded"),
    [
        ({}, "", "velha.db"),
        ({}, "DATABASE_URL=sqlite:///named-in-file.db", "named-in-file.db"),
        ({"DATABASE_URL": ""}, "DATABASE_URL=sqlite:///named-in-file.db", "named-in-file.db"),
        ({"DATABASE_URL": ""}, "DATABASE_URL=", "velha.db"),
        ({"DATABASE_URL": "sqlite:///given.db"}, "DATABASE_URL=sqlite:///file.db", "given.db"),
        ({}, "TURN_MINUTES=x", "velha.db"),
    ],
)
def test_it_upgrades_the_bot_s_database_and_needs_no_token(
    tmp_path: Path,
    settings: dict[str, str],
    file: str,
    upgraded: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / ".env").write_text(file)
    monkeypatch.chdir(tmp_path)
    with patch.dict(os.environ, environment(settings), clear=True):
        main(UPGRADE)
    assert [path.name for path in tmp_path.glob("*.db")] == [upgraded]


def test_a_url_it_cannot_use_is_one_sentence_without_the_password(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", *UPGRADE],
        cwd=tmp_path,
        env=environment({"DATABASE_URL": "mysql://user:the-password@host/base"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "DATABASE_URL: it begins with mysql://" in said
    assert "Traceback" not in said
    assert "the-password" not in said
