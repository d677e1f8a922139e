"""Deleting what need not be kept any longer, in batches."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import EPOCH, time_snowflake
from bot.features import moments, puzzles, ranking
from bot.runtime.runtime import Runtime
from bot.store import matches

_KEEP_UNPLAYED = timedelta(days=1)
"""How long matches are kept that ended without a move."""


async def prune(runtime: Runtime) -> int:
    """Delete some ended matches: those past `keep`, and those over a day old without a move.

    Attempts at puzzles are kept as long as matches, moments go with their matches, and points
    of a month are kept until the puzzle of its last day can no longer be solved.

    Returns:
        How many rows were deleted.
    """
    now = runtime.clock.trusted_now()
    if now is None:
        return 0
    oldest = max(now - runtime.deadlines.limits.keep, EPOCH)
    oldest_id = time_snowflake(oldest)
    change = runtime.database.change
    deleted = await change(matches.prune_unplayed, time_snowflake(now - _KEEP_UNPLAYED))
    deleted += await change(puzzles.prune, oldest.date())
    deleted += await change(matches.prune, oldest, oldest_id)
    deleted += await change(moments.prune, oldest_id)
    deleted += await change(ranking.prune_months, (now - timedelta(days=1)).date())
    return deleted
