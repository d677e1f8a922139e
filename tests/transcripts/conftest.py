"""Fixtures of the transcripts. Each test module writes one; `make transcripts` renews them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from bot.config import parse_url
from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.refusals import Refusal
from bot.domain.tutorial import TutorialPage
from bot.runtime.clock import Clock
from bot.services.services import Services
from bot.store.store import Store
from tests.bot.backend import Backend
from tests.bot.conftest import (
    emojis_at_start,
    guild,
    no_errors_are_logged,
    settings,
    starts_at,
    synced_at_start,
    world,
)
from tests.bot.example_matches import NOON
from tests.transcripts.lessons import Lesson, LessonPage, Teach

__all__ = [
    "emojis_at_start",
    "guild",
    "no_errors_are_logged",
    "settings",
    "snapshot",
    "starts_at",
    "synced_at_start",
    "teach",
    "world",
]


class _TextFile(SingleFileSnapshotExtension):
    """Keeps the transcript of `test_board.py` in `text/test_board.txt`.

    If SCREENS_IN names a language, it is kept in a folder of `screens` instead.
    """

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        if language := os.environ.get("SCREENS_IN"):
            return str(Path("screens", language).absolute())
        return str(Path(test_location.filepath).parent / "text")

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        assert index == 0, "a module has one transcript"
        return test_location.basename


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(_TextFile)


@pytest.fixture
async def teach(tmp_path: Path) -> AsyncIterator[Teach]:
    """Compute the lesson of a page, as the bot does."""
    store = Store.at(parse_url(f"sqlite:///{tmp_path / 'velha.db'}"))
    backend = Backend(store, Clock(lambda: NOON))
    user_ids = count(1_000)  # the bot limits how many lessons one person may open

    async def teach(page: LessonPage) -> Lesson:
        lesson = await lesson_of(backend.services, next(user_ids), page)
        assert not isinstance(lesson, Refusal), page
        return lesson

    yield teach
    await backend.close()


async def lesson_of(services: Services, user_id: int, page: LessonPage) -> Lesson | Refusal:
    ids = {"user_id": user_id, "interaction_id": user_id}
    match page:
        case HintPage():
            return await services.analysis.hint(page, user_id=user_id, interaction_id=user_id)
        case ReviewPage():
            return await services.analysis.review(page, **ids)
        case RetryPage():
            return await services.analysis.retry(page, **ids)
        case TutorialPage():
            return await services.tutorial.page(page, user_id=user_id, interaction_id=user_id)
