"""Presses on a match's buttons: load, decide, let the bot reply, compare-and-set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.domain.match_actions import (
    REMATCH_ACTIONS,
    BoardChanged,
    HintPlayed,
    MatchAction,
    MatchOutcome,
    OpponentCheck,
    Press,
    PressContext,
    ResignConfirmation,
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
)
from bot.domain.matches import FirstPlayer, Match, MatchOpened, MatchRequest, MatchStopped
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.rematches import ask_for_rematch, easier_level, harder_level, next_match
from bot.domain.settings import GuildSettings
from bot.runtime.deadlines import Deadlines
from bot.runtime.engine_pool import EnginePool, is_move_quick
from bot.runtime.executor import Executor
from bot.services.matches import MatchOperations, channel_busy_refusal, with_move
from bot.store.store import Store
from engine import Level

_LEVEL_CHOOSERS: dict[MatchAction, Callable[[Match], Level | None]] = {
    MatchAction.EASIER: easier_level,
    MatchAction.HARDER: harder_level,
}

_CHANGES_BY_ACTION: dict[MatchAction, Callable[[Match, int], Match | RefusalReason]] = {
    MatchAction.RESIGN: resign,
    MatchAction.ACCEPT: accept,
    MatchAction.DECLINE: decline,
    MatchAction.CANCEL: cancel,
    MatchAction.JOIN: join,
}


@dataclass(frozen=True, slots=True)
class BotMovePending:
    """A press applied but not stored yet: the bot is to move next, which takes time."""

    match: Match
    level: Level


Pending = BotMovePending | OpponentCheck
"""A press that needs something to be found out first."""


class MatchActionService:
    """Does what a press asks, if the match has not changed since the button was drawn.

    A press loads the match, applies the rule of its action, and saves the match or opens a rematch.
    Compare-and-set in the store decides every race; the slower press starts again with the match
    as it is then.
    """

    def __init__(
        self,
        store: Store,
        executor: Executor,
        operations: MatchOperations,
        deadlines: Deadlines,
        engine: EnginePool,
    ) -> None:
        self._executor = executor
        self._matches = store.matches
        self._operations = operations
        self._deadlines = deadlines
        self._engine = engine

    async def press(self, press: Press, context: PressContext) -> MatchOutcome | OpponentCheck:
        """Carry out a press; a bot's move that takes long is computed in the process for moves.

        Raises:
            UnavailableError: The database or the engine did not answer in time.
        """
        outcome = await self._executor.run_for_answer(self._press, press, context)
        while isinstance(outcome, BotMovePending):
            cell = await self._engine.choose(outcome.match.board, outcome.level)
            match = with_move(outcome.match, cell)
            outcome = await self._executor.run_for_answer(
                self._save_or_press_again, match, press, context
            )
        return outcome

    async def match_for_hint(self, press: Press, context: PressContext) -> Match | MatchOutcome:
        """The match that a hint was asked for, or else what became of the press.

        Raises:
            UnavailableError: The database did not answer in time.
        """
        return await self._executor.run_for_answer(self._match_for_hint, press, context)

    def _match_for_hint(self, press: Press, context: PressContext) -> Match | MatchOutcome:
        loaded = self._load_current(press, context)
        if not isinstance(loaded, Match):
            return loaded
        if refusal := hint_refusal_reason(loaded, context.user_id):
            return Refusal(refusal)
        if press.cell is not None and press.cell not in loaded.board.actions():
            return Refusal(RefusalReason.CELL_TAKEN)
        return loaded

    def _press(self, press: Press, context: PressContext) -> MatchOutcome | Pending:
        """Try to carry out a press, until no other press is faster."""
        while True:
            loaded = self._load_current(press, context)
            if not isinstance(loaded, Match):
                # The same press may have reached another process first.
                return self._find_opened_rematch(press, context) or loaded
            current = self._deadlines.without_lapsed_rematch(loaded)
            changed = _apply_action(press, current, context)
            if not isinstance(changed, Match):
                return changed
            outcome = self._save_or_open_rematch(changed, press, context)
            if outcome is not None:
                return outcome

    def _save_or_press_again(
        self, match: Match, press: Press, context: PressContext
    ) -> MatchOutcome | Pending:
        return self._save(match, press, context) or self._press(press, context)

    def _save_or_open_rematch(
        self, changed: Match, press: Press, context: PressContext
    ) -> MatchOutcome | Pending | None:
        """The outcome of a changed match; None if another press was faster."""
        if press.action in REMATCH_ACTIONS:
            settings = self._operations.settings_of(changed.place)
            if refusal := settings.channel_refusal(context.channel_id, context.parent_id):
                return refusal
            if changed.next_id is not None:
                return self._open_rematch(changed, press, context, settings)
        if press.action is MatchAction.JOIN:
            head_to_head = self._operations.head_to_head(changed.x, changed.o)
            changed = replace(changed, head_to_head=head_to_head)
        level = changed.to_move.level if changed.to_move else None
        if level is None or is_move_quick(changed.board):
            return self._save(self._operations.with_bot_move(changed), press, context)
        return BotMovePending(changed, level)

    def _load_current(self, press: Press, context: PressContext) -> Match | MatchOutcome:
        """The match if it is still as the button was drawn; else the outcome."""
        match = self._matches.load(press.match_id)
        if match is None or match.place.channel_id != context.channel_id:
            return Refusal(RefusalReason.UNKNOWN_MATCH)
        if context.is_ephemeral:
            return self._load_from_page(press, match, context)
        if context.message_id < (match.place.message_id or 0):
            return BoardChanged(match, RefusalReason.BOARD_MOVED)
        if self._deadlines.is_overdue(match):
            return self._end_overdue(match, press, context)
        if press.version == match.version:
            return match
        return self._outdated_outcome(press, match, context)

    def _end_overdue(
        self, match: Match, press: Press, context: PressContext
    ) -> Match | MatchOutcome:
        """End a match whose time is up; if that fails, load it again."""
        ended = self._matches.save(expire(match)) or self._matches.load(match.id)
        if ended is None or ended.is_live:  # a hint was counted, or another clock is slower
            return self._load_current(press, context)
        return BoardChanged(ended, RefusalReason.TIME_IS_UP)

    def _load_from_page(
        self, press: Press, match: Match, context: PressContext
    ) -> Match | MatchOutcome:
        """`_load_current` for a button on a page.

        A hint's button needs the version that the hint was for; resigning works at any.
        """
        if press.cell is None and press.action not in (MatchAction.CONCEDE, MatchAction.WHY):
            return Refusal(RefusalReason.UNKNOWN_BUTTON)
        if self._deadlines.is_overdue(match):
            return Refusal(RefusalReason.TIME_IS_UP)  # the next sweep ends it
        if press.action is MatchAction.CONCEDE:
            return MatchStopped(match) if has_resigned(match, context.user_id) else match
        if press.version == match.version:
            return match
        if press.action is MatchAction.PLAY and is_already_played(press, match, context.user_id):
            assert press.cell is not None, "a press that plays names its cell"
            return HintPlayed(match, press.cell)
        return Refusal(RefusalReason.HINT_OLD, match)

    def _outdated_outcome(self, press: Press, match: Match, context: PressContext) -> MatchOutcome:
        if match.is_live and context.message_id > (match.place.message_id or context.message_id):
            return BoardChanged(match, RefusalReason.BOARD_MOVED)
        if not match.is_live and not self._is_shown_on(match, context.message_id):
            return Refusal(RefusalReason.MATCH_OVER)
        return BoardChanged(match, outdated_refusal_reason(press, match, context.user_id))

    def _is_shown_on(self, match: Match, message_id: int) -> bool:
        """Whether a message still shows an ended match: older releases drew the rematch over it."""
        if match.place.message_id not in (None, message_id):
            return False
        rematch = self._matches.load(match.next_id) if match.next_id else None
        return rematch is None or rematch.place.message_id != message_id

    def _save(self, match: Match, press: Press, context: PressContext) -> MatchOutcome | None:
        """Store a changed match; None if another press was faster."""
        changed = _with_message(self._deadlines.with_deadline(match), context)
        saved = self._matches.save(changed, also_players=press.action is MatchAction.JOIN)
        if saved is None:
            return None
        if context.is_ephemeral and press.cell is not None:
            return HintPlayed(saved, press.cell)
        if context.is_ephemeral:
            was_changed = match.version != press.version
            return MatchStopped(saved, changed_since_question=was_changed)
        if match.place.message_id != context.message_id:
            self._matches.record_message(match.id, context.message_id)
        return BoardChanged(saved)

    def _open_rematch(
        self, match: Match, press: Press, context: PressContext, settings: GuildSettings
    ) -> MatchOutcome | Pending:
        match = _with_message(match, context)
        deadline_at = self._deadlines.deadline(accepted=True, turn_minutes=settings.turn_minutes)
        choose_level = _LEVEL_CHOOSERS.get(press.action)
        level = choose_level(match) if choose_level else None
        rematch = self._operations.with_bot_move(next_match(match, deadline_at, settings, level))
        saved = self._matches.save_with_next_match(match, rematch)
        if saved is not None:
            return MatchOpened(rematch, also_changed=(saved,))
        stored = self._matches.load(match.id)
        if stored is None or stored.version != match.version:
            return self._press(press, context)
        current, ended = self._operations.live_match(match.place.channel_id)
        if current is not None:
            request = _bot_match_request(rematch, context.user_id)
            return channel_busy_refusal(current, ended, request)
        outcome = self._press(press, context)
        if isinstance(outcome, MatchOpened | Refusal):
            return replace(outcome, also_changed=(*outcome.also_changed, *ended))
        return outcome

    def _find_opened_rematch(self, press: Press, context: PressContext) -> MatchOpened | None:
        """The rematch, if another process has opened it already for this very press."""
        previous = self._matches.load(press.match_id) if press.action in REMATCH_ACTIONS else None
        if previous is None or previous.next_id != context.interaction_id:
            return None
        rematch = self._matches.load(context.interaction_id)
        return None if rematch is None else MatchOpened(rematch, also_changed=(previous,))


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


def _with_message(match: Match, context: PressContext) -> Match:
    """The match with the pressed message as its board's, unless that is a page."""
    if context.is_ephemeral or match.place.message_id == context.message_id:
        return match
    return replace(match, place=replace(match.place, message_id=context.message_id))


def _apply_action(
    press: Press, match: Match, context: PressContext
) -> Match | MatchOutcome | OpponentCheck:
    """The match changed as the press asks, or else the outcome."""
    if not context.is_ephemeral and is_double_click(press, match, context.user_id):
        return BoardChanged(match)
    changed = _apply_change(press, match, context)
    if isinstance(changed, RefusalReason):
        return Refusal(changed)
    if press.action is MatchAction.CONCEDE and context.has_opponent_left is None:
        return check_for_resignation(changed) or changed
    return ResignConfirmation(match) if press.action is MatchAction.RESIGN else changed


def _apply_change(press: Press, match: Match, context: PressContext) -> Match | RefusalReason:
    if press.action is MatchAction.PLAY:
        assert press.cell is not None, "a press that plays names its cell"
        return play(match, context.user_id, press.cell)
    choose_level = _LEVEL_CHOOSERS.get(press.action)
    if choose_level and choose_level(match) is None:
        return RefusalReason.UNKNOWN_BUTTON
    if press.action in REMATCH_ACTIONS:
        return ask_for_rematch(match, context.user_id, context.interaction_id)
    if press.action is MatchAction.CONCEDE:
        has_opponent_left = bool(context.has_opponent_left)
        return resign(match, context.user_id, has_opponent_left=has_opponent_left)
    return _CHANGES_BY_ACTION[press.action](match, context.user_id)
