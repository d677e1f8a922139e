"""The tutorial on minimax: its pages, and the matches that it can be about."""

from __future__ import annotations

from functools import partial

from bot.domain.matches import Match
from bot.domain.refusals import UnavailableError
from bot.domain.tutorial import (
    CONTENTS_WITHOUT_SEARCH,
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    Chapter,
    DepthLimitDemo,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
)
from bot.messaging.reply import DrawInLanguage
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.runtime.worker_process import call_by_name
from bot.store.matches import count_hint, live_in
from bot.views.tutorial import PICTURE_NAME, hint_confirmation_view, tutorial_view
from engine import guess_moves, look_ahead, search_each_way

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
    content = await page_content(page, context.runtime.engine)
    if png := await picture_of(content, context.runtime.engine):
        context.files.append((PICTURE_NAME, png))
    return partial(tutorial_view, content)


async def page_content(page: TutorialPage, engine: EnginePool) -> TutorialContent:
    """What a page shows."""
    if page.chapter in CONTENTS_WITHOUT_SEARCH:
        return CONTENTS_WITHOUT_SEARCH[page.chapter](page)
    if page.chapter in DEPTH_LIMIT_GAMES:
        return await _depth_limit_demo(page, engine)
    if page.chapter is Chapter.COMPARISON:
        return SearchComparison(page, await engine.run(search_each_way, page.compared_board))
    return TreeWalk(page, [] if page.board.is_terminal else await engine.advise(page.board))


async def _depth_limit_demo(page: TutorialPage, engine: EnginePool) -> DepthLimitDemo:
    board = DEPTH_LIMIT_GAMES[page.chapter].boards[-1]
    glimpse = await engine.run(look_ahead, board, page.depth)
    shows_guesses = page.chapter is Chapter.LIMIT
    guesses = await engine.run(guess_moves, board, page.depth) if shows_guesses else {}
    return DepthLimitDemo(page, glimpse, guesses)


async def picture_of(content: TutorialContent, engine: EnginePool) -> bytes | None:
    """The PNG of a page's diagram, if it has one; drawn once, in the process for lessons."""
    if content.diagram is None:
        return None
    png: bytes = await engine.run(call_by_name, _DRAW, content.diagram)
    return png
