"""Presses on a match's buttons, each of which is one transaction: load, decide, store.

A press does what it asks if the match has not changed since the button was drawn. The row is
locked: of two presses, the slower one finds what the faster one has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from bot.domain.match_actions import (
    ConcedePage,
    HintMovePage,
    HintPage,
    MatchAction,
    Press,
    RematchPage,
    accept,
    cancel,
    check_free,
    check_hint,
    check_resign,
    decline,
    expire,
    has_played,
    has_resigned,
    is_carried_out,
    join,
    outdated_reason,
    play,
    request_like,
    resign,
)
from bot.domain.matches import Match, MatchOpened, Setup
from bot.domain.path import next_goal
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.rematches import ask_for_rematch, following_setup, next_match
from bot.domain.settings import GuildSettings
from bot.features import path, settings
from bot.features.bot_moves import (
    NotStored,
    change_with_bot,
    open_with_bot,
    waits_for_bot,
    with_bot_move,
)
from bot.features.counting import save_match
from bot.features.openings import (
    head_to_head,
    store_new,
)
from bot.messaging.interactions import parent_channel_id_of, pressed_message_id
from bot.messaging.members import is_member
from bot.runtime.context import Context
from bot.store.matches import load_match, record_message
from engine import Cell

_RULES: Mapping[MatchAction, Callable[[Match, int], Match]] = {
    MatchAction.ACCEPT: accept,
    MatchAction.DECLINE: decline,
    MatchAction.CANCEL: cancel,
    MatchAction.JOIN: join,
}


# On boards


async def press(context: Context, press: Press) -> Match:
    """Carry out a press on a board: a move with the bot's reply, an answer, or joining.

    Returns:
        The match as stored; as it was, if another process has carried out this very press.

    Raises:
        Refused: As `load_pressed`, or by the rules.
        UnavailableError: The database or the engine did not answer in time.
    """
    return await change_with_bot(context, _press, press)


def _press(
    connection: Connection, context: Context, press: Press, moved: Match | None
) -> Match | NotStored:
    match = load_pressed(connection, context, press)
    if is_carried_out(press, match, context.user_id):
        return match
    is_joining = press.action is MatchAction.JOIN
    if press.cell is not None:
        changed = _with_moves(context, match, press.cell, moved)
    else:
        changed = _RULES[press.action](match, context.user_id)
    if is_joining:
        score = head_to_head(connection, changed.x, changed.o)
        changed = replace(changed, head_to_head=score)
    if waits_for_bot(changed):
        return NotStored(changed)
    return _save_pressed(connection, context, match, changed, also_players=is_joining)


def _with_moves(context: Context, match: Match, cell: Cell, moved: Match | None) -> Match:
    """The match after a person's move and, unless it has to think first, the bot's reply."""
    if moved is not None:
        return replace(match, moves=moved.moves)
    return with_bot_move(play(match, context.user_id, cell), context.runtime.rng)


def load_pressed(connection: Connection, context: Context, press: Press) -> Match:
    """The match of a board that was pressed, locked.

    It is as the button was drawn, unless this very press has been carried out already.

    Raises:
        Refused: It is not; `pressed` is the match as it stands, if its board is to be redrawn.
    """
    match = load_here(connection, context, press.match_id, for_update=True)
    message_id = pressed_message_id(context.interaction)
    shown_by = match.place.message_id or message_id
    if message_id < shown_by:
        raise Refused(RefusalReason.BOARD_MOVED, match=match, pressed=match)
    if context.runtime.deadlines.is_overdue(match):
        ended = save_match(connection, match, expire(match))
        raise Refused(RefusalReason.TIME_IS_UP, pressed=ended)
    if press.version == match.version:
        return match
    if match.is_live and message_id > shown_by:
        raise Refused(RefusalReason.BOARD_MOVED, match=match, pressed=match)
    if not match.is_live and message_id != shown_by:
        raise Refused(RefusalReason.MATCH_OVER)
    if is_carried_out(press, match, context.user_id):
        return match
    raise Refused(outdated_reason(press, match, context.user_id), pressed=match)


def load_here(
    connection: Connection, context: Context, match_id: int, *, for_update: bool = False
) -> Match:
    """A match of the context's channel; refused if there is none."""
    match = load_match(connection, match_id, for_update=for_update)
    if match is None or match.place.channel_id != context.place.channel_id:
        raise Refused(RefusalReason.UNKNOWN_MATCH)
    return match


def _save(
    connection: Connection,
    context: Context,
    match: Match,
    changed: Match,
    *,
    also_players: bool = False,
) -> Match:
    """Store a changed match and its new deadline."""
    changed = context.runtime.deadlines.with_deadline(changed)
    return save_match(connection, match, changed, also_players=also_players)


def _save_pressed(
    connection: Connection,
    context: Context,
    match: Match,
    changed: Match,
    *,
    also_players: bool = False,
) -> Match:
    """Store a changed match and its new deadline; also that the pressed message shows it."""
    shown = _as_pressed(context, changed)
    if shown.place != match.place:
        record_message(connection, match.id, pressed_message_id(context.interaction))
    return _save(connection, context, match, shown, also_players=also_players)


def _as_pressed(context: Context, match: Match) -> Match:
    """The match with the pressed message as its board's."""
    message_id = pressed_message_id(context.interaction)
    return replace(match, place=replace(match.place, message_id=message_id))


def load_resignable(connection: Connection, context: Context, press: Press) -> Match:
    """The match that a player may resign, of a board that was pressed."""
    match = load_pressed(connection, context, press)
    check_resign(match, context.user_id)
    return match


def load_for_hint(connection: Connection, context: Context, press: Press) -> Match:
    """The match for which a hint was asked, on its board."""
    match = load_pressed(connection, context, press)
    check_hint(match, context.user_id)
    return match


# On pages


def _load_from_page(connection: Connection, context: Context, match_id: int) -> Match:
    """The match of a button on a page, locked; at whatever version."""
    match = load_here(connection, context, match_id, for_update=True)
    if context.runtime.deadlines.is_overdue(match):
        raise Refused(RefusalReason.TIME_IS_UP)  # the next sweep ends it
    return match


def load_hinted(connection: Connection, context: Context, page: HintPage) -> Match:
    """The match of a hint, on whose page more was asked.

    Raises:
        Refused: The hint is old, or its cell is taken; or by the rules.
    """
    match = _load_from_page(connection, context, page.match_id)
    if page.version != match.version:
        raise Refused(RefusalReason.HINT_OLD, match=match)
    check_hint(match, context.user_id)
    if page.cell is not None:
        check_free(match, page.cell)
    return match


async def play_from_hint(context: Context, page: HintMovePage) -> Match:
    """Play the move of a hint, with the bot's reply; raise as `press`."""
    return await change_with_bot(context, _play_from_hint, page)


def _play_from_hint(
    connection: Connection, context: Context, page: HintMovePage, moved: Match | None
) -> Match | NotStored:
    match = _load_from_page(connection, context, page.match_id)
    if page.version != match.version:
        if has_played(match, context.user_id, page.cell):
            return match
        raise Refused(RefusalReason.HINT_OLD, match=match)
    played = _with_moves(context, match, page.cell, moved)
    if waits_for_bot(played):
        return NotStored(played)
    return _save(connection, context, match, played)


async def concede(context: Context, page: ConcedePage) -> Match:
    """Resign a match, at whatever version; an opponent who has left the server wins nothing.

    Returns:
        The match as it ended.
    """
    match = await context.read(load_match, page.match_id)
    has_left = match is not None and await has_opponent_left(context, match)
    return await context.change(_concede, context, page, has_left)


def _concede(
    connection: Connection,
    context: Context,
    page: ConcedePage,
    has_left: bool,  # noqa: FBT001 - `change` passes arguments by position
) -> Match:
    match = _load_from_page(connection, context, page.match_id)
    if has_resigned(match, context.user_id):
        return match
    resigned = resign(match, context.user_id, has_opponent_left=has_left)
    return _save(connection, context, match, resigned)


async def has_opponent_left(context: Context, match: Match) -> bool:
    """Whether the person would win who plays against the context's, but has left the server.

    Discord is asked only where that matters, and where the bot is a member.
    """
    is_decided = match.is_live and match.accepted and match.is_between_people
    if not is_decided or match.mark_of(context.user_id) is None:
        return False
    if context.guild_id is None or not context.interaction.is_guild_integration():
        return False
    client, seconds = context.interaction.client, context.reply.timeouts.members_seconds
    opponent_id = match.opponent_of(context.user_id)
    return await is_member(client, context.guild_id, opponent_id, seconds) is False


# Rematches, which boards and reviews offer


async def rematch(context: Context, press: Press) -> Match | MatchOpened:
    """Ask for a rematch, or open it if the other player has asked, or is the bot.

    Returns:
        The match as stored, if the other player is to agree; else the rematch.

    Raises:
        Refused: As `load_pressed`, by the rules, or as the channel has a match.
        UnavailableError: The database or the engine did not answer in time.
    """
    return await open_with_bot(context, _rematch, press)


async def rematch_from_review(context: Context, page: RematchPage) -> MatchOpened:
    """Open a rematch against the bot, of a match at whatever version; raise as `rematch`."""
    return await open_with_bot(context, _rematch_from_review, page)


def _rematch(
    connection: Connection, context: Context, press: Press, moved: Match | None
) -> Match | MatchOpened | NotStored:
    try:
        match = load_pressed(connection, context, press)
    except Refused:
        if opened := _find_opened(connection, context, press.match_id):
            return opened
        raise
    setup = following_setup(match, press.action)
    if press.action is MatchAction.EASIER and setup is None:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    match = context.runtime.deadlines.without_lapsed_rematch(match)
    asked = ask_for_rematch(_as_pressed(context, match), context.user_id, context.interaction.id)
    if asked.next_id is not None:
        return _open_rematch(connection, context, asked, setup, moved)
    guild_settings = settings.load(connection, match.place.guild_id)
    guild_settings.check_channel(match.place.channel_id, parent_channel_id_of(context.interaction))
    return _save_pressed(connection, context, match, asked)


def _rematch_from_review(
    connection: Connection, context: Context, page: RematchPage, moved: Match | None
) -> MatchOpened | NotStored:
    match = _load_from_page(connection, context, page.match_id)
    if match.is_between_people:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    setup = following_setup(match, MatchAction.REMATCH)
    agreed = ask_for_rematch(match, context.user_id, context.interaction.id)
    return _open_rematch(connection, context, agreed, setup, moved)


def _open_rematch(
    connection: Connection,
    context: Context,
    agreed: Match,
    setup: Setup | None,
    moved: Match | None,
) -> MatchOpened | NotStored:
    """Store the rematch on which the players of a match have agreed, and that they have."""
    guild_settings = settings.load(connection, agreed.place.guild_id)
    rematch = moved or _next_match(connection, context, agreed, guild_settings, setup)
    parent_id = parent_channel_id_of(context.interaction)
    guild_settings.check_channel(agreed.place.channel_id, parent_id, rematch)
    if waits_for_bot(rematch):
        return NotStored(rematch)
    request = request_like(rematch, context.user_id)
    opened = store_new(connection, context.runtime, rematch, request)
    saved = save_match(connection, agreed, agreed)  # it was over before: nothing is counted
    return replace(opened, also_changed=(saved, *opened.also_changed))


def _find_opened(connection: Connection, context: Context, match_id: int) -> MatchOpened | None:
    """The rematch, if another process has opened it for this very press."""
    opened = load_match(connection, context.interaction.id)
    previous = load_match(connection, match_id) if opened else None
    if opened is None or previous is None or previous.next_id != opened.id:
        return None
    return MatchOpened(opened, also_changed=(previous,))


def _next_match(
    connection: Connection,
    context: Context,
    match: Match,
    guild_settings: GuildSettings,
    setup: Setup | None,
) -> Match:
    """The match that follows; against the bot, with where it stands on the person's path."""
    deadline_at = context.runtime.deadlines.deadline(
        accepted=True, turn_minutes=guild_settings.turn_minutes
    )
    if match.is_between_people:
        return next_match(match, deadline_at, guild_settings)
    walked = path.load(connection, context.user_id)
    if setup is None:  # what was next was removed, as the player hides
        setup = next_goal(walked) or following_setup(match, MatchAction.REMATCH)
    opened = next_match(match, deadline_at, guild_settings, setup)
    opened = replace(opened, trail=path.trail_of(connection, opened, walked))
    return with_bot_move(opened, context.runtime.rng)
