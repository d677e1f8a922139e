"""Presses on a match's buttons, each of which is one transaction: load, decide, store.

A press does what it asks if the match has not changed since the button was drawn. The row is
locked: of two presses, the slower one finds what the faster one has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from bot.domain.match_actions import (
    MatchAction,
    Press,
    accept,
    cancel,
    check_free,
    check_hint,
    check_player,
    decline,
    expire,
    has_resigned,
    is_already_played,
    is_carried_out,
    join,
    outdated_reason,
    play,
    resign,
)
from bot.domain.matches import FirstPlayer, Match, MatchOpened, MatchRequest
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.rematches import ask_for_rematch, easier_level, harder_level, next_match
from bot.domain.settings import GuildSettings
from bot.features import settings
from bot.features.counting import save_match
from bot.features.openings import (
    head_to_head,
    store_new,
    waits_for_bot,
    with_bot_move,
    with_chosen_move,
)
from bot.messaging.interactions import is_ephemeral, parent_channel_id_of, pressed_message_id
from bot.messaging.members import is_member
from bot.runtime.context import Context
from bot.store.matches import load_match, record_message
from engine import Level

_RULES: Mapping[MatchAction, Callable[[Match, int], Match]] = {
    MatchAction.ACCEPT: accept,
    MatchAction.DECLINE: decline,
    MatchAction.CANCEL: cancel,
    MatchAction.JOIN: join,
}

_LEVEL_CHOOSERS: Mapping[MatchAction, Callable[[Match], Level | None]] = {
    MatchAction.EASIER: easier_level,
    MatchAction.HARDER: harder_level,
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
    return await _change(context, press, _press)


_Change = Callable[[Connection, Context, Press, Match | None], Match]
"""Changes a match and stores it, but for one in which the bot has to think about its reply.

Then it is called again, with the match as it is after that.
"""


async def _change(context: Context, press: Press, change: _Change) -> Match:
    """Change a match, with the bot's reply; return it as stored."""
    changed = await context.change(change, context, press, None)
    if not waits_for_bot(changed):
        return changed
    moved = await with_chosen_move(context.runtime, changed)
    return await context.change(change, context, press, moved)


def _press(connection: Connection, context: Context, press: Press, moved: Match | None) -> Match:
    match = load_pressed(connection, context, press)
    if is_carried_out(press, match, context.user_id):
        return match
    if press.action is MatchAction.PLAY:
        return _play(connection, context, press, match, moved)
    changed = _RULES[press.action](match, context.user_id)
    is_joining = press.action is MatchAction.JOIN
    if is_joining:
        score = head_to_head(connection, changed.x, changed.o)
        changed = replace(changed, head_to_head=score)
    return _save(connection, context, match, changed, also_players=is_joining)


def _play(
    connection: Connection, context: Context, press: Press, match: Match, moved: Match | None
) -> Match:
    """Store a person's move and the bot's reply; not if the bot has to think first."""
    if moved is not None:
        return _save(connection, context, match, replace(match, moves=moved.moves))
    assert press.cell is not None, "a press that plays names its cell"
    played = with_bot_move(play(match, context.user_id, press.cell), context.runtime.rng)
    return played if waits_for_bot(played) else _save(connection, context, match, played)


def load_pressed(connection: Connection, context: Context, press: Press) -> Match:
    """The match of a board that was pressed, locked.

    It is as the button was drawn, unless this very press has been carried out already.

    Raises:
        Refused: It is not; `pressed` is the match as it stands, if its board is to be redrawn.
    """
    match = _load_here(connection, context, press)
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


def _load_here(connection: Connection, context: Context, press: Press) -> Match:
    match = load_match(connection, press.match_id, for_update=True)
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
    """Store a changed match and its new deadline; also that the pressed message shows it."""
    shown = _as_shown(context, context.runtime.deadlines.with_deadline(changed))
    saved = save_match(connection, match, shown, also_players=also_players)
    if saved.place.message_id is not None and saved.place != match.place:
        record_message(connection, match.id, saved.place.message_id)
    return saved


def _as_shown(context: Context, match: Match) -> Match:
    """The match with the pressed message as its board's, unless that is a page."""
    if is_ephemeral(context.interaction):
        return match
    message_id = pressed_message_id(context.interaction)
    return replace(match, place=replace(match.place, message_id=message_id))


def load_resignable(connection: Connection, context: Context, press: Press) -> Match:
    """The match that a player may resign, of a board that was pressed."""
    match = load_pressed(connection, context, press)
    check_player(match, context.user_id)
    return match


def load_for_hint(connection: Connection, context: Context, press: Press) -> Match:
    """The match for which a hint was asked, on its board or on the page of another hint.

    Raises:
        Refused: As `load_pressed`; or the hint is old, or its cell is taken.
    """
    if not is_ephemeral(context.interaction):
        match = load_pressed(connection, context, press)
    elif press.cell is None and press.action is MatchAction.HINT:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    else:
        match = _load_from_page(connection, context, press)
        if press.version != match.version:
            raise Refused(RefusalReason.HINT_OLD, match=match)
    check_hint(match, context.user_id)
    if press.cell is not None:
        check_free(match, press.cell)
    return match


# On pages


def _load_from_page(connection: Connection, context: Context, press: Press) -> Match:
    """The match of a button on a page, locked; at whatever version."""
    match = _load_here(connection, context, press)
    if context.runtime.deadlines.is_overdue(match):
        raise Refused(RefusalReason.TIME_IS_UP)  # the next sweep ends it
    return match


async def play_from_hint(context: Context, press: Press) -> Match:
    """Play the move of a hint, with the bot's reply; raise as `press`."""
    return await _change(context, press, _play_from_hint)


def _play_from_hint(
    connection: Connection, context: Context, press: Press, moved: Match | None
) -> Match:
    match = _load_from_page(connection, context, press)
    if press.version != match.version:
        if is_already_played(press, match, context.user_id):
            return match
        raise Refused(RefusalReason.HINT_OLD, match=match)
    return _play(connection, context, press, match, moved)


async def concede(context: Context, press: Press) -> Match:
    """Resign a match, at whatever version; an opponent who has left the server wins nothing.

    Returns:
        The match as it ended.
    """
    match = await context.read(load_match, press.match_id)
    has_left = match is not None and await has_opponent_left(context, match)
    return await context.change(_concede, context, press, has_left)


def _concede(
    connection: Connection,
    context: Context,
    press: Press,
    has_left: bool,  # noqa: FBT001 - `change` passes arguments by position
) -> Match:
    match = _load_from_page(connection, context, press)
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
    outcome = await context.change(_open_rematch, context, press, None)
    if not isinstance(outcome, Match) or not waits_for_bot(outcome):
        return outcome
    seconds = context.runtime.database.limits.answer_seconds  # a new message cannot be deferred
    moved = await with_chosen_move(context.runtime, outcome, in_seconds=seconds)
    return await context.change(_open_rematch, context, press, moved)


def _open_rematch(
    connection: Connection, context: Context, press: Press, moved: Match | None
) -> Match | MatchOpened:
    """Store that somebody asks for a rematch, or the rematch.

    Returns:
        The match that was stored, or the rematch with what changed with it; a rematch in which the
        bot has to think first is not stored.
    """
    load = _load_reviewed if is_ephemeral(context.interaction) else load_pressed
    try:
        match = context.runtime.deadlines.without_lapsed_rematch(load(connection, context, press))
    except Refused:
        if opened := _find_opened(connection, context, press):
            return opened
        raise
    choose_level = _LEVEL_CHOOSERS.get(press.action)
    level = choose_level(match) if choose_level else None
    if choose_level and level is None:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    asked = ask_for_rematch(match, context.user_id, context.interaction.id)
    guild_settings = settings.load(connection, match.place.guild_id)
    parent_id = parent_channel_id_of(context.interaction)
    guild_settings.check_channel(match.place.channel_id, parent_id)
    if asked.next_id is None:
        return _save(connection, context, match, asked)
    opened_match = moved or _next_match(context, asked, guild_settings, level)
    if waits_for_bot(opened_match):
        return opened_match
    request = _request(opened_match, context.user_id)
    opened = store_new(connection, context.runtime, opened_match, request)
    saved = save_match(connection, match, _as_shown(context, asked))
    return replace(opened, also_changed=(saved, *opened.also_changed))


def _load_reviewed(connection: Connection, context: Context, press: Press) -> Match:
    """The match of a review, which offers a rematch against the bot; at whatever version."""
    match = _load_from_page(connection, context, press)
    if match.is_between_people:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    return match


def _find_opened(connection: Connection, context: Context, press: Press) -> MatchOpened | None:
    """The rematch, if another process has opened it for this very press."""
    opened = load_match(connection, context.interaction.id)
    previous = load_match(connection, press.match_id) if opened else None
    if opened is None or previous is None or previous.next_id != opened.id:
        return None
    return MatchOpened(opened, also_changed=(previous,))


def _next_match(
    context: Context, match: Match, guild_settings: GuildSettings, level: Level | None
) -> Match:
    deadline_at = context.runtime.deadlines.deadline(
        accepted=True, turn_minutes=guild_settings.turn_minutes
    )
    opened = next_match(match, deadline_at, guild_settings, level)
    return with_bot_move(opened, context.runtime.rng)


def _request(match: Match, user_id: int) -> MatchRequest:
    """The request of a person that opens a match like this one."""
    is_first = match.x.user_id == user_id
    return MatchRequest(
        match.id,
        match.place,
        opener_id=user_id,
        opponent_id=match.opponent_of(user_id) if match.is_between_people else None,
        rules=match.rules,
        level=match.bot_level,
        first=FirstPlayer.OPENER if is_first else FirstPlayer.OPPONENT,
    )
