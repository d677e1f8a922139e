"""Pages of the tutorial on minimax, and their contents as the engine computes them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from functools import cache

from bot.domain.tutorial import (
    EXAMPLE_GAME,
    Chapter,
    Leaves,
    TutorialContent,
    TutorialPage,
)
from bot.features.tutorial import page_content
from engine import MISERE, Cell, Record, Rules
from tests.bot.workers import kept_engine

EARLY = Record(moves=(4, 0, 8))
LATE = Record(moves=(0, 4, 8, 1, 7))
BACKWARDS = Record(MISERE, (0, 4, 8, 5, 1))
WIDE = Record(Rules(5, 5, 5), (0, 1, 2))
BEFORE = Record()
"""The record in buttons of older releases, if there was no match."""
BEGINNINGS = [EXAMPLE_GAME, EARLY, LATE, BACKWARDS, WIDE, BEFORE]
QUESTIONS = (
    *(Chapter.ORDER, Chapter.MEMORY),
    *(Chapter.FASTEST_WIN, Chapter.HORIZON, Chapter.BOT),
)
EVEN_LEAVES = Leaves((1, 2, 3, 0, -19, 19, 5, 5, 5))


def tree_pages(record: Record) -> Iterator[TutorialPage]:
    """Yield pages of each position in the example's tree, or of the first two of another game."""
    board = record.boards[-1]
    paths = _tree_paths(record) if record is EXAMPLE_GAME else [(), board.actions()[:1]]
    for path in paths:
        for answer in (None, 0, 1):
            yield TutorialPage(record, Chapter.TREE, path, answer)
            yield TutorialPage(record, Chapter.NUMBERS, path, answer)


def _tree_paths(record: Record) -> list[tuple[Cell, ...]]:
    """The moves that lead from the end of a record to each position in its tree."""
    paths: list[tuple[Cell, ...]] = [()]
    for path in paths:
        board = Record(record.rules, (*record.moves, *path)).boards[-1]
        paths += [(*path, cell) for cell in board.actions()]
    return paths


def steps(record: Record, chapter: Chapter, count: int) -> Iterator[TutorialPage]:
    """Yield the pages on which a search is watched: its first steps, and the end."""
    for step in (*range(count), 499):
        for answer in (None, 0, 1):
            yield TutorialPage(record, chapter, answer=answer, step=step)


@cache
def tutorial_contents() -> list[TutorialContent]:
    """The content of every page."""
    pages = [page for record in BEGINNINGS for page in tree_pages(record)]
    pages += [
        *steps(EXAMPLE_GAME, Chapter.WATCH, 19),
        *steps(EXAMPLE_GAME, Chapter.NUMBER_TREE, 16),
    ]
    pages += [*steps(EARLY, Chapter.WATCH, 15), *steps(WIDE, Chapter.WATCH, 2)]
    answers = (None, 0, 1, 2)
    for record in (EXAMPLE_GAME, LATE):
        pages += [TutorialPage(record, chapter, (), a) for chapter in QUESTIONS for a in answers]
    pages += [
        TutorialPage(EXAMPLE_GAME, chapter, (), answer, tried)
        for chapter in (*QUESTIONS, Chapter.NUMBERS, Chapter.TREE)
        for answer, tried in ((0, 2), (1, 0), (2, 1))
    ]
    pages += [TutorialPage(EXAMPLE_GAME, Chapter.HORIZON, answer=0, step=step) for step in range(3)]
    for leaves in (EVEN_LEAVES, Leaves((3, 12, 8, 2, 4, 6, 2, 5, 14)), Leaves((1, 1, 0) * 3)):
        pages.append(TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, (4,), leaves=leaves))
        pages.append(TutorialPage(EXAMPLE_GAME, Chapter.NUMBER_TREE, step=12, leaves=leaves))
    pages += [TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS)]
    pages += [TutorialPage(record, Chapter.WRITE) for record in (EXAMPLE_GAME, LATE)]
    return asyncio.run(_compute(pages))


def content_of(record: Record, chapter: Chapter, *rest: object, **named: object) -> TutorialContent:
    """The content of one of the pages."""
    page = TutorialPage(record, chapter, *rest, **named)  # type: ignore[arg-type]
    return next(content for content in tutorial_contents() if content.page == page)


async def _compute(pages: list[TutorialPage]) -> list[TutorialContent]:
    engine = kept_engine(random.Random(1))
    try:
        return [await page_content(page, engine) for page in pages]
    finally:
        engine.close()
