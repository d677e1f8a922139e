"""Pages of the tutorial on minimax, and their contents as the engine computes them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from functools import cache

from bot.domain.tutorial import (
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    Chapter,
    SearchComparison,
    TutorialContent,
    TutorialPage,
)
from bot.features.tutorial import page_content
from engine import MISERE, Cell, Record, Rules, search_each_way
from tests.bot.workers import kept_engine

EARLY = Record(moves=(4, 0, 8))
LATE = Record(moves=(0, 4, 8, 1, 7))
BACKWARDS = Record(MISERE, (0, 4, 8, 5, 1))
WIDE = Record(Rules(5, 5, 4), (0, 1, 2))
BEFORE = Record()
"""The record in buttons of older releases, if there was no match."""
BEGINNINGS = [EXAMPLE_GAME, EARLY, LATE, BACKWARDS, WIDE, BEFORE]
QUESTIONS = (
    *(Chapter.ALPHA, Chapter.BETA, Chapter.PRUNING, Chapter.RULE, Chapter.SAVED),
    *(Chapter.OWN_TREE, Chapter.FASTEST_WIN),
    *DEPTH_LIMIT_GAMES,
)


def tree_pages(record: Record) -> Iterator[TutorialPage]:
    """Yield pages of each position in the example's tree, or of the first two of another game."""
    board = record.boards[-1]
    paths = _tree_paths(record) if record is EXAMPLE_GAME else [(), board.actions()[:1]]
    for path in paths:
        yield TutorialPage(record, Chapter.TREE, path)
        yield from (TutorialPage(record, Chapter.NUMBERS, path, answer) for answer in (None, 0, 1))


def _tree_paths(record: Record) -> list[tuple[Cell, ...]]:
    """The moves that lead from the end of a record to each position in its tree."""
    paths: list[tuple[Cell, ...]] = [()]
    for path in paths:
        board = Record(record.rules, (*record.moves, *path)).boards[-1]
        paths += [(*path, cell) for cell in board.actions()]
    return paths


@cache
def tutorial_contents() -> list[TutorialContent]:
    """The content of every page."""
    pages = [page for record in BEGINNINGS for page in tree_pages(record)]
    answers = (None, 0, 1, 2)
    for record in (EXAMPLE_GAME, LATE):
        pages += [TutorialPage(record, chapter, (), a) for chapter in QUESTIONS for a in answers]
    pages += [
        TutorialPage(EXAMPLE_GAME, chapter, (), answer, tried)
        for chapter in (*QUESTIONS[:-2], Chapter.NUMBERS)
        for answer, tried in ((0, 2), (1, 0), (2, 1))
    ]
    pages += [TutorialPage(EXAMPLE_GAME, Chapter.OWN_TREE, (0, 0, 0, 2, 1, 0), a) for a in answers]
    pages += [TutorialPage(LATE, Chapter.COMPARISON), TutorialPage(EXAMPLE_GAME, Chapter.BOT)]
    # The searches of these two would take long: they get those of a smaller position.
    searches = search_each_way(LATE.boards[-1])
    return [
        *asyncio.run(_compute(pages)),
        SearchComparison(TutorialPage(WIDE, Chapter.COMPARISON), searches),
        SearchComparison(TutorialPage(EXAMPLE_GAME, Chapter.COMPARISON), searches),
    ]


def content_of(record: Record, chapter: Chapter, *rest: object) -> TutorialContent:
    """The content of one of the pages."""
    page = TutorialPage(record, chapter, *rest)  # type: ignore[arg-type]
    return next(content for content in tutorial_contents() if content.page == page)


async def _compute(pages: list[TutorialPage]) -> list[TutorialContent]:
    engine = kept_engine(random.Random(1))
    try:
        return [await page_content(page, engine) for page in pages]
    finally:
        engine.close()
