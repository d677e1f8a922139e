"""Hints and reviews: what the engine says about a position or a game."""

from __future__ import annotations

import re

from discord import ui

from bot.domain.analysis import (
    REFUTATION_PLIES,
    Game,
    Headers,
    Hint,
    Review,
    ReviewPage,
    ReviewView,
    rematch_page,
    shown_ply,
)
from bot.domain.matches import AnyGame, Match, PrivateMatch
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import without_opponent
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.store.matches import count_hint, last_played, load_match
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from engine import Cell, Record, Value

_Played = Match | PrivateMatch | Record

_AROUND_CODE = re.compile(r"^\W+|\W+$")


async def review(context: Context) -> ui.LayoutView:
    """Review the channel's last match."""
    match = await context.read(last_played, context.place.channel_id)
    if match is None:
        raise Refused(RefusalReason.NOTHING_TO_REVIEW)
    return await _show_review(context, ReviewPage.of(match), match)


async def replay(context: Context, record: Record | None) -> ui.LayoutView:
    """Review the game that a code encodes; None for a code of no game."""
    if record is None:
        raise Refused(RefusalReason.NO_SUCH_GAME)
    return await _show_review(context, ReviewPage(record, ply=0), record)


async def show_review(context: Context, page: ReviewPage) -> ui.LayoutView:
    """Show a game at one ply, and what its moves were worth."""
    return await _show_review(context, page, await _load(context, page.game))


async def _show_review(context: Context, page: ReviewPage, played: _Played) -> ui.LayoutView:
    if isinstance(played, Match):  # the page has checked the others
        try:
            page.check_with(played.record)
        except ValueError:
            raise Refused(RefusalReason.UNKNOWN_BUTTON) from None
    game = await _judge(context, played)
    if page.view is ReviewView.REFUTATION and page.ply != game.lost_ply:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    return review_view(await review_of(page, game, context.runtime.engine), context.language)


async def load_game(context: Context, game: AnyGame) -> Game:
    """A game judged: a match by its id, a private match, or the moves of a code.

    Raises:
        Refused: The match is deleted or not over, or was played elsewhere by others.
    """
    return await _judge(context, await _load(context, game))


async def _load(context: Context, game: AnyGame) -> _Played:
    if not isinstance(game, int):
        return game
    match = await context.read(load_match, game)
    if match is None or match.is_live or not match.moves:
        raise Refused(RefusalReason.UNKNOWN_MATCH)
    is_player = match.mark_of(context.user_id) is not None
    if not is_player and match.place.channel_id != context.place.channel_id:
        raise Refused(RefusalReason.UNKNOWN_MATCH)
    return match


async def _judge(context: Context, played: _Played) -> Game:
    engine, user_id = context.runtime.engine, context.user_id
    if isinstance(played, Record):
        return Game(played, await engine.review(played))
    if isinstance(played, PrivateMatch):
        return await judge_private(played, engine)
    headers = _headers(context, played)
    rematch = rematch_page(played, user_id, context.place.channel_id)
    verdicts = await engine.review(played.record)
    side = headers.mark_of(user_id)
    return Game(played.record, verdicts, headers, side, rematch, played.bot_level)


async def judge_private(match: PrivateMatch, engine: EnginePool) -> Game:
    """A private match judged, from the ply from which it was played."""
    verdicts = await engine.review(match.record)
    return Game(match.record, verdicts, side=match.side, level=match.level, start=match.start)


def _headers(context: Context, match: Match) -> Headers:
    """The headers of a match, which name a player's opponent only where the board does."""
    is_here = match.place.channel_id == context.place.channel_id
    if is_here or not match.is_between_people:
        return Headers.of(match)
    return Headers.of(without_opponent(match, context.user_id))


async def show_hint_in_match(
    context: Context, match: Match, cell: Cell | None, *, is_detailed: bool
) -> ui.LayoutView:
    """Show a hint in a match, which is counted, once a version, when there is something to show."""
    hint = await hint_for(match, cell, context.runtime.engine, is_detailed=is_detailed)
    if not await context.change(count_hint, match):
        raise Refused(RefusalReason.HINT_OLD, match=match)
    return hint_view(hint, context.language)


def parse_code(code: str) -> Record | None:
    """The game that a code encodes; None if the code is invalid or the game has no moves.

    The code may be pasted with the name of the option, and in quotation marks.
    """
    _option, _colon, pasted = code.rpartition(":")
    try:
        record = Record.read(_AROUND_CODE.sub("", pasted))
    except ValueError:
        return None
    return record if record.moves else None


async def hint_for(
    match: Match,
    cell: Cell | None,
    engine: EnginePool,
    *,
    is_detailed: bool = True,
    private: PrivateMatch | None = None,
) -> Hint:
    """What each move is worth in a match, and the best reply to the one at `cell`."""
    verdicts = await engine.advise(match.board)
    if cell is None:
        return Hint(match, verdicts, is_detailed=is_detailed, private=private)
    pressed = next(verdict for verdict in verdicts if verdict.action == cell)
    reply = None
    if pressed.worth.value is not Value.LOSS:
        reply = await engine.best_reply(match.board, cell)
    line = await engine.line_of_play(pressed)
    return Hint(match, verdicts, cell, reply, line, is_detailed=is_detailed, private=private)


async def review_of(page: ReviewPage, game: Game, engine: EnginePool) -> Review:
    """What the moves of a game were worth, and why the last one shown was bad, if it was."""
    ply = shown_ply(page, game)
    if ply == game.start:
        return Review(page, game)
    if page.view is ReviewView.REFUTATION:
        played = next(iter(game.record.moves[ply:]), None)
        line = await engine.refutation(game.verdicts[ply - 1], played, REFUTATION_PLIES)
        if page.shown > len(line):
            raise Refused(RefusalReason.UNKNOWN_BUTTON)
        return Review(page, game, refutation=line)
    return Review(page, game, await engine.line_of_play(game.verdicts[ply - 1]))
