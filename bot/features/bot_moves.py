"""The bot's moves, which are made before a match is stored: no stored match waits for the bot.

Choosing one is quick from a table, and takes a process of its own on larger boards. No transaction
is open meanwhile.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from sqlalchemy import Connection

from bot.domain.match_actions import play
from bot.domain.matches import Match
from bot.domain.refusals import OverloadedError
from bot.runtime.context import Context
from bot.runtime.engine_pool import is_move_quick
from bot.runtime.runtime import Runtime
from engine import choose_move

Arguments = TypeVarTuple("Arguments")

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class NotStored:
    """What a change returns in place of its outcome where the bot has to think about its move."""

    match: Match


async def change_with_bot(
    context: Context,
    change: Callable[[Connection, Context, *Arguments, Match | None], Outcome | NotStored],
    *args: *Arguments,
    in_seconds: float | None = None,
) -> Outcome:
    """Run a change as a transaction; where the bot has to think first, once more after that.

    The change then stores nothing and returns the match; the second time, it is called with the
    match after the bot's move.

    Raises:
        UnavailableError: The database or the engine did not answer in time.
    """
    outcome = await context.change(change, context, *args, None)
    if isinstance(outcome, NotStored):
        moved = await with_chosen_move(context.runtime, outcome.match, in_seconds)
        outcome = await context.change(change, context, *args, moved)
        assert not isinstance(outcome, NotStored), "the bot has moved"
    return outcome


async def open_with_bot(
    context: Context,
    change: Callable[[Connection, Context, *Arguments, Match | None], Outcome | NotStored],
    *args: *Arguments,
) -> Outcome:
    """Like `change_with_bot`, within the time for a new message, which cannot be deferred."""
    seconds = context.runtime.database.limits.answer_seconds
    return await change_with_bot(context, change, *args, in_seconds=seconds)


def waits_for_bot(match: Match) -> bool:
    """Whether the bot is to move."""
    return match.to_move is not None and match.to_move.is_bot


def with_bot_move(match: Match, rng: random.Random) -> Match:
    """The match after the bot's move, if it is its turn and choosing one is quick."""
    player = match.to_move
    if player is None or player.level is None or not is_move_quick(match.board):
        return match
    return play(match, player.user_id, choose_move(match.board, player.level, rng))


async def with_chosen_move(
    runtime: Runtime, match: Match, in_seconds: float | None = None
) -> Match:
    """The match after the bot's move, which is chosen in the process for moves.

    Raises:
        UnavailableError: There was none in time, where the time is limited.
    """
    player = match.to_move
    assert player is not None, "the match goes on"
    assert player.level is not None, "it is the bot's turn"
    try:
        async with asyncio.timeout(in_seconds):
            cell = await runtime.engine.choose(match.board, player.level)
    except TimeoutError:
        raise OverloadedError(f"no move within {in_seconds} seconds") from None
    return play(match, player.user_id, cell)
