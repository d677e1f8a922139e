"""Pages of the tutorial on minimax, and their contents as the engine finds them."""

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
from bot.services.engine_pool import EnginePool
from bot.services.tutorial import page_content
from engine import MISERE, Board, Cell, Record, Rules, search_each_way, small_tree
from tests.bot.limits import PATIENT_QUEUE

EARLY = Record(moves=(4, 0, 8))
LATE = Record(moves=(0, 4, 8, 1, 7))
BACKWARDS = Record(MISERE, (0, 4, 8, 5, 1))
WIDE = Record(Rules(5, 5, 4), (0, 1, 2))
BEFORE = Record()
"""What an older release's buttons are about, where there was no match."""
BEGINNINGS = [EXAMPLE_GAME, EARLY, LATE, BACKWARDS, WIDE, BEFORE]
QUESTIONS = (
    *(Chapter.ALPHA, Chapter.BETA, Chapter.PRUNING, Chapter.RULE, Chapter.SAVED),
    *(Chapter.OWN_TREE, Chapter.FASTEST_WIN),
    *DEPTH_LIMIT_GAMES,
)


def tree_pages(record: Record) -> Iterator[TutorialPage]:
    """Every position of the example's tree, and of others the first there are to walk to."""
    board = record.boards[-1]
    tree = small_tree(board) if record is EXAMPLE_GAME else None
    paths: list[tuple[Cell, ...]] = [()] if tree else [(), board.actions()[:1]]
    if tree:
        for path in paths:
            after = Record(record.rules, (*record.moves, *path)).boards[-1]
            paths += [(*path, cell) for cell in after.actions()]
    for path in paths:
        yield TutorialPage(record, Chapter.TREE, path)
        yield from (TutorialPage(record, Chapter.NUMBERS, path, answer) for answer in (None, 0, 1))


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
    few = search_each_way(LATE.boards[-1])
    large = SearchComparison(TutorialPage(WIDE, Chapter.COMPARISON), WIDE.boards[-1], few)
    return [
        *asyncio.run(_learn(pages)),
        large,
        SearchComparison(TutorialPage(EXAMPLE_GAME, Chapter.COMPARISON), Board(), few),
    ]


def content_of(record: Record, chapter: Chapter, *rest: object) -> TutorialContent:
    """The content of one of the pages."""
    page = TutorialPage(record, chapter, *rest)  # type: ignore[arg-type]
    return next(lesson for lesson in tutorial_contents() if lesson.page == page)


async def _learn(pages: list[TutorialPage]) -> list[TutorialContent]:
    engine = EnginePool(random.Random(1), lessons=PATIENT_QUEUE)
    try:
        return [await page_content(page, engine) for page in pages]
    finally:
        engine.close()
