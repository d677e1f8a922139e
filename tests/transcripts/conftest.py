"""Each module writes one transcript, kept as text: `make transcripts` renews them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from bot.domain.matches import Match
from bot.domain.pages import Lesson, LessonPage
from bot.domain.refusals import Refused
from bot.services.analysis import Lessons
from bot.services.engine import EnginePool
from tests.bot.conftest import begins_at, house, nothing_is_swallowed, settings, world
from tests.bot.drawn import NOON
from tests.bot.house import AT_LEISURE
from tests.transcripts.lessons import Teach

__all__ = ["begins_at", "house", "nothing_is_swallowed", "settings", "snapshot", "teach", "world"]


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


@pytest.fixture
async def teach() -> AsyncIterator[Teach]:
    """Compute the lesson of a page, as the bot does."""
    engine = EnginePool(random.Random(1), moves=AT_LEISURE, lessons=AT_LEISURE)
    lessons, pupils = Lessons(engine, _stands), count(1)

    async def teach(page: LessonPage) -> Lesson:
        pupil = next(pupils)  # nobody asks twice, so nobody has to wait
        lesson = await lessons.lesson(pupil, page, interaction_id=pupil, today=NOON.date())
        assert not isinstance(lesson, Refused), page
        return lesson

    yield teach
    engine.close()


async def _stands(_match: Match) -> bool:
    return True
