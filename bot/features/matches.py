"""Matches: the commands for playing, and the buttons of boards."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from bot.domain.match_actions import (
    BoardChanged,
    HintPlayed,
    MatchAction,
    MatchOutcome,
    OpponentCheck,
    Press,
    PressOrigin,
    ResignConfirmation,
    RestartPage,
    StopRequest,
    expire,
)
from bot.domain.matches import (
    BOARDS_BY_NAME,
    FirstPlayer,
    Match,
    MatchOpened,
    MatchRequest,
    MatchStopped,
)
from bot.domain.refusals import Refusal, RefusalReason, Refused
from bot.features import analysis, counting, match_messages
from bot.features.match_actions import carry_out, find_for_hint, stop_match
from bot.features.openings import live_match, open_match
from bot.features.openings import restart as restart_match
from bot.messaging.interactions import (
    Person,
    opponent_refusal,
    parent_channel_id_of,
    press_origin,
)
from bot.messaging.members import is_member
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.matches import expire_due, load_match
from bot.views.descriptions import DescriptionTexts
from bot.views.matches import MatchTexts, resign_question_view
from engine import Level, Rules

_ANSWER_SECONDS = 3
"""Discord accepts no initial response later than that."""


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
    if refusal := opponent_refusal(context.interaction, opponent):
        raise Refused.of(refusal)
    await _show(context, await open_match(context.runtime, request))


async def restart(context: Context, page: RestartPage) -> None:
    """End one's own match, and start another in its channel."""
    request = _match_request(context, rules=page.rules, level=page.level, first=page.first)
    restart_here = partial(restart_match, context.runtime, page.match_id, request)
    outcome = await restart_here(has_opponent_left=_known_departure(context))
    while isinstance(outcome, OpponentCheck):
        has_left = await _has_left(context, outcome.opponent_id)
        outcome = await restart_here(has_opponent_left=has_left)
    for match in outcome.also_changed:
        _count_if_over(context, match)
    await _show(context, outcome)


async def repost(context: Context) -> None:
    """Post the channel's board again, as its newest message."""
    channel_id = context.place.channel_id
    match, ended = await context.database.transact(live_match, context.runtime, channel_id)
    if match is None:
        return await _show(context, Refusal(RefusalReason.NO_MATCH_HERE, also_changed=ended))
    await match_messages.repost(context, match)


async def stop(context: Context) -> None:
    """End the channel's match."""
    request = StopRequest(
        user_id=context.user_id,
        channel_id=context.place.channel_id,
        interaction_id=context.interaction.id,
        is_moderator=context.interaction.permissions.manage_messages,
    )
    await _show(context, await context.database.transact(stop_match, context.runtime, request))


async def press(context: Context, press: Press) -> None:
    """Answer a press on a match's button that changes the match."""
    work = _outcome_of(context, press)
    if press.action is MatchAction.PLAY:  # the bot's reply may take long
        work = context.reply.wait_or_defer(work, in_place=True)
    await _show(context, await work)


async def _outcome_of(context: Context, press: Press) -> MatchOutcome:
    """Carry out a press; if it matters, ask Discord first whether the opponent has left."""
    origin = press_origin(context.interaction)
    origin = replace(origin, has_opponent_left=_known_departure(context))
    outcome = await carry_out(context.runtime, press, origin)
    while isinstance(outcome, OpponentCheck):
        work = _ask_and_carry_out(context, press, origin, outcome.opponent_id)
        outcome = await context.reply.wait_for_page(work)
    return outcome


async def _ask_and_carry_out(
    context: Context, press: Press, origin: PressOrigin, opponent_id: int
) -> MatchOutcome | OpponentCheck:
    origin = replace(origin, has_opponent_left=await _has_left(context, opponent_id))
    return await carry_out(context.runtime, press, origin)


def _known_departure(context: Context) -> bool | None:
    """Whether an opponent has left, before Discord is asked: where the bot is no member, nobody."""
    return None if context.interaction.is_guild_integration() else False


async def _has_left(context: Context, opponent_id: int) -> bool:
    """Ask Discord whether an opponent has left the server."""
    assert context.guild_id is not None, "the bot is a member of it"
    client, seconds = context.interaction.client, context.reply.timeouts.members_seconds
    return await is_member(client, context.guild_id, opponent_id, seconds) is False


async def hint(context: Context, press: Press) -> None:
    """Answer a press that asks for a hint, on a page of its own."""
    found = await find_for_hint(context.runtime, press, press_origin(context.interaction))
    if not isinstance(found, Match):
        return await _show(context, found)
    job = partial(
        analysis.show_hint_in_match,
        context,
        found,
        press.cell,
        is_detailed=press.action is MatchAction.WHY or press.cell is not None,
    )
    draw = await context.reply.wait_for_page(context.run_newest(job))
    await context.reply.show_page(draw)


async def describe(context: Context, press: Press) -> None:
    """Describe the match's current position in words, to one person."""
    match = await context.database.read(load_match, press.match_id)
    if match is None or match.place.channel_id != context.place.channel_id:
        raise Refused(RefusalReason.UNKNOWN_MATCH)
    texts = DescriptionTexts(context.language)
    await context.reply.send_text(texts.description(match, context.user_id))


async def _show(context: Context, outcome: MatchOutcome) -> None:
    """Show an outcome, and redraw the other matches that changed with it."""
    match outcome:
        case BoardChanged(match):
            _count_if_over(context, match)
            await match_messages.answer_press(context, outcome)
        case MatchStopped(match):
            _count_if_over(context, match)
            await _show_stopped(context, outcome)
        case HintPlayed(match, cell):
            _count_if_over(context, match)
            texts = MatchTexts(context.language)
            sentence = texts.move_confirmation(match.rules.coordinate(cell), match.place.link)
            await match_messages.send_text_and_redraw(context, sentence, match)
        case ResignConfirmation(match):
            await context.reply.show_page(partial(resign_question_view, match))
        case MatchOpened():
            await match_messages.post_new(context, outcome)
        case Refusal():
            try:
                await context.reply.refuse(outcome)
            finally:
                await match_messages.redraw_all(context.runtime, outcome.also_changed)


def _count_if_over(context: Context, match: Match) -> None:
    """Count a match that is over, once the answer is sent."""
    if not match.is_live:
        context.follow_ups.append(partial(counting.count_soon, context.runtime))


async def _show_stopped(context: Context, stopped: MatchStopped) -> None:
    match = stopped.match
    sentence = MatchTexts(context.language).stop_confirmation(match)
    await match_messages.send_text_and_redraw(context, sentence, match)
    if stopped.changed_since_question:  # the answer to that may come late, with an older board
        await asyncio.sleep(_ANSWER_SECONDS)
        await match_messages.redraw(context.runtime, match)


async def expire_overdue(runtime: Runtime) -> list[Match] | None:
    """End some of the matches whose time is up; None if there are none."""
    now = runtime.clock.trusted_now()
    if now is None:
        return None
    return await runtime.background.transact(expire_due, now, expire)


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
        first_player = FirstPlayer.OPENER if first is None else FirstPlayer(first)
    except (KeyError, ValueError):
        raise Refused(RefusalReason.UNKNOWN_OPTION) from None
    return _match_request(context, opponent, rules=rules, level=bot_level, first=first_player)


def _match_request(
    context: Context,
    opponent: Person | None = None,
    *,
    rules: Rules | None,
    level: Level | None,
    first: FirstPlayer,
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
