"""`python3 -m engine check`: what is said of each solution whose `minimax` is its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.transcripts.test_solutions import OF_MINIMAX, transcript


def test_solutions_minimax(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert transcript(OF_MINIMAX) == snapshot
