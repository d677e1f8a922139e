"""Matches: the commands for playing, and the buttons of boards."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from functools import partial

from discord import ui
from sqlalchemy import Connection

from bot.domain.match_actions import (
    ConcedePage,
    HintMovePage,
    HintPage,
    Press,
    RematchPage,
    RestartPage,
    check_resign,
    expire,
    repeated_challenge,
    stop,
)
from bot.domain.matches import BOARDS_BY_NAME, FirstPlayer, Match, MatchOpened, MatchRequest
from bot.domain.refusals import RefusalReason, Refused
from bot.features import analysis, match_actions, match_messages
from bot.features.counting import save_match
from bot.features.match_actions import has_opponent_left, load_here
from bot.features.openings import Restart, live_match, open_match
from bot.messaging.interactions import Person, check_opponent, parent_channel_id_of
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.matches import find_overdue, load_match
from bot.views.descriptions import match_in_words
from bot.views.match_texts import move_confirmation, stop_confirmation
from bot.views.matches import resign_question_view
from engine import Level, Rules

_ANSWER_SECONDS = 3
"""Discord accepts no initial response later than that."""


# Commands, and what starts a match


async def start(
    context: Context,
    opponent: Person | None = None,
    *,
    board: str | None = None,
    level: str | None = None,
    first: str | None = None,
) -> None:
    """Start a match; the options are as `/velha start` has them."""
    request = _chosen_match(context, opponent, board=board, level=level, first=first)
    check_opponent(context.interaction, opponent)
    await match_messages.post_new(context, await open_match(context, request))


async def restart(context: Context, page: RestartPage) -> None:
    """Start a match; end one's own in its channel first, or one that stands idle."""
    request = _match_request(context, rules=page.rules, level=page.level, first=page.first)
    if page.match_id is None:
        await match_messages.post_new(context, await open_match(context, request))
        return
    match = await context.read(load_match, page.match_id)
    has_left = match is not None and await has_opponent_left(context, match)
    restart = Restart(page.match_id, has_left)
    await match_messages.post_new(context, await open_match(context, request, restart))


async def challenge_again(context: Context, press: Press) -> None:
    """Repeat a challenge that was declined or not answered."""
    match = await context.read(load_here, context, press.match_id)
    request = replace(
        repeated_challenge(match, context.user_id),
        id=context.interaction.id,
        place=context.place,
        parent_id=parent_channel_id_of(context.interaction),
    )
    await match_messages.post_new(context, await open_match(context, request))


async def repost(context: Context) -> None:
    """Post the channel's board again, as its newest message."""
    match = await context.change(find_live_match, context.runtime, context.place.channel_id)
    await match_messages.repost(context, match)


def find_live_match(connection: Connection, runtime: Runtime, channel_id: int) -> Match:
    match, ended = live_match(connection, runtime, channel_id)
    if match is None:
        raise Refused(RefusalReason.NO_MATCH_HERE, also_changed=ended)
    return match


async def stop_here(context: Context) -> ui.LayoutView | None:
    """End the channel's match; a player is asked first whether they really resign."""
    match = await context.change(stop_match, context)
    if match.is_live:
        return resign_question_view(match, context.language)
    await _confirm_end(context, match)
    return None


def stop_match(connection: Connection, context: Context) -> Match:
    """End the channel's live match on behalf of a player or a moderator, and return it.

    A match that its player would resign stays as it is. One that was opened after the command was
    used is not meant.
    """
    match = find_live_match(connection, context.runtime, context.place.channel_id)
    if match.id > context.interaction.id:
        raise Refused(RefusalReason.NO_MATCH_HERE)
    if match.accepted and match.mark_of(context.user_id) is not None:
        check_resign(match, context.user_id)
        return match
    is_moderator = context.interaction.permissions.manage_messages
    stopped = stop(match, context.user_id, is_moderator=is_moderator)
    return save_match(connection, match, context.runtime.deadlines.with_deadline(stopped))


# Buttons of boards


async def press(context: Context, press: Press) -> None:
    """Redraw the board that was pressed, with what the press has changed."""
    match = await match_actions.press(context, press)
    await match_messages.redraw_pressed(context, match)


async def rematch(context: Context, press: Press) -> None:
    """Post the rematch, or redraw the board until the other player agrees."""
    outcome = await match_actions.rematch(context, press)
    if isinstance(outcome, MatchOpened):
        await match_messages.post_new(context, outcome)
    else:
        await match_messages.redraw_pressed(context, outcome)


async def ask_to_resign(context: Context, press: Press) -> ui.LayoutView:
    """Ask a player whether they really resign."""
    match = await context.change(match_actions.load_resignable, context, press)
    return resign_question_view(match, context.language)


async def hint(context: Context, press: Press) -> ui.LayoutView:
    """Show a hint, on a page of its own."""
    match = await context.change(match_actions.load_for_hint, context, press)
    job = partial(analysis.show_hint_in_match, context, match, None, is_detailed=False)
    return await context.run_newest(job)


async def describe(context: Context, press: Press) -> None:
    """Describe the match's current position in words, to one person."""
    match = await context.read(load_here, context, press.match_id)
    await context.reply.send_text(match_in_words(context.language, match, context.user_id))


# Buttons of pages


async def explain_hint(context: Context, page: HintPage) -> ui.LayoutView:
    """Say all about a move, in place of a hint."""
    match = await context.change(match_actions.load_hinted, context, page)
    job = partial(analysis.show_hint_in_match, context, match, page.cell, is_detailed=True)
    return await context.run_newest(job)


async def play_from_hint(context: Context, page: HintMovePage) -> None:
    """Play the move of a hint, which the board shows, and say so on the page."""
    match = await match_actions.play_from_hint(context, page)
    coordinate = match.rules.coordinate(page.cell)
    sentence = move_confirmation(context.language, coordinate, match.place.link)
    await match_messages.send_text_and_redraw(context, sentence, match)


async def rematch_from_review(context: Context, page: RematchPage) -> None:
    """Post a rematch against the bot."""
    opened = await match_actions.rematch_from_review(context, page)
    await match_messages.post_new(context, opened)


async def concede(context: Context, page: ConcedePage) -> None:
    """Resign, which the board shows, and say so on the page."""
    match = await match_actions.concede(context, page)
    if match.version > page.version + 1:  # the answer to what changed it may come late, and older
        context.follow_ups.append(partial(_redraw_later, context.runtime, match))
    await _confirm_end(context, match)


async def _redraw_later(runtime: Runtime, match: Match) -> None:
    await asyncio.sleep(_ANSWER_SECONDS)
    await match_messages.redraw(runtime, match)


async def _confirm_end(context: Context, match: Match) -> None:
    sentence = stop_confirmation(context.language, match)
    await match_messages.send_text_and_redraw(context, sentence, match)


# Whatever is shown


async def redraw_refused(context: Context, refused: Refused) -> None:
    """Redraw the board that was pressed, where it is out of date; the others once that is said."""
    if refused.also_changed:
        redraw = partial(match_messages.redraw_all, context.runtime, refused.also_changed)
        context.follow_ups.append(redraw)
    if refused.pressed is not None:
        await match_messages.redraw_pressed(context, refused.pressed, refused.reason)


# Time


async def expire_overdue(runtime: Runtime) -> list[Match] | None:
    """End some of the matches whose time is up; None if there are none.

    Each ends in a transaction of its own: one that ended several would lock people in any order.
    """
    now = runtime.clock.trusted_now()
    ids = None if now is None else await runtime.database.change(find_overdue, now)
    if now is None or ids is None:
        return None
    ended = [await runtime.database.change(end_overdue, match_id, now) for match_id in ids]
    return [match for match in ended if match is not None]


def end_overdue(connection: Connection, match_id: int, now: datetime) -> Match | None:
    """End a match whose time is up, unless it was changed meanwhile."""
    match = load_match(connection, match_id, for_update=True)
    if match is None or not match.is_overdue(now):
        return None
    return save_match(connection, match, expire(match))


# Options


def _chosen_match(
    context: Context,
    opponent: Person | None,
    *,
    board: str | None,
    level: str | None,
    first: str | None,
) -> MatchRequest:
    """The match that is asked for; `MatchRequest` says what an option left out means.

    Raises:
        Refused: An option's value is not one of its choices. Discord's own clients send nothing
            else, but discord.py does not check it.
    """
    if not isinstance(opponent, Person | None):
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    try:
        rules = None if board is None else BOARDS_BY_NAME[board]
        bot_level = None if level is None else Level[level]
        first_player = None if first is None else FirstPlayer(first)
    except (KeyError, ValueError):
        raise Refused(RefusalReason.UNKNOWN_OPTION) from None
    return _match_request(context, opponent, rules=rules, level=bot_level, first=first_player)


def _match_request(
    context: Context,
    opponent: Person | None = None,
    *,
    rules: Rules | None,
    level: Level | None,
    first: FirstPlayer | None,
) -> MatchRequest:
    return MatchRequest(
        id=context.interaction.id,
        place=context.place,
        opener_id=context.user_id,
        opponent_id=opponent.id if opponent else None,
        parent_id=parent_channel_id_of(context.interaction),
        rules=rules,
        level=level,
        first=first,
    )
