"""Pages of the tutorial on minimax, and their contents as the engine computes them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from bot.domain.tutorial import (
    EXAMPLE_GAME,
    Chapter,
    Leaves,
    TutorialContent,
    TutorialPage,
)
from bot.features.tutorial import page_content
from engine import MISERE, Record, Rules
from tests.bot.workers import kept_engine

EARLY = Record(moves=(4, 0, 8))
LATE = Record(moves=(0, 4, 8, 1, 7))
BACKWARDS = Record(MISERE, (0, 4, 8, 5, 1))
WIDE = Record(Rules(5, 5, 5), (0, 1, 2))
SORTED = Leaves((3, 12, 8, 2, 4, 6, 2, 5, 14))


def pages() -> Iterator[TutorialPage]:
    """Yield pages of every kind: each chapter, before and after an answer, small and large."""
    for record in (EXAMPLE_GAME, EARLY, LATE, BACKWARDS, WIDE):
        free = record.boards[-1].actions()
        for path in ((), free[:1], free[-1:] + free[:1]):
            yield TutorialPage(record, Chapter.TREE, path)
            yield TutorialPage(record, Chapter.NUMBERS, path)
            yield TutorialPage(record, Chapter.NUMBERS, path, 0, 1)
            yield TutorialPage(record, Chapter.NUMBERS, path, 1)
    for path in ((0, 2, 3), (0, 3, 2)):
        yield TutorialPage(EXAMPLE_GAME, Chapter.TREE, path)
    for chapter in (Chapter.TREE, Chapter.BOT):
        for answers in ((None, None), (0, None), (1, None), (2, None), (0, 2), (2, 1)):
            yield TutorialPage(EXAMPLE_GAME, chapter, (), *answers)
    for record, chapter, steps in (
        (EXAMPLE_GAME, Chapter.WATCH, 19),
        (EXAMPLE_GAME, Chapter.NUMBER_TREE, 16),
        (EARLY, Chapter.WATCH, 5),
        (WIDE, Chapter.WATCH, 2),
    ):
        for step in (*range(steps), 499):
            yield TutorialPage(record, chapter, step=step)
    for step, answer in ((5, 0), (5, 1), (13, 0), (13, 1)):
        yield TutorialPage(EXAMPLE_GAME, Chapter.WATCH, answer=answer, step=step)
    yield TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS)
    yield TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, (4,), leaves=SORTED)
    yield TutorialPage(EXAMPLE_GAME, Chapter.NUMBER_TREE, step=12, leaves=SORTED)
    yield TutorialPage(EXAMPLE_GAME, Chapter.WRITE)


@cache
def tutorial_contents() -> list[TutorialContent]:
    """The content of each of the pages."""
    return asyncio.run(_compute([*pages()]))


def content_of(record: Record, chapter: Chapter, *rest: Any, **named: Any) -> TutorialContent:
    """The content of any page."""
    page = TutorialPage(record, chapter, *rest, **named)
    [content] = asyncio.run(_compute([page]))
    return content


async def _compute(pages: Sequence[TutorialPage]) -> list[TutorialContent]:
    engine = kept_engine(random.Random(1))
    try:
        return [await page_content(page, engine) for page in pages]
    finally:
        engine.close()
