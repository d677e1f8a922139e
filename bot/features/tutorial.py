"""The tutorial on minimax: its pages, and what is computed for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from discord import ui

from bot.domain.tutorial import (
    CONTENTS_WITHOUT_SEARCH,
    EXAMPLE_GAME,
    TRAP_GAME,
    Chapter,
    TrapDemo,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    WatchedSearch,
    WriteYourOwn,
)
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.runtime.worker_process import call_by_name
from bot.views.tutorial import PICTURE_NAME, tutorial_view
from engine import trace, watchable

_DRAW = "bot.views.tree_picture:draw"
"""Named, not imported: only the worker process needs the library that it draws with."""


async def learn(context: Context) -> ui.LayoutView:
    """Show the first page, about the example."""
    return await show_page(context, TutorialPage(EXAMPLE_GAME))


async def show_page(context: Context, page: TutorialPage) -> ui.LayoutView:
    """Show a page, and its picture if it has one."""
    runtime = context.runtime
    content = await page_content(page, runtime.engine, runtime.source_url)
    if png := await picture_of(content, runtime.engine):
        context.files.append((PICTURE_NAME, png))
    return tutorial_view(content, context.language)


async def page_content(
    page: TutorialPage, engine: EnginePool, source_url: str | None = None
) -> TutorialContent:
    """What a page shows."""
    if page.chapter in CONTENTS_WITHOUT_SEARCH:
        return CONTENTS_WITHOUT_SEARCH[page.chapter](page)
    if page.chapter is Chapter.WRITE:
        return WriteYourOwn(page, source_url)
    return await _COMPUTED[page.chapter](page, engine)


async def _tree_walk(page: TutorialPage, engine: EnginePool) -> TreeWalk:
    return TreeWalk(page, [] if page.board.is_terminal else await engine.advise(page.board))


async def _watched_search(page: TutorialPage, engine: EnginePool) -> WatchedSearch:
    root = watchable(page.board)
    return WatchedSearch(page, root, await engine.run(trace, root))


async def _trap(page: TutorialPage, engine: EnginePool) -> TrapDemo:
    return TrapDemo(page, await engine.advise(TRAP_GAME.boards[-1]))


_COMPUTED: Mapping[Chapter, Callable[[TutorialPage, EnginePool], Awaitable[TutorialContent]]] = {
    Chapter.TREE: _tree_walk,
    Chapter.NUMBERS: _tree_walk,
    Chapter.WATCH: _watched_search,
    Chapter.BOT: _trap,
}
"""What computes the content of the other pages."""


async def picture_of(content: TutorialContent, engine: EnginePool) -> bytes | None:
    """The PNG of a page's diagram, if it has one; drawn once, in the process for lessons."""
    if not content.diagram:
        return None
    png: bytes = await engine.run(call_by_name, _DRAW, content.diagram)
    return png
