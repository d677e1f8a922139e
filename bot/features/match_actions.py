"""Presses on a match's buttons: load, decide, let the bot reply, compare-and-set.

A press does what it asks if the match has not changed since the button was drawn. Compare-and-set
decides every race; the slower press starts again with the match as it is then. Only what changes
two matches is a transaction, which locks them instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from bot.domain.match_actions import (
    REMATCH_ACTIONS,
    BoardChanged,
    HintPlayed,
    MatchAction,
    MatchOutcome,
    OpponentCheck,
    Press,
    PressOrigin,
    ResignConfirmation,
    StopRequest,
    accept,
    cancel,
    check_for_resignation,
    decline,
    expire,
    has_resigned,
    hint_refusal_reason,
    is_already_played,
    is_double_click,
    join,
    outdated_refusal_reason,
    play,
    resign,
    stop,
)
from bot.domain.matches import FirstPlayer, Match, MatchOpened, MatchRequest, MatchStopped
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.rematches import ask_for_rematch, easier_level, harder_level, next_match
from bot.domain.settings import GuildSettings
from bot.features import settings
from bot.features.openings import (
    BotMovePending,
    channel_busy_refusal,
    head_to_head,
    live_match,
    with_bot_move,
    with_chosen_move,
)
from bot.runtime.runtime import Runtime
from bot.store.matches import add, compare_and_set, end_unreadable_in, load_match, record_message
from engine import Level

_LEVEL_CHOOSERS: Mapping[MatchAction, Callable[[Match], Level | None]] = {
    MatchAction.EASIER: easier_level,
    MatchAction.HARDER: harder_level,
}

_CHANGES_BY_ACTION: Mapping[MatchAction, Callable[[Match, int], Match | RefusalReason]] = {
    MatchAction.RESIGN: resign,
    MatchAction.ACCEPT: accept,
    MatchAction.DECLINE: decline,
    MatchAction.CANCEL: cancel,
    MatchAction.JOIN: join,
}


_PressOutcome = MatchOutcome | BotMovePending | OpponentCheck
"""What became of a press, or what is to be found out first."""


async def carry_out(
    runtime: Runtime, press: Press, origin: PressOrigin
) -> MatchOutcome | OpponentCheck:
    """Carry out a press; a bot's move that takes long is computed in the process for moves.

    Raises:
        UnavailableError: The database or the engine did not answer in time.
    """

    def try_press(connection: Connection, moved: Match | None = None) -> _PressOutcome:
        return _PressJob(connection, runtime, press, origin).run(moved)

    is_rematch = press.action in REMATCH_ACTIONS
    run = runtime.database.transact if is_rematch else runtime.database.write
    seconds = runtime.database.seconds if is_rematch else None  # no new message can be deferred
    outcome = await run(try_press)
    while isinstance(outcome, BotMovePending):
        moved = await with_chosen_move(runtime, outcome.match, seconds)
        outcome = await run(try_press, moved)
    return outcome


async def find_for_hint(
    runtime: Runtime, press: Press, origin: PressOrigin
) -> Match | MatchOutcome:
    """The match that a hint was asked for, or else what became of the press.

    Raises:
        UnavailableError: The database did not answer in time.
    """

    def find(connection: Connection) -> Match | MatchOutcome:
        return _PressJob(connection, runtime, press, origin).find_for_hint()

    return await runtime.database.write(find)


@dataclass(frozen=True, slots=True)
class _PressJob:
    """A press that is carried out on one connection: in a transaction if it asks for a rematch."""

    connection: Connection
    runtime: Runtime
    press: Press
    origin: PressOrigin

    def run(self, moved: Match | None = None) -> _PressOutcome:
        """Try to carry out the press, until no other press is faster.

        `moved` is the match after it, or the rematch, with the bot's move, if that took long.
        """
        is_rematch = self.press.action in REMATCH_ACTIONS
        if moved is not None and not is_rematch and (saved := self._save(moved)):
            return saved
        while True:
            loaded = self._load_current()
            if not isinstance(loaded, Match):
                # The same press may have reached another process first.
                return self._find_opened_rematch() or loaded
            current = self.runtime.deadlines.without_lapsed_rematch(loaded)
            changed = _apply_action(self.press, current, self.origin)
            if not isinstance(changed, Match):
                return changed
            outcome = self._save_or_open_rematch(changed, moved if is_rematch else None)
            if outcome is not None:
                return outcome

    def find_for_hint(self) -> Match | MatchOutcome:
        """The match that a hint was asked for, or else what became of the press."""
        loaded = self._load_current()
        if not isinstance(loaded, Match):
            return loaded
        if refusal := hint_refusal_reason(loaded, self.origin.user_id):
            return Refusal(refusal)
        if self.press.cell is not None and self.press.cell not in loaded.board.actions():
            return Refusal(RefusalReason.CELL_TAKEN)
        return loaded

    def _load_current(self) -> Match | MatchOutcome:
        """The match if it is still as the button was drawn; else the outcome."""
        is_locked = self.press.action in REMATCH_ACTIONS
        match = load_match(self.connection, self.press.match_id, for_update=is_locked)
        if match is None or match.place.channel_id != self.origin.channel_id:
            return Refusal(RefusalReason.UNKNOWN_MATCH)
        if self.origin.is_ephemeral:
            return self._load_from_page(match)
        if self.origin.message_id < (match.place.message_id or 0):
            return BoardChanged(match, RefusalReason.BOARD_MOVED)
        if self.runtime.deadlines.is_overdue(match):
            return self._end_overdue(match)
        if self.press.version == match.version:
            return match
        return self._outdated_outcome(match)

    def _end_overdue(self, match: Match) -> Match | MatchOutcome:
        """End a match whose time is up; if that fails, load it again."""
        saved = compare_and_set(self.connection, expire(match))
        ended = saved or load_match(self.connection, match.id)
        if ended is None or ended.is_live:  # a hint was counted, or another clock is slower
            return self._load_current()
        return BoardChanged(ended, RefusalReason.TIME_IS_UP)

    def _load_from_page(self, match: Match) -> Match | MatchOutcome:
        """`_load_current` for a button on a page.

        A hint's button needs the version that the hint was for; resigning works at any, and so does
        the rematch against the bot that a review offers.
        """
        action = self.press.action
        is_rematch = action is MatchAction.REMATCH and not match.is_between_people
        is_for_pages = is_rematch or action in (MatchAction.CONCEDE, MatchAction.WHY)
        if self.press.cell is None and not is_for_pages:
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if self.runtime.deadlines.is_overdue(match):
            return Refusal(RefusalReason.TIME_IS_UP)  # the next sweep ends it
        if action is MatchAction.CONCEDE and has_resigned(match, self.origin.user_id):
            return MatchStopped(match)
        if is_rematch or action is MatchAction.CONCEDE or self.press.version == match.version:
            return match
        if action is MatchAction.PLAY and is_already_played(self.press, match, self.origin.user_id):
            assert self.press.cell is not None, "a press that plays names its cell"
            return HintPlayed(match, self.press.cell)
        return Refusal(RefusalReason.HINT_OLD, match)

    def _outdated_outcome(self, match: Match) -> MatchOutcome:
        pressed_id = self.origin.message_id
        if match.is_live and pressed_id > (match.place.message_id or pressed_id):
            return BoardChanged(match, RefusalReason.BOARD_MOVED)
        if not match.is_live and not self._is_shown_on(match, pressed_id):
            return Refusal(RefusalReason.MATCH_OVER)
        return BoardChanged(match, outdated_refusal_reason(self.press, match, self.origin.user_id))

    def _is_shown_on(self, match: Match, message_id: int) -> bool:
        """Whether a message still shows an ended match: older releases drew the rematch over it."""
        if match.place.message_id not in (None, message_id):
            return False
        rematch = load_match(self.connection, match.next_id) if match.next_id else None
        return rematch is None or rematch.place.message_id != message_id

    def _find_opened_rematch(self) -> MatchOpened | None:
        """The rematch, if another process has opened it already for this very press."""
        if self.press.action not in REMATCH_ACTIONS:
            return None
        previous = load_match(self.connection, self.press.match_id)
        if previous is None or previous.next_id != self.origin.interaction_id:
            return None
        rematch = load_match(self.connection, self.origin.interaction_id)
        return None if rematch is None else MatchOpened(rematch, also_changed=(previous,))

    def _save_or_open_rematch(self, changed: Match, rematch: Match | None) -> _PressOutcome | None:
        """The outcome of a changed match; None if another press was faster."""
        if self.press.action in REMATCH_ACTIONS:
            guild_settings = settings.load(self.connection, changed.place.guild_id)
            if refusal := guild_settings.channel_refusal(
                self.origin.channel_id, self.origin.parent_id
            ):
                return refusal
            if changed.next_id is not None:
                return self._open_rematch(changed, guild_settings, rematch)
        if self.press.action is MatchAction.JOIN:
            score = head_to_head(self.connection, changed.x, changed.o)
            changed = replace(changed, head_to_head=score)
        moved = with_bot_move(changed, self.runtime.rng)
        return self._save(moved) if isinstance(moved, Match) else moved

    def _save(self, match: Match) -> MatchOutcome | None:
        """Store a changed match; None if another press was faster."""
        changed = _with_message(self.runtime.deadlines.with_deadline(match), self.origin)
        saved = compare_and_set(
            self.connection, changed, also_players=self.press.action is MatchAction.JOIN
        )
        if saved is None:
            return None
        if self.origin.is_ephemeral and self.press.cell is not None:
            return HintPlayed(saved, self.press.cell)
        if self.origin.is_ephemeral:
            was_changed = match.version != self.press.version
            return MatchStopped(saved, changed_since_question=was_changed)
        if match.place.message_id != self.origin.message_id:
            record_message(self.connection, match.id, self.origin.message_id)
        return BoardChanged(saved)

    def _open_rematch(
        self, match: Match, guild_settings: GuildSettings, moved: Match | None
    ) -> _PressOutcome:
        """Store a match that is followed by another, which is locked, and that other one."""
        match = _with_message(match, self.origin)
        rematch = moved or self._rematch(match, guild_settings)
        if isinstance(rematch, BotMovePending):
            return rematch
        if add(self.connection, rematch):
            saved = compare_and_set(self.connection, match)
            assert saved is not None, "it is locked"
            return MatchOpened(rematch, also_changed=(saved,))
        current, ended = live_match(self.connection, self.runtime, match.place.channel_id)
        if current is not None:
            request = _bot_match_request(rematch, self.origin.user_id)
            return channel_busy_refusal(self.runtime, current, ended, request)
        end_unreadable_in(self.connection, match.place.channel_id)
        outcome = self.run(rematch)
        if isinstance(outcome, MatchOpened | Refusal):
            return replace(outcome, also_changed=(*outcome.also_changed, *ended))
        return outcome

    def _rematch(self, match: Match, guild_settings: GuildSettings) -> Match | BotMovePending:
        deadline_at = self.runtime.deadlines.deadline(
            accepted=True, turn_minutes=guild_settings.turn_minutes
        )
        choose_level = _LEVEL_CHOOSERS.get(self.press.action)
        level = choose_level(match) if choose_level else None
        rematch = next_match(match, deadline_at, guild_settings, level)
        return with_bot_move(rematch, self.runtime.rng)


def stop_match(
    connection: Connection, runtime: Runtime, request: StopRequest
) -> MatchStopped | ResignConfirmation | Refusal:
    """End the channel's live match on behalf of a player or a moderator, in a transaction.

    A player is asked first whether they really resign. A match that was opened after the request is
    not meant.
    """
    match, ended = live_match(connection, runtime, request.channel_id)
    if match is None or match.id > request.interaction_id:
        return Refusal(RefusalReason.NO_MATCH_HERE, also_changed=ended)
    if match.accepted and match.mark_of(request.user_id) is not None:
        return ResignConfirmation(match)
    stopped = stop(match, request.user_id, is_moderator=request.is_moderator)
    if isinstance(stopped, RefusalReason):
        return Refusal(stopped)
    saved = compare_and_set(connection, runtime.deadlines.with_deadline(stopped))
    assert saved is not None, "it is locked"
    return MatchStopped(saved)


def _apply_action(
    press: Press, match: Match, origin: PressOrigin
) -> Match | MatchOutcome | OpponentCheck:
    """The match changed as the press asks, or else the outcome."""
    if not origin.is_ephemeral and is_double_click(press, match, origin.user_id):
        return BoardChanged(match)
    changed = _apply_change(press, match, origin)
    if isinstance(changed, RefusalReason):
        return Refusal(changed)
    if press.action is MatchAction.CONCEDE and origin.has_opponent_left is None:
        return check_for_resignation(changed) or changed
    return ResignConfirmation(match) if press.action is MatchAction.RESIGN else changed


def _apply_change(press: Press, match: Match, origin: PressOrigin) -> Match | RefusalReason:
    if press.action is MatchAction.PLAY:
        assert press.cell is not None, "a press that plays names its cell"
        return play(match, origin.user_id, press.cell)
    choose_level = _LEVEL_CHOOSERS.get(press.action)
    if choose_level and choose_level(match) is None:
        return RefusalReason.UNKNOWN_BUTTON
    if press.action in REMATCH_ACTIONS:
        return ask_for_rematch(match, origin.user_id, origin.interaction_id)
    if press.action is MatchAction.CONCEDE:
        has_opponent_left = bool(origin.has_opponent_left)
        return resign(match, origin.user_id, has_opponent_left=has_opponent_left)
    return _CHANGES_BY_ACTION[press.action](match, origin.user_id)


def _bot_match_request(match: Match, user_id: int) -> MatchRequest | None:
    """The request that opens a match like this one; None between people, as two must agree."""
    if match.is_between_people:
        return None
    is_first = match.x.user_id == user_id
    return MatchRequest(
        match.id,
        match.place,
        opener_id=user_id,
        rules=match.rules,
        level=match.bot_level,
        first=FirstPlayer.OPENER if is_first else FirstPlayer.OPPONENT,
    )


def _with_message(match: Match, origin: PressOrigin) -> Match:
    """The match with the pressed message as its board's, unless that is a page."""
    if origin.is_ephemeral or match.place.message_id == origin.message_id:
        return match
    return replace(match, place=replace(match.place, message_id=origin.message_id))
