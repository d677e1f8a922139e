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

from bot.domain.analysis import Game, ReviewPage
from bot.domain.matches import Match
from bot.domain.mistakes import MistakePage, find_mistake
from bot.domain.stats import LastMatches
from bot.domain.tutorial import TutorialPage
from bot.features import analysis
from bot.features.mistakes import find_own, with_answer
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
            assert isinstance(page.game, Record), "it needs no database"
            game = Game(page.game, await engine.review(page.game), **facts)
            return await analysis.review_of(page, game, engine)
        case MistakePage():
            if isinstance(page.game, Record):
                verdicts = await engine.review(page.game)
                mistake = find_mistake(page, page.game, verdicts, None)
            else:
                mistake = await find_own(page, LastMatches(ANA, **facts), engine)
            assert mistake is not None
            return await with_answer(mistake, engine)
        case TutorialPage():
            return await page_content(page, engine)
