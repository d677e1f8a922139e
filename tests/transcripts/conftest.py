"""Each module writes one transcript, kept as text: `make transcripts` renews them."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from tests.bot.conftest import begins_at, house, nothing_is_swallowed, settings, world

__all__ = ["begins_at", "house", "nothing_is_swallowed", "settings", "world"]


class _TextFile(SingleFileSnapshotExtension):
    """The transcript of `test_board.py` is `text/test_board.txt`."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.filepath).parent / "text")

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        assert index == 0, "one transcript a module"
        return test_location.basename


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(_TextFile)
