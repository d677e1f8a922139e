"""The tutorial on minimax: its pages, and the matches that it can be about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from bot.domain.matches import Match
from bot.domain.refusals import UnavailableError
from bot.domain.tutorial import (
    CONTENTS_WITHOUT_SEARCH,
    EXAMPLE_GAME,
    HORIZON_GAME,
    TRAP_GAME,
    Chapter,
    HorizonDemo,
    TrapDemo,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    WatchedSearch,
    WriteYourOwn,
)
from bot.messaging.reply import DrawInLanguage
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.runtime.worker_process import call_by_name
from bot.store.matches import count_hint, live_in
from bot.views.tutorial import PICTURE_NAME, hint_confirmation_view, tutorial_view
from engine import guess_moves, look_ahead, trace, watchable

_DRAW = "bot.views.tree_picture:draw"
"""Named, not imported: only the worker process needs the library that it draws with."""

_MIN_FREE_CELLS = 3
"""With fewer free cells the game tree is too small to learn from."""


async def learn(context: Context) -> DrawInLanguage:
    """Show the first page, about the channel's match if there is one to learn from.

    A person who plays that match against the bot is asked first, because it counts as a hint.
    """
    try:
        match = await _find_match(context)
    except UnavailableError:
        match = None  # the example needs no database
    if match is not None and match.mark_of(context.user_id) is not None:
        return hint_confirmation_view
    return await show_page(context, TutorialPage(match.record if match else EXAMPLE_GAME))


async def learn_from_own_match(context: Context) -> DrawInLanguage:
    """Show the first page about one's own match, which counts as a hint."""
    while match := await _find_match(context):
        is_own = match.mark_of(context.user_id) is not None
        if not is_own or await context.write(count_hint, match):
            break
    return await show_page(context, TutorialPage(match.record if match else EXAMPLE_GAME))


async def _find_match(context: Context) -> Match | None:
    """The game in progress in the channel; None if it is not one to learn from.

    A game between two people is not analysed. One begun after the interaction is not meant.
    """
    match = await context.read(live_in, context.place.channel_id)
    if match is None or match.id > context.interaction.id:
        return None
    if match.is_between_people or match.rules.repeats:  # a tree without end
        return None
    if context.runtime.deadlines.is_overdue(match):
        return None
    is_long_enough = match.moves and len(match.board.actions()) >= _MIN_FREE_CELLS
    return match if is_long_enough else None


async def show_page(context: Context, page: TutorialPage) -> DrawInLanguage:
    """Show a page, and its picture if it has one."""
    runtime = context.runtime
    content = await page_content(page.current, runtime.engine, runtime.source_url)
    if png := await picture_of(content, runtime.engine):
        context.files.append((PICTURE_NAME, png))
    return partial(tutorial_view, content)


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


async def _horizon(page: TutorialPage, engine: EnginePool) -> HorizonDemo:
    board = HORIZON_GAME.boards[-1]
    glimpse = await engine.run(look_ahead, board, page.depth)
    return HorizonDemo(page, glimpse, await engine.run(guess_moves, board, page.depth))


async def _trap(page: TutorialPage, engine: EnginePool) -> TrapDemo:
    return TrapDemo(page, await engine.advise(TRAP_GAME.boards[-1]))


_COMPUTED: Mapping[Chapter, Callable[[TutorialPage, EnginePool], Awaitable[TutorialContent]]] = {
    Chapter.TREE: _tree_walk,
    Chapter.NUMBERS: _tree_walk,
    Chapter.WATCH: _watched_search,
    Chapter.HORIZON: _horizon,
    Chapter.BOT: _trap,
}
"""What computes the content of the other pages."""


async def picture_of(content: TutorialContent, engine: EnginePool) -> bytes | None:
    """The PNG of a page's diagram, if it has one; drawn once, in the process for lessons."""
    if not content.diagram:
        return None
    png: bytes = await engine.run(call_by_name, _DRAW, content.diagram)
    return png
