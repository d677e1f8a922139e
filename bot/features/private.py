"""Private matches against the bot. Nothing is stored: a page is all there is of one."""

from __future__ import annotations

from dataclasses import replace

from discord import ui

from bot.domain.analysis import Review, ReviewPage
from bot.domain.match_actions import check_free, play
from bot.domain.matches import Match, PrivateMatch
from bot.domain.private import PrivateAction, PrivatePage, seated
from bot.features.analysis import hint_for, judge_private, review_of
from bot.features.bot_moves import waits_for_bot, with_bot_move, with_chosen_move
from bot.runtime.context import Context
from bot.views.descriptions import match_in_words
from bot.views.hints import hint_view
from bot.views.private import private_end_view, private_view


async def show(context: Context, page: PrivatePage) -> ui.LayoutView | None:
    """Play the move of a page, with the bot's reply, and show the board; or help with it."""
    match = seated(page.match, context.user_id, context.bot_id, context.place)
    if page.action is PrivateAction.DESCRIBE:
        await context.reply.send_text(match_in_words(context.language, match, context.user_id))
        return None
    if page.action is not PrivateAction.PLAY:
        return await _hint(context, page, match)
    if page.cell is not None:
        match = play(match, context.user_id, page.cell)
    if waits_for_bot(match):
        match = with_bot_move(match, context.runtime.rng)
    if waits_for_bot(match):
        match = await with_chosen_move(context.runtime, match)
    private = replace(page.match, record=match.record)
    if match.is_live:
        return private_view(private, match, context.language)
    return private_end_view(private, match, await _review(context, private), context.language)


async def _hint(context: Context, page: PrivatePage, match: Match) -> ui.LayoutView:
    is_detailed = page.action is PrivateAction.WHY
    if page.cell is not None:
        check_free(match, page.cell)
    engine = context.runtime.engine
    hint = await hint_for(match, page.cell, engine, is_detailed=is_detailed, private=page.match)
    return hint_view(hint, context.language)


async def _review(context: Context, private: PrivateMatch) -> Review:
    """What decided a match that is over."""
    engine = context.runtime.engine
    game = await judge_private(private, engine)
    return await review_of(ReviewPage(private), game, engine)
