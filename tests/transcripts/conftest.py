"""Fixtures of the transcripts. Each test module writes one; `make transcripts` renews them."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from bot.domain.analysis import Game, RetryPage, ReviewPage
from bot.domain.matches import Match
from bot.domain.practice import MistakePage
from bot.domain.stats import LastMatches
from bot.domain.tutorial import TutorialPage
from bot.features import analysis
from bot.features.practice import find_exercise
from bot.features.tutorial import page_content
from bot.runtime.engine_pool import EnginePool
from engine import Record
from tests.bot.conftest import (
    emojis_at_start,
    guild,
    no_errors_are_logged,
    settings,
    starts_at,
    synced_at_start,
    world,
)
from tests.bot.example_matches import ANA
from tests.bot.workers import kept_engine
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
async def teach() -> AsyncIterator[Teach]:
    """Compute the lesson of a page, as the bot does."""
    engine = kept_engine(random.Random(1))
    yield partial(lesson_of, engine)
    engine.close()


async def lesson_of(engine: EnginePool, page: LessonPage | Match, **facts: Any) -> Lesson:
    match page:
        case Match():
            return await analysis.hint_for(page, engine=engine, **facts)
        case ReviewPage():
            return await analysis.review_of(page, await judged(engine, page, **facts), engine)
        case RetryPage():
            return await analysis.retry_of(page, await judged(engine, page, **facts), engine)
        case MistakePage():
            exercise = await find_exercise(page, LastMatches(ANA, **facts), engine)
            assert exercise is not None, "there is a mistake"
            return exercise
        case TutorialPage():
            return await page_content(page, engine)


async def judged(engine: EnginePool, page: ReviewPage | RetryPage, **facts: Any) -> Game:
    assert isinstance(page.game, Record), "it needs no database"
    return Game(page.game, await engine.review(page.game), **facts)
