"""Hints, reviews and retries: what the engine says about a position or a game."""

from __future__ import annotations

import re
from functools import partial

from bot.domain.analysis import (
    Hint,
    HintPage,
    Retry,
    RetryPage,
    Review,
    ReviewPage,
    Verdicts,
    shown_ply,
)
from bot.domain.matches import Match
from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.reply import DrawInLanguage
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.store.matches import count_hint, last_played
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.mistakes import retry_view
from engine import Cell, Record, Value, Verdict

_AROUND_CODE = re.compile(r"^\W+|\W+$")


async def review(context: Context) -> DrawInLanguage:
    """Review the channel's last match."""
    match = await context.read(last_played, context.place.channel_id)
    if match is None:
        raise Refused(RefusalReason.NOTHING_TO_REVIEW)
    return await show_review(context, ReviewPage.of(match))


async def replay(context: Context, record: Record | None) -> DrawInLanguage:
    """Review the game that a code encodes; None for a code of no game."""
    if record is None:
        raise Refused(RefusalReason.NO_SUCH_GAME)
    return await show_review(context, ReviewPage(record, ply=0))


async def show_review(context: Context, page: ReviewPage) -> DrawInLanguage:
    """Show a game at one ply, and what its moves were worth."""
    return partial(review_view, await review_of(page, context.runtime.engine, context.user_id))


async def show_retry(context: Context, page: RetryPage) -> DrawInLanguage:
    """Show a mistake to try again, and what the last try is worth."""
    return partial(retry_view, await retry_of(page, context.runtime.engine))


async def show_hint(context: Context, page: HintPage) -> DrawInLanguage:
    """Show a hint for a board of an older release, which is of no match."""
    return partial(hint_view, await hint_for(page, context.runtime.engine))


async def show_hint_in_match(
    context: Context, match: Match, cell: Cell | None, *, is_detailed: bool
) -> DrawInLanguage:
    """Show a hint in a match, which is counted, once a version, when there is something to show."""
    page = HintPage(match.record, cell)
    hint = await hint_for(page, context.runtime.engine, match, is_detailed=is_detailed)
    if not await context.write(count_hint, match):
        raise Refused(RefusalReason.HINT_OLD, match=match)
    return partial(hint_view, hint)


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
    page: HintPage, engine: EnginePool, match: Match | None = None, *, is_detailed: bool = True
) -> Hint:
    """What each move is worth."""
    board = page.record.boards[-1]
    verdicts = await engine.advise(board)
    reply = None if page.cell is None else await engine.best_reply(board, page.cell)
    return Hint(page, verdicts, reply, match, is_detailed=is_detailed)


async def review_of(page: ReviewPage, engine: EnginePool, asker_id: int | None = None) -> Review:
    """What the moves of a game were worth."""
    verdicts = await engine.review(page.record)
    reply = await _reply_to_blunder(page, verdicts, engine)
    return Review(page, verdicts, reply, asker_id)


async def _reply_to_blunder(
    page: ReviewPage, verdicts: Verdicts, engine: EnginePool
) -> Verdict | None:
    """The best reply to the last move shown, if that was a blunder that loses."""
    ply = shown_ply(page, verdicts)
    if ply == 0 or not verdicts[ply - 1].is_blunder:
        return None
    moves = page.record.moves
    played = moves[ply] if ply < len(moves) else None
    return await reply_to_loss(verdicts[ply - 1], engine, played)


async def retry_of(page: RetryPage, engine: EnginePool) -> Retry:
    """What another move in place of a mistake would be worth."""
    verdicts = await engine.review(page.record)
    if not verdicts[page.ply - 1].is_blunder:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if page.cell is None:
        return Retry(page, verdicts)
    advice = await engine.advise(page.board)
    try_verdict = next(verdict for verdict in advice if verdict.action == page.cell)
    return Retry(page, verdicts, try_verdict, await reply_to_loss(try_verdict, engine))


async def reply_to_loss(
    move: Verdict, engine: EnginePool, played: Cell | None = None
) -> Verdict | None:
    """The best reply to a move if it loses, preferably the one `played`; else None."""
    if move.worth.value is not Value.LOSS:
        return None
    return await engine.best_reply(move.board, move.action, played)
